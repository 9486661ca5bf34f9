// Vectors of bytes and how they are seen as lanes of a type: GCC's and Clang's vector extension, so that one source
// serves every instruction set. Everything here has internal linkage: the same names are compiled for several
// instruction sets, and the linker must never take one level's copy for another's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define INLINE inline __attribute__((always_inline))
#define INLINE_LAMBDA __attribute__((always_inline))

namespace {

// The widest vector of this level. 512-bit stores to whole lines reach twice the L1 speed of 256-bit ones.
#if defined(__AVX512BW__)
constexpr int WIDE = 64;
#elif defined(__AVX2__)
constexpr int WIDE = 32;
#else
constexpr int WIDE = 16;
#endif

template <class T, int W>
struct LanesOf {
    typedef T type __attribute__((vector_size(W)));
};
template <class T, int W>
using Lanes = typename LanesOf<T, W>::type;
template <int W>
using Bytes = Lanes<uint8_t, W>;

template <int W>
INLINE Bytes<W> load(const char* p) {
    Bytes<W> v;
    __builtin_memcpy(&v, p, W);
    return v;
}

template <int W>
INLINE void store(char* p, Bytes<W> v) {
    __builtin_memcpy(p, &v, W);
}

// Lanes where the mask is all ones from x, the others from y.
template <class V, class M>
INLINE V choose(M mask, V x, V y) {
    return (V)(((V)mask & x) | (~(V)mask & y));
}

template <class T>
INLINE T read(const char* p) {
    T v;
    __builtin_memcpy(&v, p, sizeof(T));
    return v;
}

// One item of `size` bytes in every lane.
template <int W>
INLINE Bytes<W> splat(const char* p, int size) {
    switch (size) {
        case 1: return (Bytes<W>)(Lanes<uint8_t, W>{} + read<uint8_t>(p));
        case 2: return (Bytes<W>)(Lanes<uint16_t, W>{} + read<uint16_t>(p));
        case 4: return (Bytes<W>)(Lanes<uint32_t, W>{} + read<uint32_t>(p));
        default: return (Bytes<W>)(Lanes<uint64_t, W>{} + read<uint64_t>(p));
    }
}

#if defined(__SSSE3__) || defined(__aarch64__)
#define BYTE_SHUFFLE 1
#else
#define BYTE_SHUFFLE 0
#endif

// Sixteen bytes as a table: each lane of `index` (0 to 15) becomes the entry it names. Without a shuffle it is code for
// every lane, which is good for building tables and for little else.
template <int W>
INLINE Bytes<W> lookup16(const uint8_t* table, Bytes<W> index) {
#if defined(__SSSE3__)
    const __m128i row = _mm_loadu_si128((const __m128i*)table);
    if constexpr (W == 16) return (Bytes<W>)_mm_shuffle_epi8(row, (__m128i)index);
#if defined(__AVX2__)
    if constexpr (W == 32) return (Bytes<W>)_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(row), (__m256i)index);
#endif
#if defined(__AVX512BW__)
    if constexpr (W == 64) return (Bytes<W>)_mm512_shuffle_epi8(_mm512_broadcast_i32x4(row), (__m512i)index);
#endif
#elif defined(__aarch64__)
    static_assert(W == 16);
    return (Bytes<W>)vqtbl1q_u8(vld1q_u8(table), (uint8x16_t)index);
#else
    Bytes<W> out;
    for (int i = 0; i < W; i++) out[i] = table[index[i] & 15];
    return out;
#endif
}

// Every byte N places up; the first N are the last ones of `before`.
template <int N, int W>
INLINE Bytes<W> moved_up(Bytes<W> v, Bytes<W> before) {
#if defined(__SSSE3__)
    if constexpr (W == 16) return (Bytes<W>)_mm_alignr_epi8((__m128i)v, (__m128i)before, 16 - N);
#if defined(__AVX2__)
    if constexpr (W == 32) {
        const __m256i between = _mm256_permute2x128_si256((__m256i)before, (__m256i)v, 0x21);
        return (Bytes<W>)_mm256_alignr_epi8((__m256i)v, between, 16 - N);
    }
#endif
#if defined(__AVX512BW__)
    if constexpr (W == 64) {
        const __m512i between = _mm512_alignr_epi64((__m512i)v, (__m512i)before, 6);
        return (Bytes<W>)_mm512_alignr_epi8((__m512i)v, between, 16 - N);
    }
#endif
#else
    using U = Lanes<uint64_t, 16>;
    const U words = (U)v, last = (U)before;
    const U below = {last[1], words[0]};
    return (Bytes<W>)(words << (8 * N) | below >> (64 - 8 * N));
#endif
}

// A store that passes the caches by; p is a multiple of W.
template <int W>
INLINE void stream(char* p, Bytes<W> v) {
#if defined(__AVX512BW__)
    if constexpr (W == 64) { _mm512_stream_si512((__m512i*)p, (__m512i)v); return; }
#endif
#if defined(__AVX2__)
    if constexpr (W == 32) { _mm256_stream_si256((__m256i*)p, (__m256i)v); return; }
#endif
#if defined(__x86_64__)
    if constexpr (W == 16) { _mm_stream_si128((__m128i*)p, (__m128i)v); return; }
#endif
    store<W>(p, v);
}

}  // namespace
