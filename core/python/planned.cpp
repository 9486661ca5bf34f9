// add on NumPy arrays of any layout: a plan is made and carried out.
#include "planned.h"

#include <algorithm>

#include "operands.h"
#include "result.h"
#include "state.h"
#include "unlocked.h"

namespace addison {

namespace {

// Whether the result's elements are apart, its strides sorted from the largest down.
bool elements_apart(const Layout& layout, intptr_t item) {
    intptr_t reach = item;
    for (int i = layout.rank - 1; i >= 0; i--) {
        const Axis& axis = layout.axes[i];
        if (axis.size == 1) continue;
        if (axis.c < reach) return false;
        reach += axis.c * (axis.size - 1);
    }
    return true;
}

// The caller's array as the result. False when this path does not write to such an array.
bool take_out(const Call& call, const npy_intp* shape, Plan& plan, intptr_t item) {
    Layout& layout = plan.layout;
    if (PyArray_NDIM(call.out) != layout.rank
        || !std::equal(shape, shape + layout.rank, PyArray_DIMS(call.out)))
        return false;
    layout.c = PyArray_BYTES(call.out);
    for (int i = 0; i < layout.rank; i++) layout.axes[i].c = layout.axes[i].size == 1 ? 0 : PyArray_STRIDE(call.out, i);
    if (plan.traffic == 0) return true;
    if (!may_write(layout, item)) return false;
    follow_result(layout);
    collapse(layout);
    return elements_apart(layout, item) && (layout.rank == 0 || layout.axes[layout.rank - 1].c == item);
}

// A new result in the order NumPy would give it; the layout's axes are put in that order.
Result make_out(uint8_t element, const npy_intp* shape, intptr_t bytes, Plan& plan, intptr_t item) {
    Layout& layout = plan.layout;
    const int rank = layout.rank;
    int order[MAX_RANK];
    const bool c_order = bytes == 0 || memory_order(layout, order);
    npy_intp strides[MAX_RANK];
    bool f_order = !c_order;
    if (c_order) {
        for (int i = 0; i < rank; i++) order[i] = i;
    } else {
        for (int i = 0; i < rank; i++) f_order &= order[i] == rank - 1 - i;
        permute(layout, order);
    }
    intptr_t run = item;
    for (int i = rank - 1; i >= 0; i--) {
        layout.axes[i].c = strides[order[i]] = run;
        run *= layout.axes[i].size;
    }
    const Order kept = c_order ? Order::C : f_order ? Order::F : Order::STRIDES;
    const Result result = new_result(state.dtypes[element], rank, shape, bytes, kept, strides);
    if (result.array) layout.c = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(result.array));
    return result;
}

}  // namespace

PyObject* finish(const Plan& plan, PyObject* result) {
    if (unlocked(work_of(plan), [&] { return carry_out(plan); })) return result;
    Py_DECREF(result);
    return nullptr;
}

PyObject* add_planned(const Call& call, uint8_t element) {
    Plan plan;
    plan.level = state.level;
    plan.kind = ELEMENTS[element].array;
    const intptr_t item = facts(plan.kind).size;
    npy_intp shape[MAX_RANK];
    intptr_t bytes;
    if (!merge_shapes(call, item, shape, plan.layout, &bytes, &plan.traffic)) return nullptr;
    if (bytes == 0) plan.traffic = 0;
    Result result;
    if (call.out) {
        if (!take_out(call, shape, plan, item)) return nullptr;
        Py_INCREF(call.out);
        result = {reinterpret_cast<PyObject*>(call.out), true};
    } else {
        result = make_out(element, shape, bytes, plan, item);
        if (!result.array) return nullptr;
    }
    if (bytes == 0) return result.array;
    make_plan(plan, result.touched);
    return finish(plan, result.array);
}

}  // namespace addison
