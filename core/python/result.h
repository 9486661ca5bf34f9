// New result arrays.
#pragma once

#include "numpy.h"

namespace addison {

enum class Order : uint8_t { C, F, STRIDES };

struct Result {
    PyObject* array;     // null: an error is set
    bool touched;        // its pages have been written before
};

// An array of this dtype and shape, its contents undefined. `strides` counts only for Order::STRIDES.
Result new_result(PyArray_Descr* dtype, int rank, const npy_intp* shape, intptr_t bytes, Order order,
                  const npy_intp* strides);

}  // namespace addison
