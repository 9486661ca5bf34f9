// f32, f64, bf16 and the whole-byte integers: what every level adds with the operators of the vector extension.
#pragma once

#include "nearest.h"

namespace {

// Integers wrap, so signed and unsigned ones are added alike.
template <class T>
struct Whole {
    static constexpr int size = sizeof(T);
    template <int W>
    static INLINE Bytes<W> add(Bytes<W> x, Bytes<W> y) {
        return (Bytes<W>)((Lanes<T, W>)x + (Lanes<T, W>)y);
    }
};

template <class T>
struct Native {
    static constexpr int size = sizeof(T);
    template <int W>
    static INLINE Bytes<W> add(Bytes<W> x, Bytes<W> y) { return nearest_sum<T, W>(x, y); }
};

// Two bf16 in a 32-bit lane: the upper one is a float32 once the lower is masked away, the lower one once it is shifted
// up. Nothing is packed or unpacked, which is twice as fast as one element a lane. The float32 sum rounds to bf16
// once more without harm, because 24 >= 2 * 8 + 2. NaN needs no test: the operands end in 16 zero bits, so a NaN sum
// does as well, and the addition that rounds cannot carry out of them. The CPU's own vcvtneps2bf16 is wrong here, as it
// flushes subnormals.
struct BFloat16 {
    static constexpr int size = 2;
    template <int W>
    static INLINE Bytes<W> add(Bytes<W> x, Bytes<W> y) {
        using U = Lanes<uint32_t, W>;
        const U a = (U)x, b = (U)y;
        const U high = rounded<W>(a & 0xFFFF0000u, b & 0xFFFF0000u);
        const U low = rounded<W>(a << 16, b << 16);
        return (Bytes<W>)((high & 0xFFFF0000u) | (low >> 16));
    }

  private:
    // The float32 sum, rounded to nearest even at bit 16.
    template <int W>
    static INLINE Lanes<uint32_t, W> rounded(Lanes<uint32_t, W> a, Lanes<uint32_t, W> b) {
        const auto u = (Lanes<uint32_t, W>)nearest_sum<float, W>((Bytes<W>)a, (Bytes<W>)b);
        return u + 0x7FFFu + ((u >> 16) & 1u);
    }
};

}  // namespace
