// The sum of two vectors of f16, by what the level has: fp16 arithmetic, conversion instructions, or integers.
//
// Adding in float32 and rounding once more is exact, because 24 >= 2 * 11 + 2.
#pragma once

#include "nearest.h"

namespace {

#if defined(__AVX512FP16__) || defined(__F16C__)
#define HALF_IN_HARDWARE 1
#else
#define HALF_IN_HARDWARE 0
#endif

#if defined(__AVX512FP16__)

template <int W>
INLINE Bytes<W> half_sum(Bytes<W> x, Bytes<W> y) {
    if constexpr (W == 64) return (Bytes<W>)_mm512_add_round_ph((__m512h)x, (__m512h)y, TO_NEAREST);
    return (Bytes<W>)((Lanes<_Float16, W>)x + (Lanes<_Float16, W>)y);
}

#elif defined(__F16C__)

// GCC leaves _Float16 loops scalar with F16C (0.9 elements per ns); these conversions reach 17.
INLINE __m128i half_sum_8(__m128i x, __m128i y) {
    return _mm256_cvtps_ph(_mm256_add_ps(_mm256_cvtph_ps(x), _mm256_cvtph_ps(y)), _MM_FROUND_TO_NEAREST_INT);
}

#if defined(__AVX512F__)
// To nearest, without traps: GCC 12 takes _MM_FROUND_NO_EXC here and leaves it out.
INLINE __m256i narrowed_quietly(__m512 x) {
    __m256i narrow;
    __asm__("vcvtps2ph $0, %{sae%}, %1, %0" : "=v"(narrow) : "v"(x));
    return narrow;
}
#endif

INLINE __m256i half_sum_16(__m256i x, __m256i y) {
#if defined(__AVX512F__)
    const auto widened = [](__m256i v) INLINE_LAMBDA { return _mm512_cvt_roundph_ps(v, _MM_FROUND_NO_EXC); };
    return narrowed_quietly(nearest_sum_512(widened(x), widened(y)));
#else
    return _mm256_set_m128i(half_sum_8(_mm256_extracti128_si256(x, 1), _mm256_extracti128_si256(y, 1)),
                            half_sum_8(_mm256_castsi256_si128(x), _mm256_castsi256_si128(y)));
#endif
}

template <int W>
INLINE Bytes<W> half_sum(Bytes<W> x, Bytes<W> y) {
    if constexpr (W == 16) return (Bytes<W>)half_sum_8((__m128i)x, (__m128i)y);
    if constexpr (W == 32) return (Bytes<W>)half_sum_16((__m256i)x, (__m256i)y);
#if defined(__AVX512F__)
    if constexpr (W == 64) {
        const __m512i a = (__m512i)x, b = (__m512i)y;
        const __m256i low = half_sum_16(_mm512_castsi512_si256(a), _mm512_castsi512_si256(b));
        const __m256i high = half_sum_16(_mm512_extracti64x4_epi64(a, 1), _mm512_extracti64x4_epi64(b, 1));
        return (Bytes<W>)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    }
#endif
}

#else

// An f16 in the low half of each 32-bit lane as a float32. A subnormal goes through an integer, because multiplying by
// 2^112 would make float32 subnormals on the way, each worth some 150 cycles on many CPUs.
template <int W>
INLINE Lanes<float, W> widened(Lanes<uint32_t, W> x) {
    using U = Lanes<uint32_t, W>;
    const U sign = (x & 0x8000u) << 16, magnitude = x & 0x7FFFu;
    const U normal = (magnitude << 13) + (112u << 23);
    const U special = normal + (112u << 23);
    const auto whole = __builtin_convertvector((Lanes<int32_t, W>)magnitude, Lanes<float, W>);
    const U subnormal = (U)(whole * 0x1p-24f);
    const U finite = choose((U)(magnitude < 0x400u), subnormal, normal);
    return (Lanes<float, W>)(choose((U)(magnitude >= 0x7C00u), special, finite) | sign);
}

// A float32 as an f16 in the low half of its lane, rounded to nearest even.
template <int W>
INLINE Lanes<uint32_t, W> narrowed(Lanes<float, W> f) {
    using U = Lanes<uint32_t, W>;
    const U u = (U)f, sign = (u >> 16) & 0x8000u, magnitude = u & 0x7FFFFFFFu;
    const U normal = (magnitude - (112u << 23) + 0xFFFu + ((magnitude >> 13) & 1u)) >> 13;
    const U subnormal = (U)((Lanes<float, W>)magnitude + 0.5f) - 0x3F000000u;   // 0.5's last place is 2^-24
    const U finite = choose((U)(magnitude < 0x38800000u), subnormal, normal);
    const U large = choose((U)(magnitude > 0x7F800000u), U{} + 0x7E00u, U{} + 0x7C00u);
    return choose((U)(magnitude >= 0x477FF000u), large, finite) | sign;         // 65520 and above
}

template <int W>
INLINE Bytes<W> half_sum(Bytes<W> x, Bytes<W> y) {
    using U = Lanes<uint32_t, W>;
    const U a = (U)x, b = (U)y;
    const U low = narrowed<W>(widened<W>(a & 0xFFFFu) + widened<W>(b & 0xFFFFu));
    const U high = narrowed<W>(widened<W>(a >> 16) + widened<W>(b >> 16));
    return (Bytes<W>)(low | (high << 16));
}

#endif

struct Half {
    static constexpr int size = 2;
    template <int W>
    static INLINE Bytes<W> add(Bytes<W> x, Bytes<W> y) { return half_sum<W>(x, y); }
};

}  // namespace
