// Loads and stores of fewer bytes than a vector has. Nothing outside [p, p + n) is touched.
#pragma once

#include "lanes.h"

namespace {

// Fewer than 16 bytes, by two loads that may overlap.
INLINE Bytes<16> load_below_16(const char* p, size_t n) {
    uint64_t low = 0, high = 0;
    if (n >= 8) {
        low = read<uint64_t>(p);
        if (n > 8) high = read<uint64_t>(p + n - 8) >> (8 * (16 - n));
    } else if (n >= 4) {
        low = read<uint32_t>(p) | (uint64_t)read<uint32_t>(p + n - 4) << (8 * (n - 4));
    } else if (n) {
        low = (uint64_t)(uint8_t)p[0] | (uint64_t)(uint8_t)p[n / 2] << (8 * (n / 2))
            | (uint64_t)(uint8_t)p[n - 1] << (8 * (n - 1));
    }
    return (Bytes<16>)Lanes<uint64_t, 16>{low, high};
}

// The first n <= WIDE bytes of a vector, the others 0.
INLINE Bytes<WIDE> load_part(const char* p, size_t n) {
#if defined(__AVX512BW__)
    return (Bytes<WIDE>)_mm512_maskz_loadu_epi8(_bzhi_u64(~0ull, (unsigned)n), p);
#else
    char buffer[WIDE + 16] = {};
    size_t i = 0;
    for (; i + 16 <= n; i += 16) store<16>(buffer + i, load<16>(p + i));
    store<16>(buffer + i, load_below_16(p + i, n - i));
    return load<WIDE>(buffer);
#endif
}

INLINE void store_below_16(char* p, Bytes<16> v, size_t n) {
    const Lanes<uint64_t, 16> words = (Lanes<uint64_t, 16>)v;
    uint64_t low = words[0];
    if (n & 8) { __builtin_memcpy(p, &low, 8); p += 8; low = words[1]; }
    if (n & 4) { __builtin_memcpy(p, &low, 4); p += 4; low >>= 32; }
    if (n & 2) { __builtin_memcpy(p, &low, 2); p += 2; low >>= 16; }
    if (n & 1) *p = (char)low;
}

// The first n < WIDE bytes of a vector.
INLINE void store_part(char* p, Bytes<WIDE> v, size_t n) {
#if defined(__AVX512BW__)
    _mm512_mask_storeu_epi8(p, _bzhi_u64(~0ull, (unsigned)n), (__m512i)v);
#else
    char buffer[WIDE];
    store<WIDE>(buffer, v);
    size_t i = 0;
    for (; i + 16 <= n; i += 16) store<16>(p + i, load<16>(buffer + i));
    store_below_16(p + i, load_below_16(buffer + i, n - i), n - i);
#endif
}

}  // namespace
