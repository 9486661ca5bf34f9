// The function `add`, and add on plain NumPy arrays: flat ones of one shape are recognised first, by flags alone; the
// rest goes through a plan. Of a small call's 25 ns, 15 are Python's; all that is on its way is in this file or inline.
#include "flat.h"
#include "number.h"

namespace addison {

namespace {

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
        return add_flat({PyArray_BYTES(call.a), PyArray_BYTES(call.b), false}, call.out, element, flat);
    return add_planned(call, element);
}

}  // namespace

PyObject* add_long_row(const Operands& from, Kind kind, intptr_t n, const Result& result) {
    const intptr_t item = facts(kind).size, traffic = (from.one ? 2 : 3) * n * item;
    char* const c = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(result.array));
    if (!worth_sharing(traffic, facts(kind))) {
        const StandardFloats floats;
        const Rows& rows = state.level->rows[static_cast<int>(kind)];
        (from.one ? rows.scalar : rows.vector)[AHEAD](from.a, from.b, c, static_cast<size_t>(n));
        return result.array;
    }
    Plan plan;
    plan.level = state.level;
    plan.kind = kind;
    plan.traffic = traffic;
    plan.layout.rank = 1;
    plan.layout.axes[0] = {n, item, from.one ? 0 : item, item};
    plan.layout.a = from.a;
    plan.layout.b = from.b;
    plan.layout.c = c;
    make_plan(plan, result.touched);
    return finish(plan, result.array);
}

PyObject* add_arrays_as(const Call& call, uint8_t element) { return add_any(call, element); }

PyObject* add(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    Call call;
    PyObject* sum = nullptr;
    if (parse(call, args, count, names)) {
        const uint8_t element = common_element(call);
        if (element != NO_ELEMENT) sum = add_any(call, element);
    } else {
        sum = add_number(args, count, names);
    }
    if (sum || PyErr_Occurred()) return sum;
    return PyObject_Vectorcall(state.fallback, args, static_cast<size_t>(count), names);
}

}  // namespace addison
