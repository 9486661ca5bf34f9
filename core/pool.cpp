#include "pool.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "control.h"
#include "cpu.h"

namespace addison {

namespace {

constexpr int MAX_THREADS = 64;
// One job in so many is timed, from its posting to where a spinning worker has seen it: 60 to 100 ns on cores that
// share an L3, several times that on others, between which a virtual machine may be moved at any time.
constexpr uint32_t TIMED = 8;
constexpr int FAR = 180, LONGEST = 2000;    // ns
// Of so many jobs that are too small for workers that are far, these are shared: the first may have to wake one, and
// what others wrote of the operands is then theirs, so that single jobs would cost more than they tell.
constexpr uint32_t ASKED = 2048, AGAIN = 64;

// A worker spins this long after a job before it parks. Waking it takes 25 to 60 us, so that a train of calls in the
// order of 10 us each would never be shared otherwise; much longer would burn a core that others could use.
constexpr auto SPIN = std::chrono::microseconds(100);

int64_t nanoseconds() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

inline void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Chunks [front, back) that nobody has taken, and the job they belong to, in one word: whoever takes a chunk of an old
// job fails.
struct alignas(64) Range {
    std::atomic<uint64_t> word{0};

    static constexpr int BITS = 20;
    static constexpr uint64_t MASK = (1u << BITS) - 1;
    static uint64_t make(uint64_t job, uint64_t front, uint64_t back) {
        return job << (2 * BITS) | front << BITS | back;
    }
    static bool same_job(uint64_t word, uint64_t job) { return word >> (2 * BITS) == (job & 0xFFFFFF); }

    // A chunk of this job, or -1.
    int64_t take(uint64_t job, bool from_front) {
        uint64_t seen = word.load(std::memory_order_acquire);
        for (;;) {
            const uint64_t front = seen >> BITS & MASK, back = seen & MASK;
            if (!same_job(seen, job) || front >= back) return -1;
            const uint64_t left = make(job & 0xFFFFFF, front + from_front, back - !from_front);
            if (word.compare_exchange_weak(seen, left, std::memory_order_acq_rel, std::memory_order_acquire))
                return static_cast<int64_t>(from_front ? front : back - 1);
        }
    }
};

struct Pool {
    const int size;                                   // threads, the caller's included
    alignas(64) std::atomic<uint32_t> job{0};         // number of the current job; workers wait for it to change
    std::atomic<bool> stop{false};
    alignas(64) std::atomic<uint32_t> done{0};        // chunks of it that are finished
    alignas(64) std::atomic<int> parked{0};
    std::atomic<int64_t> waking_until{0};             // ns; till then a worker that was woken may yet come
    std::atomic<uint32_t> alone{0};                   // jobs in a row of which no worker took a chunk
    std::atomic<int64_t> posted{0};                   // when the job was, in ns; 0: it is not timed
    std::atomic<int> told_after{0};                   // ns, about: what a worker takes to see a job
    std::atomic<uint32_t> left_alone{0};              // jobs that were not shared for it
    int away_from = -1;                               // the CPU that the one worker is kept off
    Work work = nullptr;
    void* data = nullptr;
    Range ranges[MAX_THREADS];
    std::mutex busy;                                  // held while a job runs
    pthread_t handles[MAX_THREADS];
    int started = 0;

    explicit Pool(int threads) : size(threads) {
        for (int i = 1; i < size; i++) {
            try {
                std::thread thread(&Pool::serve, this, i);
                handles[i] = thread.native_handle();
                thread.detach();
                started++;
            } catch (const std::system_error&) {      // no more threads: the others take its chunks
                break;
            }
        }
    }

    // Takes chunks until there are none: first its own range from the front, then the others' from the back.
    uint32_t take_all(int me, uint64_t number) {
        uint32_t finished = 0;
        for (int i = 0; i < size; i++) {
            Range& range = ranges[(me + i) % size];
            for (int64_t chunk; (chunk = range.take(number, i == 0)) >= 0; finished++) {
                work(data, static_cast<uint32_t>(chunk));
                if (me) done.fetch_add(1, std::memory_order_acq_rel);
            }
        }
        return finished;
    }

    void serve(int me) {
        const StandardFloats floats;
        uint32_t seen = 0;
        for (;;) {
            const bool spun = wait(seen);
            seen = job.load(std::memory_order_acquire);
            if (stop.load(std::memory_order_acquire)) return;
            if (spun) time_telling();
            take_all(me, seen);
        }
    }

    void time_telling() {
        const int64_t at = posted.load(std::memory_order_relaxed);
        if (!at) return;
        const int64_t took = nanoseconds() - at;
        const int before = told_after.load(std::memory_order_relaxed);
        const auto sample = static_cast<int>(std::clamp<int64_t>(took, 0, LONGEST));
        told_after.store(before + (sample - before) / 4, std::memory_order_relaxed);
    }

    // Until there is another job: spinning at first, then parked. Whether it came while this spun.
    bool wait(uint32_t seen) {
        const auto until = std::chrono::steady_clock::now() + SPIN;
        for (int i = 1; job.load(std::memory_order_acquire) == seen; i++) {
            if (i % 64) { relax(); continue; }
            if (std::chrono::steady_clock::now() < until) continue;
            parked.fetch_add(1, std::memory_order_seq_cst);
            job.wait(seen, std::memory_order_seq_cst);
            parked.fetch_sub(1, std::memory_order_seq_cst);
            waking_until.store(0, std::memory_order_relaxed);
            return false;
        }
        return true;
    }

