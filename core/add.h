// Carries out a planned addition: picks threads, gives every thread its scratch memory, keeps floats exact.
#pragma once

#include "plan.h"

namespace addison {

// False when memory for packing is short; then nothing has been written.
bool carry_out(const Plan& plan);

// Estimated work, in bytes of f32 traffic: what thresholds of time are held against.
inline intptr_t work_of(const Plan& plan) { return plan.traffic / 4 * facts(plan.kind).cost; }

}  // namespace addison
