// One call of add: what was passed, as far as the fast path understands it.
#pragma once

#include "numpy.h"
#include "state.h"

namespace addison {

enum class Rule : uint8_t { NUMPY, NONE, PDPD };

struct Call {
    PyArrayObject* a;
    PyArrayObject* b;
    PyArrayObject* out;   // null: a new result
    Rule rule;
    long axis;
};

// The names and values past the two operands. False for anything out of the ordinary, which the Python function then
// takes or refuses. No error is set.
bool parse_names(Call& call, PyObject* const* values, PyObject* names);

// The whole call, as parse_names. `out` by itself is parsed here: a call of its own takes longer than that.
inline bool parse(Call& call, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    if (count != 2 || !PyArray_CheckExact(args[0]) || !PyArray_CheckExact(args[1])) return false;
    call = {reinterpret_cast<PyArrayObject*>(args[0]), reinterpret_cast<PyArrayObject*>(args[1]), nullptr, Rule::NUMPY,
            -1};
    if (!names) return true;
    if (PyTuple_GET_SIZE(names) == 1 && PyTuple_GET_ITEM(names, 0) == state.out && PyArray_CheckExact(args[2])) {
        call.out = reinterpret_cast<PyArrayObject*>(args[2]);
        return true;
    }
    return parse_names(call, args + count, names);
}

// The function `add`, as Python calls it.
PyObject* add(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names);

// The sum of arrays whose element type is told, because their dtype does not tell it (u3, u6 and nf4 as codes); null
// with an error set when it failed, with none when this path does not take the arrays.
PyObject* add_arrays_as(const Call& call, uint8_t element);

}  // namespace addison
