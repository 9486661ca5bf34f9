// The 8-bit floats. f8e4m3 and f8e5m2 are added as f16 where the level adds f16 in hardware (11 >= 2 * 4 + 2, so
// rounding twice is exact), and by a table of all pairs (pairs.h) where it does not.
#pragma once

#include "half.h"

namespace {

// f8e5m2 is the upper byte of an f16. The same NaN argument as for bf16: the low byte of the operands is 0.
struct Float8E5M2 {
    static constexpr int size = 1;
    template <int W>
    static INLINE Bytes<W> add(Bytes<W> x, Bytes<W> y) {
        using U = Lanes<uint16_t, W>;
        const U a = (U)x, b = (U)y;
        const U odd = rounded<W>(half_sum<W>((Bytes<W>)(a & 0xFF00), (Bytes<W>)(b & 0xFF00)));
        const U even = rounded<W>(half_sum<W>((Bytes<W>)(a << 8), (Bytes<W>)(b << 8)));
        return (Bytes<W>)((odd & 0xFF00) | (even >> 8));
    }

  private:
    template <int W>
    static INLINE Lanes<uint16_t, W> rounded(Bytes<W> f) {
        const auto u = (Lanes<uint16_t, W>)f;
        return u + 0x7F + ((u >> 8) & 1);
    }
};

// f8e4m3 with its magnitude moved up by 7 bits is an f16 of 2^-8 its value, subnormals included. A sum past 448 rounds
// to 0x3F80 or more, which is NaN's place; NaN operands are put in at the end, for 8-bit lanes at once.
struct Float8E4M3 {
    static constexpr int size = 1;
    template <int W>
    static INLINE Bytes<W> add(Bytes<W> x, Bytes<W> y) {
        using U = Lanes<uint16_t, W>;
        const U a = (U)x, b = (U)y;
        const U odd = rounded<W>(half_sum<W>(scaled<W>(a), scaled<W>(b)));
        const U even = rounded<W>(half_sum<W>(scaled<W>(a << 8), scaled<W>(b << 8)));
        const Bytes<W> sum = (Bytes<W>)(odd | (even >> 8));
        const Bytes<W> nan = (Bytes<W>)((x & 0x7F) == 0x7F) | (Bytes<W>)((y & 0x7F) == 0x7F);
        return sum | (nan & 0x7F);
    }

  private:
    // The upper byte of each lane as an f16.
    template <int W>
    static INLINE Bytes<W> scaled(Lanes<uint16_t, W> v) {
        return (Bytes<W>)((v & 0x8000) | ((v >> 1) & 0x3F80));
    }
    // Back, in the upper byte.
    template <int W>
    static INLINE Lanes<uint16_t, W> rounded(Bytes<W> f) {
        using U = Lanes<uint16_t, W>;
        const U u = (U)f, sign = u & 0x8000;
        const U near = ((u & 0x7FFF) + 0x3F + ((u >> 7) & 1)) & 0x7F80;
        const U magnitude = choose((U)(near > 0x3F80), U{} + 0x3F80, near);
        return sign | (magnitude << 1);
    }
};

// Powers of two. The larger wins unless the smaller is within one step: equal ones make the next power; one and a half
// is a tie, which goes to the even code. 0xFE is the largest, 0xFF is NaN.
struct Float8E8M0 {
    static constexpr int size = 1;
    template <int W>
    static INLINE Bytes<W> add(Bytes<W> x, Bytes<W> y) {
        const Bytes<W> above = (Bytes<W>)(x > y);
        const Bytes<W> larger = choose(above, x, y), smaller = choose(above, y, x);
        const Bytes<W> apart = larger - smaller;
        const Bytes<W> tie = (Bytes<W>)(apart == 1) & larger & 1;
        const Bytes<W> rises = ((Bytes<W>)(apart == 0) & 1) | tie;
        const Bytes<W> top = (Bytes<W>)(larger >= 0xFE);
        return choose(top, larger, larger + rises);
    }
};

}  // namespace
