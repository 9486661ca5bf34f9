#include "operands.h"

#include <algorithm>

namespace addison {

namespace {

// Axis i of the result, as one operand has it: its size there (1 where it has no such axis) and its stride.
struct Side {
    int rank;
    int first;                 // the result's axis that this operand's axis 0 stands at; may be negative only for 1s
    const npy_intp* sizes;
    const npy_intp* strides;

    Side(PyArrayObject* array, int at)
        : rank(PyArray_NDIM(array)), first(at), sizes(PyArray_DIMS(array)), strides(PyArray_STRIDES(array)) {}
    npy_intp size(int axis) const { return axis < first || axis >= first + rank ? 1 : sizes[axis - first]; }
    npy_intp stride(int axis) const { return size(axis) == 1 ? 0 : strides[axis - first]; }
};

// Where b's first axis stands among a's under pdpd, or -1 when the shapes do not fit.
int pdpd_start(const Call& call) {
    const int rank_a = PyArray_NDIM(call.a), rank_b = PyArray_NDIM(call.b);
    if (rank_b > rank_a || call.axis < -1 || call.axis > rank_a || (call.axis == rank_a && rank_b)) return -1;
    const int start = call.axis == -1 ? rank_a - rank_b : static_cast<int>(call.axis);
    const npy_intp* a = PyArray_DIMS(call.a);
    const npy_intp* b = PyArray_DIMS(call.b);
    for (int i = 0; i < rank_b; i++)
        if (b[i] != 1 && (start + i >= rank_a || b[i] != a[start + i])) return -1;
    return start;
}

bool same_shape(PyArrayObject* a, PyArrayObject* b) {
    return PyArray_NDIM(a) == PyArray_NDIM(b)
        && std::equal(PyArray_DIMS(a), PyArray_DIMS(a) + PyArray_NDIM(a), PyArray_DIMS(b));
}

}  // namespace

bool merge_shapes(const Call& call, intptr_t item, npy_intp* shape, Layout& layout, intptr_t* bytes,
                  intptr_t* traffic) {
    const int rank_a = PyArray_NDIM(call.a), rank_b = PyArray_NDIM(call.b);
    const int rank = call.rule == Rule::PDPD ? rank_a : std::max(rank_a, rank_b);
    int start = rank - rank_b;
    if (call.rule == Rule::NONE && !same_shape(call.a, call.b)) return false;
    if (call.rule == Rule::PDPD && (start = pdpd_start(call)) < 0) return false;
    const Side a(call.a, rank - rank_a), b(call.b, start);
    intptr_t total = item, from_a = item, from_b = item;
    bool overflow = false, empty = false;
    for (int i = 0; i < rank; i++) {
        const npy_intp x = a.size(i), y = b.size(i);
        if (x != y && x != 1 && y != 1) return false;
        shape[i] = x == 1 ? y : x;
        layout.axes[i] = {shape[i], a.stride(i), b.stride(i), 0};
        from_a *= layout.axes[i].a ? x : 1;
        from_b *= layout.axes[i].b ? y : 1;
        overflow |= __builtin_mul_overflow(total, shape[i] ? shape[i] : 1, &total);    // as NumPy counts
        empty |= shape[i] == 0;
    }
    layout.rank = rank;
    layout.a = PyArray_BYTES(call.a);
    layout.b = PyArray_BYTES(call.b);
    *bytes = empty ? 0 : total;
    overflow |= __builtin_add_overflow(total, from_a, traffic);
    overflow |= __builtin_add_overflow(*traffic, from_b, traffic);
    return !overflow;
}

namespace {

struct Span {
    const char* begin;
    const char* end;

    Span(const Layout& layout, const char* base, intptr_t Axis::*stride, intptr_t item)
        : begin(base), end(base + item) {
        for (int i = 0; i < layout.rank; i++) {
            const intptr_t reach = layout.axes[i].*stride * (layout.axes[i].size - 1);
            (reach < 0 ? begin : end) += reach;
        }
    }
    bool apart(const Span& other) const { return end <= other.begin || other.end <= begin; }
};

bool same_places(const Layout& layout, const char* base, intptr_t Axis::*stride) {
    if (base != layout.c) return false;
    for (int i = 0; i < layout.rank; i++)
        if (layout.axes[i].size > 1 && layout.axes[i].*stride != layout.axes[i].c) return false;
    return true;
}

}  // namespace

bool may_write(const Layout& layout, intptr_t item) {
    const Span c(layout, layout.c, &Axis::c, item);
    return (same_places(layout, layout.a, &Axis::a) || c.apart(Span(layout, layout.a, &Axis::a, item)))
        && (same_places(layout, layout.b, &Axis::b) || c.apart(Span(layout, layout.b, &Axis::b, item)));
}

}  // namespace addison
