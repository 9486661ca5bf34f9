// One call of add: what was passed, as far as the fast path understands it.
#pragma once

#include "numpy.h"

namespace addison {

enum class Rule : uint8_t { NUMPY, NONE, PDPD };

struct Call {
    PyArrayObject* a;
    PyArrayObject* b;
    PyArrayObject* out;   // null: a new result
    Rule rule;
    long axis;
};

// False for anything out of the ordinary, which the Python function then takes or refuses. No error is set.
bool parse(Call& call, PyObject* const* args, Py_ssize_t count, PyObject* names);

// The sum, or null: with an error set when it failed, with none when this path does not take the arrays.
PyObject* add_arrays(const Call& call);

// The same for operands whose element type is told, because their dtype does not tell it (u3, u6 and nf4 as codes).
PyObject* add_arrays_as(const Call& call, uint8_t element);

}  // namespace addison
