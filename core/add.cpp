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
    const Task& task;
    intptr_t units_a_chunk;
    std::atomic<bool> starved[MOST_CHUNKS];   // chunks left out, because a worker had no memory to pack in
    std::atomic<bool> any_starved;

    void run_units(uint32_t chunk, char* memory) const {
        const intptr_t from = chunk * units_a_chunk;
        task.run(task.what, from, std::min(from + units_a_chunk, task.units), memory);
    }
};

void run_chunk(void* data, uint32_t chunk) {
    Job& job = *static_cast<Job*>(data);
    const size_t bytes = job.task.scratch_bytes;
    char* const memory = bytes ? scratch(bytes) : nullptr;
    if (bytes && !memory) {
        job.starved[chunk].store(true);
        job.any_starved.store(true);
        return;
    }
    job.run_units(chunk, memory);
}

// Whether other threads are worth it: at once while they spin, if their cores are not far (100,000 items of i8 take 1.4
// us on two near cores, 2.5 on two far ones and 1.75 on one); when they must be woken, for longer work, or when the
// call before was a moment ago, because then more will follow (100 k element adds one after another: 12.4 us to 7.5).
bool worth_sharing(intptr_t work) {
    static std::atomic<int64_t> last{0};
    if (work < tuning.share_spinning || (work < tuning.share_far && pool_is_far())) return false;
    const int64_t now = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
    const bool recent = now - last.exchange(now, std::memory_order_relaxed) < 200'000;
    return work >= tuning.share_parked || pool_is_awake() || (recent && pool_is_parked());
}

}  // namespace

bool carry_out(const Task& task) {
    const StandardFloats floats;
    char* const memory = task.scratch_bytes ? scratch(task.scratch_bytes) : nullptr;
    if (task.scratch_bytes && !memory) return false;
    if (task.units < 2 || threads() < 2 || !worth_sharing(task.work)) {
        task.run(task.what, 0, task.units, memory);
        return true;
    }
    const intptr_t most = std::clamp<intptr_t>(8 * threads(), 64, MOST_CHUNKS);
    const intptr_t wanted = std::min(task.units, std::clamp<intptr_t>(task.work / tuning.piece, threads(), most));
    Job job{task, (task.units + wanted - 1) / wanted, {}, false};
    const auto chunks = static_cast<uint32_t>((task.units + job.units_a_chunk - 1) / job.units_a_chunk);
    share(run_chunk, &job, chunks);
    for (uint32_t i = 0; job.any_starved.load() && i < chunks; i++)
        if (job.starved[i].load()) job.run_units(i, memory);      // this thread has the memory
    return true;
}

bool carry_out(const Plan& plan) {
    const auto run_plan = [](const void* what, intptr_t from, intptr_t to, char* memory) {
        run(*static_cast<const Plan*>(what), from, to, memory);
    };
    return carry_out(Task{run_plan, &plan, plan.units, scratch_needed(plan), work_of(plan)});
}

}  // namespace addison
