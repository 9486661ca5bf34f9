// Arrays without gaps: their sum is one row, found by flags alone. Inline, since small calls are all overhead.
#pragma once

#include "../control.h"
#include "../tuning.h"
#include "planned.h"
#include "result.h"
#include "state.h"

namespace addison {

// The shape of arrays without gaps, all in the same order of axes.
struct Flat {
    int rank;
    const npy_intp* shape;
    int contiguous;        // the flags that all have: C, F or both

    explicit Flat(PyArrayObject* array)
        : rank(PyArray_NDIM(array)), shape(PyArray_DIMS(array)),
          contiguous(PyArray_FLAGS(array) & (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS)) {}

    bool fits(PyArrayObject* array) {
        contiguous &= PyArray_FLAGS(array);
        if (!contiguous || PyArray_NDIM(array) != rank) return false;
        const npy_intp* const sizes = PyArray_DIMS(array);     // a call of memcmp took longer than the sum
        for (int i = 0; i < rank; i++)
            if (sizes[i] != shape[i]) return false;
        return true;
    }
    intptr_t elements() const {
        intptr_t n = 1;
        for (int i = 0; i < rank; i++) n *= shape[i];
        return n;
    }
};

// Two operands as rows; b may be one item, then its stride is 0.
struct Operands {
    const char* a;
    const char* b;
    bool one;
};

inline bool apart_or_same(const char* p, const char* c, intptr_t bytes) {
    return p == c || p + bytes <= c || c + bytes <= p;
}

inline bool worth_sharing(intptr_t traffic, const KindFacts& about) {
    return traffic / 4 * about.cost >= tuning.share_spinning;
}

// Rows that prefetch, and from where threads may share, a plan. `result` is taken.
PyObject* add_long_row(const Operands& from, Kind kind, intptr_t n, const Result& result);

// The sum of flat operands into `out`, or into a new array when it is null; null as add_arrays_as.
inline PyObject* add_flat(const Operands& from, PyArrayObject* out, uint8_t element, const Flat& flat) {
    const Kind kind = ELEMENTS[element].array;
    const KindFacts& about = facts(kind);
    const intptr_t n = flat.elements(), bytes = n * about.size;
    Result result;
    if (out) {
        char* const c = PyArray_BYTES(out);
        if (!apart_or_same(from.a, c, bytes) || !(from.one || apart_or_same(from.b, c, bytes))) return nullptr;
        Py_INCREF(out);
        result = {reinterpret_cast<PyObject*>(out), true};
    } else {
        const Order order = flat.contiguous & NPY_ARRAY_C_CONTIGUOUS ? Order::C : Order::F;
        result = new_result(state.dtypes[element], flat.rank, flat.shape, bytes, order, nullptr);
        if (!result.array) return nullptr;
    }
    const intptr_t traffic = (from.one ? 2 : 3) * bytes;
    if (traffic >= tuning.ahead || worth_sharing(traffic, about)) return add_long_row(from, kind, n, result);
    char* const c = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(result.array));
    const Rows& rows = state.level->rows[static_cast<int>(kind)];
    if (from.one) {
        const StandardFloats floats;
        rows.scalar[PLAIN](from.a, from.b, c, static_cast<size_t>(n));
    } else {
        rows.alone(from.a, from.b, c, static_cast<size_t>(n));
    }
    return result.array;
}

}  // namespace addison
