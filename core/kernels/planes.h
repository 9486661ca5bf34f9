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
    // The same from vectors: bits 7 5 3 1 to 7 6 5 4, and to 3 2 1 0.
    template <int W>
    static INLINE Bytes<W> carry(Bytes<W> from0, Bytes<W> from1) {
        const Bytes<W> pairs0 = (from0 | from0 << 1) & 0xCC, pairs1 = (from1 >> 1 | from1 >> 2) & 0x33;
        return ((pairs0 | pairs0 << 2) & 0xF0) | ((pairs1 | pairs1 >> 2) & 0x0F);
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
    // The same from vectors: bits 7 and 3 to 6 and 4, and to 2 and 0.
    template <int W>
    static INLINE Bytes<W> carry(Bytes<W> from0, Bytes<W> from1) {
        return (from0 >> 1 & 0x40) | (from0 << 1 & 0x10) | (from1 >> 5 & 4) | (from1 >> 3 & 1);
    }
    static constexpr int low_bits = 4;
};

// What stands in the bytes of a group, for as many groups as three vectors have.
template <class Planes>
struct PlaneMasks {
    alignas(64) uint8_t top[3 * WIDE], high[3 * WIDE];
    constexpr PlaneMasks() : top(), high() {
        for (int i = 0; i < 3 * WIDE; i++) {
            high[i] = i % 3 == 2 ? 0xFF : 0;
            top[i] = i % 3 == 2 ? top_bits<Planes::low_bits / 2>() : top_bits<Planes::low_bits>();
        }
    }
};
template <class Planes>
constexpr PlaneMasks<Planes> PLANE_MASKS;

// Carries out of lanes of BITS bits, at the place of their top bits.
template <int BITS, int W>
INLINE Bytes<W> carries(Bytes<W> x, Bytes<W> y) {
    constexpr uint8_t TOP = top_bits<BITS>(), LOW = (uint8_t)~TOP;
    return ((x & y) | ((x | y) & ((x & LOW) + (y & LOW)))) & TOP;
}

// Whole blocks of three vectors; returns how many groups they had. Every byte is added in its own lanes; a high byte
// then gets the carries of the two bytes before it. In the scalar row b is a block of the same group.
template <class Planes, bool SCALAR>
INLINE size_t planes_blocks(const char* a, const char* b, char* c, size_t n) {
    constexpr size_t BLOCK = 3 * WIDE;
    size_t done = 0;
    for (; done + BLOCK <= 3 * n; done += BLOCK) {
        Bytes<WIDE> before{};
        for (size_t k = 0; k < BLOCK; k += WIDE) {
            const Bytes<WIDE> x = load<WIDE>(a + done + k), y = load<WIDE>(b + (SCALAR ? k : done + k));
            const Bytes<WIDE> top = load<WIDE>((const char*)PLANE_MASKS<Planes>.top + k);
            const Bytes<WIDE> high = load<WIDE>((const char*)PLANE_MASKS<Planes>.high + k);
            const Bytes<WIDE> sum = ((x & ~top) + (y & ~top)) ^ ((x ^ y) & top);
            const Bytes<WIDE> out = carries<Planes::low_bits, WIDE>(x, y);
            const Bytes<WIDE> carry = Planes::template carry<WIDE>(moved_up<2, WIDE>(out, before),
                                                                   moved_up<1, WIDE>(out, before)) & high;
            store<WIDE>(c + done + k, ((sum & ~top) + carry) ^ (sum & top));
            before = out;
        }
    }
    return done / 3;
}

// Groups that do not fill three vectors, one an iteration.
template <class Planes, bool SCALAR>
INLINE void planes_groups(const uint8_t* a, const uint8_t* b, uint8_t* c, size_t n) {
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

template <class Planes, bool SCALAR>
void planes_row(const char* a, const char* b, char* c, size_t n) {
    size_t done = 0;
    if (n >= WIDE) {
        char block[3 * WIDE];
        if (SCALAR)
            for (size_t i = 0; i < sizeof block; i += 3) __builtin_memcpy(block + i, b, 3);
        done = planes_blocks<Planes, SCALAR>(a, SCALAR ? block : b, c, n);
    }
    a += 3 * done;
    b += SCALAR ? 0 : 3 * done;
    planes_groups<Planes, SCALAR>((const uint8_t*)a, (const uint8_t*)b, (uint8_t*)c + 3 * done, n - done);
}

template <class Planes>
void planes_cyclic(const char* a, const char* b, char* c, size_t n, size_t period) {
    const size_t items = period / 3;
    for (size_t i = 0; i < n; i += items)
        planes_row<Planes, false>(a + 3 * i, b, c + 3 * i, n - i < items ? n - i : items);
}

}  // namespace
