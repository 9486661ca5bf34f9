// A row that is a whole addition. What is around it counts when it is short: the control register, and the ends.
#pragma once

#include "../control.h"
#include "nearest.h"
#include "row.h"

namespace {

template <addison::Row ROW>
void guarded(const char* a, const char* b, char* c, size_t n) {
    const addison::StandardFloats floats;
    ROW(a, b, c, n);
}

#if defined(__AVX512BW__)

constexpr size_t BRIEF = 8 * WIDE;      // from there on the row's aligned stores win

// Fewer bytes than a vector, from n on as one: two halves that overlap, or a mask of 16 bytes. A mask of 64 is one
// instruction, too, but takes 300 ns more when what it leaves out lies on a page that cannot be touched; 16 bytes that
// begin at a multiple of 16, as NumPy's arrays do, never reach another page.
template <class Op>
INLINE void alone_below_64(const char* a, const char* b, char* c, size_t n) {
    if (n > 32) {
        const auto halves = [&](const char* p) INLINE_LAMBDA {
            return (Bytes<64>)_mm512_inserti64x4(_mm512_castsi256_si512((__m256i)load<32>(p)),
                                                 (__m256i)load<32>(p + n - 32), 1);
        };
        const __m512i sum = (__m512i)Op::template add<64>(halves(a), halves(b));
        store<32>(c, (Bytes<32>)_mm512_castsi512_si256(sum));
        store<32>(c + n - 32, (Bytes<32>)_mm512_extracti64x4_epi64(sum, 1));
    } else if (n > 16) {
        const auto halves = [&](const char* p) INLINE_LAMBDA {
            return (Bytes<64>)_mm512_castsi256_si512(_mm256_set_m128i((__m128i)load<16>(p + n - 16),
                                                                      (__m128i)load<16>(p)));
        };
        const __m256i sum = _mm512_castsi512_si256((__m512i)Op::template add<64>(halves(a), halves(b)));
        store<16>(c, (Bytes<16>)_mm256_castsi256_si128(sum));
        store<16>(c + n - 16, (Bytes<16>)_mm256_extracti128_si256(sum, 1));
    } else {
        const auto mask = (__mmask16)_bzhi_u32(0xFFFF, (unsigned)n);
        const auto part = [&](const char* p) INLINE_LAMBDA {
            return (Bytes<64>)_mm512_castsi128_si512(_mm_maskz_loadu_epi8(mask, p));
        };
        const __m512i sum = (__m512i)Op::template add<64>(part(a), part(b));
        _mm_mask_storeu_epi8(c, mask, _mm512_castsi512_si128(sum));
    }
}

// Every addition here is of 64 bytes, and so to nearest whatever the control register says of rounding and traps. (The
// row's are too, from 64 bytes on.)
template <class Op, bool ROUNDS>
void alone(const char* a, const char* b, char* c, size_t n) {
    const size_t bytes = n * Op::size;
    if (ROUNDS && !keeps_subnormals()) {
        guarded<row<Op, false, PLAIN>>(a, b, c, n);
        return;
    }
    if (bytes > BRIEF) {
        row<Op, false, PLAIN>(a, b, c, n);
        return;
    }
    size_t i = 0;
    for (; i + WIDE <= bytes; i += WIDE)
        store<WIDE>(c + i, Op::template add<WIDE>(load<WIDE>(a + i), load<WIDE>(b + i)));
    if (i < bytes) alone_below_64<Op>(a + i, b + i, c + i, bytes - i);
}

#else

template <class Op, bool ROUNDS>
void alone(const char* a, const char* b, char* c, size_t n) {
    if (ROUNDS) guarded<row<Op, false, PLAIN>>(a, b, c, n);
    else row<Op, false, PLAIN>(a, b, c, n);
}

#endif

}  // namespace