    // The kernel may wake a worker on the caller's own core, where it waits for the caller to finish: 94 us instead of
    // 50 for 1 M elements, call after call while the other core has anything else to do. With one worker, its
    // place is known: any CPU of the caller's mask but the caller's.
    void keep_apart() {
        const int here = sched_getcpu();
        if (started != 1 || here < 0 || here == away_from) return;
        cpu_set_t others;
        if (sched_getaffinity(0, sizeof others, &others) != 0) return;
        CPU_CLR(here, &others);
        if (CPU_COUNT(&others) == 0) return;
        pthread_setaffinity_np(handles[1], sizeof others, &others);
        away_from = here;
    }

    // While the kernel has not yet let a woken worker run, waking it again costs half a microsecond and brings nothing.
    // Not for longer than a millisecond, so that no wake-up that came to nothing is waited for.
    bool being_woken() const {
        const int64_t until = waking_until.load(std::memory_order_relaxed);
        return until && nanoseconds() < until;
    }

    void run(Work what, void* on, uint32_t chunks) {
        const uint32_t number = job.load(std::memory_order_relaxed) + 1;
        // Late workers of the job before look at ranges that are empty, until the new one is complete.
        for (int i = 0; i < size; i++)
            ranges[i].word.store(Range::make((number - 1) & 0xFFFFFF, 0, 0), std::memory_order_seq_cst);
        work = what;
        data = on;
        done.store(0, std::memory_order_relaxed);
        for (int i = 0; i < size; i++) {
            const uint64_t front = uint64_t{chunks} * i / size, back = uint64_t{chunks} * (i + 1) / size;
            ranges[i].word.store(Range::make(number & 0xFFFFFF, front, back), std::memory_order_release);
        }
        const bool wakes = parked.load(std::memory_order_seq_cst) && !being_woken();
        if (wakes) keep_apart();
        posted.store(number % TIMED == 0 || are_far() ? nanoseconds() : 0, std::memory_order_relaxed);
        job.store(number, std::memory_order_seq_cst);
        if (wakes) {
            waking_until.store(nanoseconds() + 1'000'000, std::memory_order_relaxed);
            job.notify_all();
        }
        const uint32_t mine = take_all(0, number);
        while (done.load(std::memory_order_acquire) != chunks - mine) relax();
        alone.store(mine == chunks ? alone.load(std::memory_order_relaxed) + 1 : 0, std::memory_order_relaxed);
    }

    // A worker that spins but has taken nothing of the last jobs is not running: something else has its CPU. One job in
    // sixteen looks again.
    bool helps() const {
        const uint32_t jobs = alone.load(std::memory_order_relaxed);
        return parked.load(std::memory_order_relaxed) < started && (jobs < 3 || jobs % 16 == 0);
    }

    bool are_far() const { return told_after.load(std::memory_order_relaxed) > FAR; }

    void retire() {
        stop.store(true, std::memory_order_release);
        job.fetch_add(1, std::memory_order_seq_cst);
        job.notify_all();
        // Not deleted: its threads may still read it. A pool is a few kilobytes, and made when the user changes the
        // number.
    }
};

std::mutex changing;                 // the pool there is, and how many threads are wanted
std::atomic<Pool*> pool{nullptr};
std::atomic<int> wanted{0};          // 0: not asked yet

// In a forked child only the calling thread lives, so its pool is made anew; locks that other threads held are too.
void drop_in_child() {
    new (&changing) std::mutex;
    pool.store(nullptr, std::memory_order_release);
}

Pool* get_pool() {
    Pool* found = pool.load(std::memory_order_acquire);
    if (found) return found;
    const std::lock_guard lock(changing);
    found = pool.load(std::memory_order_acquire);
    if (found || wanted.load() < 2) return found;
    static const int registered = pthread_atfork(nullptr, nullptr, drop_in_child);
    (void)registered;
    found = new (std::nothrow) Pool(wanted.load());
    pool.store(found, std::memory_order_release);
    return found;
}

}  // namespace

void share(Work work, void* job, uint32_t chunks) {
    const bool shared = wanted.load(std::memory_order_relaxed) > 1 && chunks > 1 && chunks <= Range::MASK;
    Pool* const found = shared ? get_pool() : nullptr;
    // Another Python thread has the pool: this one works alone, as fast as a second thread would let it.
    std::unique_lock lock = found ? std::unique_lock(found->busy, std::try_to_lock) : std::unique_lock<std::mutex>();
    if (lock.owns_lock()) {
        found->run(work, job, chunks);
        return;
    }
    for (uint32_t i = 0; i < chunks; i++) work(job, i);
}

bool pool_is_awake() {
    Pool* const found = pool.load(std::memory_order_acquire);
    if (!found || found->helps()) return found != nullptr;
    found->alone.fetch_add(1, std::memory_order_relaxed);
    return false;
}

bool pool_is_far() {
    Pool* const found = pool.load(std::memory_order_acquire);
    return found && found->are_far() && found->left_alone.fetch_add(1, std::memory_order_relaxed) % ASKED >= AGAIN;
}

bool pool_is_parked() {
    const Pool* const found = pool.load(std::memory_order_acquire);
    return !found || (found->parked.load(std::memory_order_relaxed) >= found->started && !found->being_woken());
}

int threads() { return wanted.load(); }

int set_threads(int threads) {
    const std::lock_guard lock(changing);
    const int now = std::clamp(threads > 0 ? threads : cpus_available(), 1, MAX_THREADS);
    if (now != wanted.load()) {
        if (Pool* old = pool.exchange(nullptr)) {
            const std::lock_guard running(old->busy);
            old->retire();
        }
        wanted.store(now);
    }
    return now;
}

}  // namespace addison
