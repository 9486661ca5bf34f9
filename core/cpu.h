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

// Whether rows gain from software prefetches: on Intel 9.3 elements per ns become 10.9 in L2; on AMD's Zen 5 they lose
// 3 to 8 %.
bool likes_prefetch();

// CPUs the process may use: its affinity mask, cut to the cgroup's quota. At least 1.
int cpus_available();

// Bytes of memory the process may use: the machine's, cut to the cgroup's limit.
size_t memory_available();

}  // namespace addison
