// The sum of two vectors of floats, each lane rounded to nearest. A 512-bit addition says so itself, whatever the
// control register's rounding and traps are; what is left to ask of the register is that it keeps subnormals.
#pragma once

#include "lanes.h"

namespace {

#if defined(__AVX512F__)

constexpr int TO_NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

INLINE __m512 nearest_sum_512(__m512 x, __m512 y) { return _mm512_add_round_ps(x, y, TO_NEAREST); }
INLINE __m512d nearest_sum_512(__m512d x, __m512d y) { return _mm512_add_round_pd(x, y, TO_NEAREST); }

// Whether a sum of subnormals is what it should be: 0.2 ns, where reading the control register takes 4.
INLINE bool keeps_subnormals() {
    __m128i x = _mm_cvtsi32_si128(1), y = _mm_cvtsi32_si128(0x400000);
    __asm__("" : "+x"(x), "+x"(y));           // or the compiler would know the sum
    const __m128 sum = _mm_add_round_ss(_mm_castsi128_ps(x), _mm_castsi128_ps(y), TO_NEAREST);
    return _mm_cvtsi128_si32(_mm_castps_si128(sum)) == 0x400001;
}

#endif

template <class F, int W>
INLINE Bytes<W> nearest_sum(Bytes<W> x, Bytes<W> y) {
#if defined(__AVX512F__)
    if constexpr (W == 64 && sizeof(F) == 4) return (Bytes<W>)nearest_sum_512((__m512)x, (__m512)y);
    if constexpr (W == 64 && sizeof(F) == 8) return (Bytes<W>)nearest_sum_512((__m512d)x, (__m512d)y);
#endif
    return (Bytes<W>)((Lanes<F, W>)x + (Lanes<F, W>)y);
}

}  // namespace
