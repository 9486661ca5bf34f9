// The function `add`, and add on plain NumPy arrays. Two flat arrays of one shape are recognised first, by flags alone;
// the rest goes through a plan. A small call is all overhead (15 ns are Python's, 20 were ours), so everything on its
// way is in this file or inline: a call of memcmp for a shape took longer than the sum.
#include "../control.h"
#include "../tuning.h"
#include "call.h"
#include "planned.h"
#include "result.h"
#include "state.h"

namespace addison {

namespace {

// Two arrays without gaps, in the same order of axes.
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
        const npy_intp* const sizes = PyArray_DIMS(array);
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

bool apart_or_same(const char* p, const char* c, intptr_t bytes) { return p == c || p + bytes <= c || c + bytes <= p; }

bool worth_sharing(intptr_t traffic, const KindFacts& about) { return traffic / 4 * about.cost >= tuning.share_spinning; }

// Rows that prefetch, and from where threads may share, a plan.
PyObject* add_long(const Call& call, Kind kind, intptr_t n, const Result& result) {
    const intptr_t item = facts(kind).size;
    if (!worth_sharing(3 * n * item, facts(kind))) {
        const StandardFloats floats;
        state.level->rows[static_cast<int>(kind)].vector[AHEAD](
            PyArray_BYTES(call.a), PyArray_BYTES(call.b),
            PyArray_BYTES(reinterpret_cast<PyArrayObject*>(result.array)), static_cast<size_t>(n));
        return result.array;
    }
    Plan plan;
    plan.level = state.level;
    plan.kind = kind;
    plan.traffic = 3 * n * item;
    plan.layout.rank = 1;
    plan.layout.axes[0] = {n, item, item, item};
    plan.layout.a = PyArray_BYTES(call.a);
    plan.layout.b = PyArray_BYTES(call.b);
    plan.layout.c = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(result.array));
    make_plan(plan, result.touched);
    return finish(plan, result.array);
}

inline PyObject* add_flat(const Call& call, uint8_t element, const Flat& flat) {
    const Kind kind = ELEMENTS[element].array;
    const KindFacts& about = facts(kind);
    const intptr_t n = flat.elements(), bytes = n * about.size;
    const char* const a = PyArray_BYTES(call.a);
    const char* const b = PyArray_BYTES(call.b);
    Result result;
    if (call.out) {
        char* const c = PyArray_BYTES(call.out);
        if (!apart_or_same(a, c, bytes) || !apart_or_same(b, c, bytes)) return nullptr;
        Py_INCREF(call.out);
        result = {reinterpret_cast<PyObject*>(call.out), true};
    } else {
        const Order order = flat.contiguous & NPY_ARRAY_C_CONTIGUOUS ? Order::C : Order::F;
        result = new_result(state.dtypes[element], flat.rank, flat.shape, bytes, order, nullptr);
        if (!result.array) return nullptr;
    }
    const intptr_t traffic = 3 * bytes;
    if (traffic >= tuning.ahead || worth_sharing(traffic, about)) return add_long(call, kind, n, result);
    char* const c = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(result.array));
    state.level->rows[static_cast<int>(kind)].alone(a, b, c, static_cast<size_t>(n));
    return result.array;
}

// One dtype object is one element; only other objects' elements are looked up.
inline uint8_t common_element(const Call& call) {
    const PyArray_Descr* const dtype = PyArray_DESCR(call.a);
    const uint8_t element = element_of(call.a);
    if (PyArray_DESCR(call.b) != dtype && element_of(call.b) != element) return NO_ELEMENT;
    if (call.out && PyArray_DESCR(call.out) != dtype && element_of(call.out) != element) return NO_ELEMENT;
    return element;
}

inline PyObject* add_any(const Call& call, uint8_t element) {
    if (call.out && !PyArray_ISWRITEABLE(call.out)) return nullptr;
    Flat flat(call.a);
    if (call.rule != Rule::PDPD && flat.fits(call.b) && (!call.out || flat.fits(call.out)))
        return add_flat(call, element, flat);
    return add_planned(call, element);
}

}  // namespace

PyObject* add_arrays_as(const Call& call, uint8_t element) { return add_any(call, element); }

PyObject* add(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    Call call;
    if (parse(call, args, count, names)) {
        const uint8_t element = common_element(call);
        PyObject* const sum = element == NO_ELEMENT ? nullptr : add_any(call, element);
        if (sum || PyErr_Occurred()) return sum;
    }
    return PyObject_Vectorcall(state.fallback, args, static_cast<size_t>(count), names);
}

}  // namespace addison
