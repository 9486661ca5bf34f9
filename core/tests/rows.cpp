// Every level that this machine runs, every type: sums of rows against sums made one by one in another way. Needs no
// Python, so that it runs under an emulator, too.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "../cpu.h"
#include "../level.h"
#include "../plan.h"
#include "elements.h"

using namespace addison;

namespace {

// One way to call a kernel: `times` elements of the result see one item of b; 0 when all of them do.
struct Way {
    std::string name;
    size_t times;
    bool in_place;
    std::function<void(const char* a, const char* b, char* c, size_t n)> call;
};

std::vector<Way> ways(const Level& level, Kind kind) {
    const Rows& rows = level.rows[static_cast<int>(kind)];
    const size_t size = facts(kind).size;
    std::vector<Way> all = {{"in place", 1, true, rows.vector[PLAIN]}, {"alone", 1, false, rows.alone},
                            {"alone, in place", 1, true, rows.alone}};
    for (int store = 0; store < STORES; store++) {
        const std::string number = std::to_string(store);
        all.push_back({"vector " + number, 1, false, rows.vector[store]});
        all.push_back({"scalar " + number, 0, false, rows.scalar[store]});
        if (!rows.spread[store]) continue;
        for (const size_t times : {2, 3, 4, 5, 6, 7, 8, 15, 16, 31, 32, 33, 64, 127, 128}) {
            if (!can_spread(level, size, times)) continue;
            const auto call = [=](const char* a, const char* b, char* c, size_t n) {
                rows.spread[store](a, b, c, n, times);
            };
            all.push_back({"spread " + number + " by " + std::to_string(times), times, store == PLAIN, call});
        }
    }
    return all;
}

bool check(const Level& level, const Type& type, const Way& way, size_t n, std::mt19937_64& random) {
    const size_t size = facts(type.kind).size;
    const auto bytes = [&](size_t items) {             // not one more than are there, which a sanitizer sees
        std::vector<char> made(items * size);
        for (char& one : made) one = static_cast<char>(random());
        return made;
    };
    const std::vector<char> a = bytes(n), b = bytes(way.times ? (n + way.times - 1) / way.times : 1);
    std::vector<char> c(n * size + 64, 'x');
    const size_t shift = n % 5 * size;                 // misaligned by whole items
    if (way.in_place && n) std::memcpy(&c[shift], a.data(), n * size);
    way.call(way.in_place ? &c[shift] : a.data(), b.data(), &c[shift], n);
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = item(a, i, size), y = item(b, way.times ? i / way.times : 0, size);
        const uint64_t found = item(c, i + n % 5, size);
        if (type.is_sum_of_items(found, x, y)) continue;
        std::printf("%s %s, %s: %llx + %llx gave %llx, element %zu of %zu\n", level.name, type.name, way.name.c_str(),
                    static_cast<unsigned long long>(x), static_cast<unsigned long long>(y),
                    static_cast<unsigned long long>(found), i, n);
        return false;
    }
    const auto untouched = [](char one) { return one == 'x'; };
    if (std::all_of(c.begin(), c.begin() + shift, untouched)
        && std::all_of(c.begin() + shift + n * size, c.end(), untouched)) return true;
    std::printf("%s %s, %s wrote outside its %zu elements\n", level.name, type.name, way.name.c_str(), n);
    return false;
}

int wrong_ways(const Level& level, const Type& type, std::mt19937_64& random) {
    int wrong = 0;
    for (const Way& way : ways(level, type.kind)) {
        bool right = true;
        for (size_t n = 0; n < 700 && right; n += 1 + n / 70) right = check(level, type, way, n, random);
        wrong += !right;
    }
    return wrong;
}

}  // namespace

int main() {
    std::mt19937_64 random(1);
    int wrong = every_type().size() != KINDS;
    for (const Choice* one = levels(); one->level; one++) {
        if (!one->runs_here) continue;
        for (const Type& type : every_type()) wrong += wrong_ways(*one->level, type, random);
        std::printf("%s checked\n", one->level->name);
    }
    return wrong ? 1 : 0;
}
