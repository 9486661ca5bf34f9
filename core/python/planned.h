// add by way of a plan.
#pragma once

#include "../add.h"
#include "call.h"

namespace addison {

// Carries the plan out; returns the result it writes to, or null with an error set and the result released.
PyObject* finish(const Plan& plan, PyObject* result);

// The sum of arrays of one element type, or null: with an error set when it failed, with none when this path does not
// take them.
PyObject* add_planned(const Call& call, uint8_t element);

}  // namespace addison
