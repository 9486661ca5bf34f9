// What the module learns at start and then only reads: the level, the dtypes, the names and the function behind it.
#pragma once

#include "../element.h"
#include "../level.h"
#include "numpy.h"

namespace addison {

inline constexpr uint8_t NO_ELEMENT = 0xFF;
inline constexpr int TYPE_NUMBERS = 1024;   // NumPy's own are below 25, registered ones count from 256

struct State {
    const Level* level = nullptr;
    PyObject* fallback = nullptr;                 // takes every call that the fast path does not understand
    PyArray_Descr* dtypes[ELEMENT_COUNT] = {};    // of new results
    uint8_t by_number[TYPE_NUMBERS];              // dtype number -> element

    PyObject *out, *auto_broadcast, *axis;        // keyword names, interned
    PyObject *numpy, *none, *pdpd;                // rules, interned
};

extern State state;

// The element of a dtype in native byte order; NO_ELEMENT for all others.
inline uint8_t element_of(const PyArrayObject* array) {
    const PyArray_Descr* dtype = PyArray_DESCR(array);
    const int number = dtype->type_num;
    if (number < 0 || number >= TYPE_NUMBERS || !PyArray_ISNBO(dtype->byteorder)) return NO_ELEMENT;
    return state.by_number[number];
}

// The element type of that name, or -1 with an error set.
int find_element(PyObject* name);

}  // namespace addison
