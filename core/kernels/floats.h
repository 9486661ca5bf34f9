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
        const U high = sum<W>(a & 0xFFFF0000u, b & 0xFFFF0000u), low = sum<W>(a << 16, b << 16);
#if defined(__AVX512BW__)
        if constexpr (W == 64) return rounded_together(high, low);
#endif
        return (Bytes<W>)((rounded<W>(high) & 0xFFFF0000u) | (rounded<W>(low) >> 16));
    }

  private:
    template <int W>
    static INLINE Lanes<uint32_t, W> sum(Lanes<uint32_t, W> a, Lanes<uint32_t, W> b) {
        return (Lanes<uint32_t, W>)nearest_sum<float, W>((Bytes<W>)a, (Bytes<W>)b);
    }

    // To nearest even at bit 16.
    template <int W>
    static INLINE Lanes<uint32_t, W> rounded(Lanes<uint32_t, W> u) { return u + 0x7FFFu + ((u >> 16) & 1u); }

#if defined(__AVX512BW__)
    // Both at once: a sum is rounded up when what is cut off is above one half, or is one half and the rest odd. Three
    // instructions where rounding each takes eight.
    static INLINE Bytes<64> rounded_together(Lanes<uint32_t, 64> high, Lanes<uint32_t, 64> low) {
        const auto kept = (Lanes<uint16_t, 64>)((high & 0xFFFF0000u) | (low >> 16));
        const auto cut = (Lanes<uint16_t, 64>)((high << 16) | (low & 0xFFFFu));
        const auto odd = (__m512i)(cut | (kept & 1));
        const __mmask32 up = _mm512_cmpgt_epu16_mask(odd, _mm512_set1_epi16(-0x8000));
        return (Bytes<64>)_mm512_mask_sub_epi16((__m512i)kept, up, (__m512i)kept, _mm512_set1_epi16(-1));
    }
#endif
};

}  // namespace
