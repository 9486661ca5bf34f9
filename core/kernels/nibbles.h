// Types smaller than a byte: one a byte as ml_dtypes keeps them, and several a byte as an IR's weights do.
#pragma once

#include "lanes.h"

namespace {

// Integers, one a byte. Any garbage above a code falls out with the carry.
template <int BITS>
struct Masked {
    static constexpr int size = 1;
    template <int W>
    static INLINE Bytes<W> add(Bytes<W> x, Bytes<W> y) {
        return (x + y) & (uint8_t)((1 << BITS) - 1);
    }
};

// Integers, 8 / BITS a byte. Add all but the top bit of each lane apart from its top bit, so that no carry crosses
// lanes, then fold the top bits in. A lane of one bit is all top bit: the sum is an exclusive or.
template <int BITS>
INLINE constexpr uint8_t top_bits() {
    return BITS == 1 ? 0xFF : BITS == 2 ? 0xAA : 0x88;
}

template <int BITS>
struct Packed {
    static constexpr int size = 1;
    template <int W>
    static INLINE Bytes<W> add(Bytes<W> x, Bytes<W> y) {
        constexpr uint8_t TOP = top_bits<BITS>(), LOW = (uint8_t)~TOP;
        return ((x & LOW) + (y & LOW)) ^ ((x ^ y) & TOP);
    }
};

// f4e2m1, codes of four bits in bytes. In halves the values are whole numbers up to 12, so the sum is exact in a byte;
// the second table rounds its magnitude to nearest even and saturates. A zero sum is -0 only when both operands are.
template <int W>
INLINE Bytes<W> f4_sum(Bytes<W> x, Bytes<W> y) {
    static constexpr uint8_t HALVES[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, 255, 254, 253, 252, 250, 248, 244};
    static constexpr uint8_t CODES[16] = {0, 1, 2, 3, 4, 4, 5, 6, 6, 6, 6, 7, 7, 7, 7, 7};
    const Bytes<W> sum = lookup16<W>(HALVES, x) + lookup16<W>(HALVES, y);
    const Bytes<W> negative = (Bytes<W>)((Lanes<int8_t, W>)sum < 0);
    const Bytes<W> magnitude = (sum ^ negative) - negative;
    const Bytes<W> bounded = choose((Bytes<W>)(magnitude > 15), Bytes<W>{} + 15, magnitude);
    return lookup16<W>(CODES, bounded) | ((negative | ((x & y & 8) << 4)) & 0x80) >> 4;
}

struct Float4 {
    static constexpr int size = 1;
    template <int W>
    static INLINE Bytes<W> add(Bytes<W> x, Bytes<W> y) { return f4_sum<W>(x & 15, y & 15); }
};

// A sum of codes in bytes, applied to both nibbles.
template <int W, class Sum>
INLINE Bytes<W> both_nibbles(Bytes<W> x, Bytes<W> y, Sum sum) {
    return sum(x & 15, y & 15) | (sum(x >> 4, y >> 4) << 4);
}

struct PackedFloat4 {
    static constexpr int size = 1;
    template <int W>
    static INLINE Bytes<W> add(Bytes<W> x, Bytes<W> y) {
        return both_nibbles<W>(x, y, [](Bytes<W> a, Bytes<W> b) INLINE_LAMBDA { return f4_sum<W>(a, b); });
    }
};

// nf4's sixteen levels; each is a float32 exactly, and sums and midpoints of them are exact in double.
constexpr double NF4[16] = {
    -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
    -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
    0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0};

// The nearest level of a sum, a tie to the lower code.
constexpr int nf4_nearest(double sum) {
    int k = 0;
    while (k < 15 && sum > (NF4[k] + NF4[k + 1]) / 2) k++;
    return k;
}

// Whole numbers for the levels, whose sums stand on the same side of the bounds between codes as the levels' own sums
// do, all in a byte. They are the smallest there are; that they are right is checked for every pair.
constexpr uint8_t NF4_STEPS[16] = {0, 12, 19, 25, 30, 34, 38, 42, 46, 50, 53, 57, 62, 67, 74, 86};
// NF4_BOUNDS[k]: sums from there on have code k.
constexpr uint8_t NF4_BOUNDS[16] = {0, 47, 59, 65, 70, 75, 79, 83, 87, 89, 94, 98, 102, 108, 114, 121};

constexpr bool nf4_steps_are_right() {
    for (int x = 0; x < 16; x++)
        for (int y = 0; y < 16; y++) {
            const int sum = NF4_STEPS[x] + NF4_STEPS[y], k = nf4_nearest(NF4[x] + NF4[y]);
            if (sum < NF4_BOUNDS[k] || (k < 15 && sum >= NF4_BOUNDS[k + 1])) return false;
        }
    return true;
}
static_assert(nf4_steps_are_right());

// Codes of four bits in bytes. The sum's code is found bit by bit, the next bound by a byte shuffle: a third of the
// work of sixteen shuffles, one for each code of y.
template <int W>
INLINE Bytes<W> nf4_sum(Bytes<W> x, Bytes<W> y) {
    const Bytes<W> sum = lookup16<W>(NF4_STEPS, x) + lookup16<W>(NF4_STEPS, y);
    Bytes<W> code = (Bytes<W>)(sum >= NF4_BOUNDS[8]) & 8;
    code |= (Bytes<W>)(sum >= lookup16<W>(NF4_BOUNDS, code | 4)) & 4;
    code |= (Bytes<W>)(sum >= lookup16<W>(NF4_BOUNDS, code | 2)) & 2;
    return code | ((Bytes<W>)(sum >= lookup16<W>(NF4_BOUNDS, code | 1)) & 1);
}

struct NormalFloat4 {
    static constexpr int size = 1;
    template <int W>
    static INLINE Bytes<W> add(Bytes<W> x, Bytes<W> y) { return nf4_sum<W>(x & 15, y & 15); }
};

struct PackedNf4 {
    static constexpr int size = 1;
    template <int W>
    static INLINE Bytes<W> add(Bytes<W> x, Bytes<W> y) {
        return both_nibbles<W>(x, y, [](Bytes<W> a, Bytes<W> b) INLINE_LAMBDA { return nf4_sum<W>(a, b); });
    }
};

}  // namespace
