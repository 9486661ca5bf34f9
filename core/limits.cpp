// What the process may use: processors and memory, as the affinity mask and the control group say. A container's limit
// is the one that counts; the machine's own numbers are the host's.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "cpu.h"

namespace addison {

namespace {

// This process's group directories of cgroup v2, innermost first: a limit may stand at any of them.
template <class Visit>
void each_group(Visit visit) {
    std::ifstream file("/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("0::", 0) != 0) continue;
        for (std::string path = line.substr(3);; path.resize(path.rfind('/'))) {
            visit("/sys/fs/cgroup" + path);
            if (path.find('/') == std::string::npos || path == "/" || path.empty()) break;
        }
        visit("/sys/fs/cgroup");
        return;
    }
}

double number_in(const std::string& path) {
    std::ifstream file(path);
    double value;
    return file >> value ? value : -1;
}

double quota() {
    double smallest = 1e9;
    each_group([&](const std::string& group) {
        std::ifstream file(group + "/cpu.max");
        double allowed, period;
        if (file >> allowed >> period && period > 0) smallest = std::min(smallest, allowed / period);   // or "max"
    });
    const double allowed = number_in("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");      // version 1
    const double period = number_in("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    if (allowed > 0 && period > 0) smallest = std::min(smallest, allowed / period);
    return smallest;
}

}  // namespace

int cpus_available() {
    cpu_set_t mask;
    int cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    if (sched_getaffinity(0, sizeof mask, &mask) == 0) cpus = CPU_COUNT(&mask);
    const double allowed = quota();
    if (allowed < cpus) cpus = static_cast<int>(allowed + 0.999);
    return std::max(cpus, 1);
}

size_t memory_available() {
    double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    auto cut = [&](const std::string& path) {
        const double limit = number_in(path);                                     // "max": no number
        if (limit > 0) bytes = std::min(bytes, limit);
    };
    each_group([&](const std::string& group) { cut(group + "/memory.max"); });
    cut("/sys/fs/cgroup/memory/memory.limit_in_bytes");                           // version 1
    return static_cast<size_t>(bytes);
}

}  // namespace addison
