#include "add.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "control.h"
#include "pool.h"
#include "scratch.h"
#include "tuning.h"

namespace addison {

namespace {

constexpr uint32_t MOST_CHUNKS = 512;

struct Job {
    const Plan& plan;
    intptr_t units_a_chunk;
    size_t scratch_bytes;
    std::atomic<bool> starved[MOST_CHUNKS];   // chunks left out, because a worker had no memory to pack in
    std::atomic<bool> any_starved;

    void run_units(uint32_t chunk, char* memory) const {
        const intptr_t from = chunk * units_a_chunk;
        run(plan, from, std::min(from + units_a_chunk, plan.units), memory);
    }
};

void run_chunk(void* data, uint32_t chunk) {
    Job& job = *static_cast<Job*>(data);
    char* const memory = job.scratch_bytes ? scratch(job.scratch_bytes) : nullptr;
    if (job.scratch_bytes && !memory) {
        job.starved[chunk].store(true);
        job.any_starved.store(true);
        return;
    }
    job.run_units(chunk, memory);
}

// Whether other threads are worth it: at once while they spin; when they must be woken, for longer work, or when the
// call before was a moment ago, because then more will follow (100 k element adds one after another: 12.4 us to 7.5).
bool worth_sharing(intptr_t work) {
    static std::atomic<int64_t> last{0};
    if (work < tuning.share_spinning) return false;
    const int64_t now = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
    const bool recent = now - last.exchange(now, std::memory_order_relaxed) < 200'000;
    return work >= tuning.share_parked || pool_is_awake() || (recent && pool_is_parked());
}

}  // namespace

bool carry_out(const Plan& plan) {
    const StandardFloats floats;
    const size_t bytes = scratch_needed(plan);
    char* const memory = bytes ? scratch(bytes) : nullptr;
    if (bytes && !memory) return false;
    const intptr_t work = work_of(plan);
    if (plan.units < 2 || threads() < 2 || !worth_sharing(work)) {
        run(plan, 0, plan.units, memory);
        return true;
    }
    const intptr_t most = std::clamp<intptr_t>(8 * threads(), 64, MOST_CHUNKS);
    const intptr_t wanted = std::min(plan.units, std::clamp<intptr_t>(work / tuning.piece, threads(), most));
    Job job{plan, (plan.units + wanted - 1) / wanted, bytes, {}, false};
    const auto chunks = static_cast<uint32_t>((plan.units + job.units_a_chunk - 1) / job.units_a_chunk);
    share(run_chunk, &job, chunks);
    for (uint32_t i = 0; job.any_starved.load() && i < chunks; i++)
        if (job.starved[i].load()) job.run_units(i, memory);      // this thread has the memory
    return true;
}

}  // namespace addison
