#include "result.h"

#include "../recycler.h"
#include "../tuning.h"

namespace addison {

namespace {

constexpr const char* CAPSULE = "addison.result_buffer";

void release(PyObject* capsule) {
    void* const memory = PyCapsule_GetPointer(capsule, CAPSULE);
    give_back(static_cast<char*>(memory), reinterpret_cast<size_t>(PyCapsule_GetContext(capsule)));
}

// An array on a recycled buffer, which a capsule as its base gives back: 10 ns dearer than a NumPy-owned one, where
// PyDataMem_SetHandler costs 230.
PyObject* on_buffer(const Buffer& buffer, PyArray_Descr* dtype, int rank, const npy_intp* shape, Order order,
                    const npy_intp* strides) {
    PyObject* const capsule = PyCapsule_New(buffer.memory, CAPSULE, release);
    if (!capsule) {
        give_back(buffer.memory, buffer.capacity);
        return nullptr;
    }
    PyCapsule_SetContext(capsule, reinterpret_cast<void*>(buffer.capacity));
    Py_INCREF(dtype);
    const int flags = NPY_ARRAY_WRITEABLE | NPY_ARRAY_ALIGNED
                    | (order == Order::F ? NPY_ARRAY_F_CONTIGUOUS : order == Order::C ? NPY_ARRAY_C_CONTIGUOUS : 0);
    PyObject* const array =
        PyArray_NewFromDescr(&PyArray_Type, dtype, rank, shape, strides, buffer.memory, flags, nullptr);
    if (!array) {
        Py_DECREF(capsule);
        return nullptr;
    }
    if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array), capsule) < 0) {   // takes the capsule either way
        Py_DECREF(array);
        return nullptr;
    }
    return array;
}

// An array that NumPy allocates; what the recycler keeps is given up before that fails.
PyObject* by_numpy(PyArray_Descr* dtype, int rank, const npy_intp* shape, Order order) {
    const int flags = order == Order::F ? NPY_ARRAY_F_CONTIGUOUS : 0;
    for (;;) {
        Py_INCREF(dtype);
        PyObject* const array =
            PyArray_NewFromDescr(&PyArray_Type, dtype, rank, shape, nullptr, nullptr, flags, nullptr);
        if (array || !PyErr_ExceptionMatches(PyExc_MemoryError) || trim() == 0) return array;
        PyErr_Clear();
    }
}

}  // namespace

Result new_result(PyArray_Descr* dtype, int rank, const npy_intp* shape, intptr_t bytes, Order order,
                  const npy_intp* strides) {
    const bool recycles = bytes >= tuning.recycle && recycling_limit() > 0;
    if (!recycles && order != Order::STRIDES) return {by_numpy(dtype, rank, shape, order), false};
    const Buffer buffer = take_buffer(static_cast<size_t>(bytes));
    if (!buffer.memory) {
        PyErr_Format(PyExc_MemoryError, "unable to allocate %zd bytes for a sum", static_cast<Py_ssize_t>(bytes));
        return {nullptr, false};
    }
    if (order != Order::STRIDES) strides = nullptr;
    return {on_buffer(buffer, dtype, rank, shape, order, strides), buffer.used_before};
}

}  // namespace addison
