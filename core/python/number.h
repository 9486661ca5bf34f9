// A bare Python number beside an array.
#pragma once

#include "call.h"

namespace addison {

// The bits of a number as one element, rounded once; `item` has room for 8 bytes. False, with no error set, for what
// the Python function refuses or knows better: numbers out of range, NaN, subclasses, types that round in their own
// way.
bool number_bits(PyObject* number, const Element& element, char* item);

// add(array, number) or add(number, array) under NumPy's rule; null with an error set when it failed, with none when
// this path does not take the call.
PyObject* add_number(PyObject* const* args, Py_ssize_t count, PyObject* names);

}  // namespace addison
