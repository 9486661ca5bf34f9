// Which levels this machine can run, and how many threads this process may use.
#pragma once

#include "level.h"

namespace addison {

struct Choice {
    const Level* level;
    bool runs_here;
};

// All levels this build has, the best first, ended by a null level.
const Choice* levels();

// CPUs the process may use: its affinity mask, cut to the cgroup's quota. At least 1.
int cpus_available();

// Bytes of memory the process may use: the machine's, cut to the cgroup's limit.
size_t memory_available();

}  // namespace addison
