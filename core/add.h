// Carries out planned work: picks threads, gives every thread its scratch memory, keeps floats exact.
#pragma once

#include "plan.h"

namespace addison {

// Units of work that may be done in any order and on any thread.
struct Task {
    void (*run)(const void* what, intptr_t from, intptr_t to, char* scratch);   // units [from, to); aligned to LINE
    const void* what;
    intptr_t units;
    size_t scratch_bytes;
    intptr_t work;        // estimated, in bytes of f32 traffic: what thresholds of time are held against
};

// False when memory for packing is short; then nothing has been written.
bool carry_out(const Task& task);
bool carry_out(const Plan& plan);

inline intptr_t work_of(const Plan& plan) { return plan.traffic / 4 * facts(plan.kind).cost; }

}  // namespace addison
