// Threads that share one job at a time.
//
// A job is n chunks. Every participant owns a contiguous range of them and takes from its front; whoever has none left
// takes from the back of another's. So each core works on the same part of the arrays call after call, which keeps that
// part in its own L2 (first-come chunks were up to twice as slow), and the caller never waits for a thread that has not
// started: it takes that thread's chunks as well.
#pragma once

#include <cstddef>
#include <cstdint>

namespace addison {

using Work = void (*)(void* job, uint32_t chunk);

// Runs all chunks, on this thread and on the pool's when it is free; returns when every one is done.
void share(Work work, void* job, uint32_t chunks);

// Whether workers would start at once: they still spin after their last job, and get to run. Waking a parked one costs
// the caller some 15 us.
bool pool_is_awake();

// Whether workers are slow to be told of a job, and so to see what this thread wrote. Now and then the answer is no for
// some calls, so that it is found out when they no longer are.
bool pool_is_far();

// Whether all workers are parked and nobody has woken them, or there are none yet.
bool pool_is_parked();

// Threads in all, the caller's included; 0 asks for as many as the process has CPUs. Returns what there now are.
int set_threads(int threads);
int threads();

}  // namespace addison
