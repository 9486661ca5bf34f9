// u3 and u6: groups of three bytes, two with the low bits of each element and one with the high bits, the first element
// highest. The low parts are added in place; their carries are gathered into the layout of the high byte.
#pragma once

#include "../level.h"
#include "nibbles.h"

namespace {

// Adds lanes of BITS bits in a byte; `carry` gets one bit for each lane, at the place of its top bit.
template <int BITS>
INLINE uint32_t lane_sum(uint32_t x, uint32_t y, uint32_t* carry) {
    constexpr uint32_t TOP = top_bits<BITS>(), LOW = (uint8_t)~TOP;
    const uint32_t inner = (x & LOW) + (y & LOW);
    *carry = ((x & y) | ((x | y) & inner)) & TOP;
    return (inner ^ ((x ^ y) & TOP)) & 0xFF;
}

struct Planes3 {
    // Bits 7 5 3 1 moved together to 3 2 1 0.
    static INLINE uint32_t gathered(uint32_t c) {
        c = c >> 1;
        c = (c | c >> 1) & 0x33;
        return (c | c >> 2) & 0x0F;
    }
    static INLINE uint32_t high(uint32_t x, uint32_t y, uint32_t carry0, uint32_t carry1) {
        return x ^ y ^ (gathered(carry0) << 4 | gathered(carry1));
    }
    static constexpr int low_bits = 2;
};

struct Planes6 {
    // Two lanes of two bits get the carries that stand at bits 7 and 3.
    static INLINE uint32_t gathered(uint32_t c) { return (c >> 5 & 4) | (c >> 3 & 1); }
    static INLINE uint32_t high(uint32_t x, uint32_t y, uint32_t carry0, uint32_t carry1) {
        uint32_t dropped;
        const uint32_t sum = lane_sum<2>(x, y, &dropped);
        return lane_sum<2>(sum, gathered(carry0) << 4 | gathered(carry1), &dropped);
    }
    static constexpr int low_bits = 4;
};

// One group an iteration, which the compiler turns into byte vectors with stride-3 loads.
template <class Planes, bool SCALAR>
void planes_row(const char* a_, const char* b_, char* c_, size_t n) {
    const uint8_t* a = (const uint8_t*)a_;
    const uint8_t* b = (const uint8_t*)b_;
    uint8_t* c = (uint8_t*)c_;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
    for (size_t i = 0; i < 3 * n; i += 3) {
        const size_t k = SCALAR ? 0 : i;
        uint32_t carry0, carry1;
        const uint32_t low0 = lane_sum<Planes::low_bits>(a[i], b[k], &carry0);
        const uint32_t low1 = lane_sum<Planes::low_bits>(a[i + 1], b[k + 1], &carry1);
        const uint32_t high = Planes::high(a[i + 2], b[k + 2], carry0, carry1);
        c[i] = (uint8_t)low0;
        c[i + 1] = (uint8_t)low1;
        c[i + 2] = (uint8_t)high;
    }
}

template <class Planes>
void planes_cyclic(const char* a, const char* b, char* c, size_t n, size_t period) {
    const size_t items = period / 3;
    for (size_t i = 0; i < n; i += items)
        planes_row<Planes, false>(a + 3 * i, b, c + 3 * i, n - i < items ? n - i : items);
}

}  // namespace
