// Every level that this machine runs, every type: sums of rows against sums made one by one in another way. Needs no
// Python, so that it runs under an emulator, too.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "../cpu.h"
#include "../level.h"
#include "elements.h"

using namespace addison;

namespace {

uint64_t item(const std::vector<char>& row, size_t i, int size) {
    uint64_t code = 0;
    std::memcpy(&code, &row[i * size], size);
    return code;
}

bool is_sum(const Type& type, uint64_t found, uint64_t a, uint64_t b) {
    for (int lane = 0; lane < type.lanes; lane++)
        if (!type.is_sum(type.element(found, lane), type.element(a, lane), type.element(b, lane))) return false;
    return true;
}

int check(const Level& level, const Type& type, std::mt19937_64& random) {
    const int size = facts(type.kind).size;
    const Rows& rows = level.rows[static_cast<int>(type.kind)];
    const auto bytes = [&](size_t n) {
        std::vector<char> made(n * size);
        for (char& one : made) one = static_cast<char>(random());
        return made;
    };
    for (size_t n = 0; n < 700; n += 1 + n / 70) {
        const std::vector<char> a = bytes(n + 8), b = bytes(n + 8);
        for (int way = 0; way < 2 * STORES + 3; way++) {
            std::vector<char> c(n * size + 64, 'x');
            const size_t shift = n % 5 * size;     // misaligned by whole items
            const bool scalar = way >= STORES && way < 2 * STORES;
            if (way >= 2 * STORES && way < 2 * STORES + 2) {               // in place
                std::memcpy(&c[shift], a.data(), n * size);
                (way == 2 * STORES ? rows.vector[PLAIN] : rows.alone)(&c[shift], b.data(), &c[shift], n);
            } else if (way == 2 * STORES + 2) {
                rows.alone(a.data(), b.data(), &c[shift], n);
            } else {
                (scalar ? rows.scalar[way - STORES] : rows.vector[way])(a.data(), b.data(), &c[shift], n);
            }
            for (size_t i = 0; i < n; i++) {
                const uint64_t x = item(a, i, size), y = item(b, scalar ? 0 : i, size);
                const uint64_t found = item(c, i + n % 5, size);
                if (is_sum(type, found, x, y)) continue;
                std::printf("%s %s way %d: %llx + %llx gave %llx, element %zu of %zu\n", level.name, type.name, way,
                            static_cast<unsigned long long>(x), static_cast<unsigned long long>(y),
                            static_cast<unsigned long long>(found), i, n);
                return 1;
            }
            const auto untouched = [](char one) { return one == 'x'; };
            if (!std::all_of(c.begin(), c.begin() + shift, untouched)
                || !std::all_of(c.begin() + shift + n * size, c.end(), untouched)) {
                std::printf("%s %s way %d wrote outside its %zu elements\n", level.name, type.name, way, n);
                return 1;
            }
        }
    }
    return 0;
}

}  // namespace

int main() {
    std::mt19937_64 random(1);
    int wrong = every_type().size() != KINDS;
    for (const Choice* one = levels(); one->level; one++) {
        if (!one->runs_here) continue;
        for (const Type& type : every_type()) wrong += check(*one->level, type, random);
        std::printf("%s checked\n", one->level->name);
    }
    return wrong ? 1 : 0;
}
