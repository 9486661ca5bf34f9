// Transposition in registers: N rows of N lanes, N vectors. Interleaving row i with row i + N/2 a logarithm of N times
// is the transposition; the compiler makes unpacks of it, or two-source permutes on AVX-512.
#pragma once

#include <utility>

#include "lanes.h"

namespace {

template <class T, int N, int HIGH, size_t... I>
INLINE Lanes<T, N * sizeof(T)> interleaved(Lanes<T, N * sizeof(T)> x, Lanes<T, N * sizeof(T)> y,
                                           std::index_sequence<I...>) {
    return __builtin_shufflevector(x, y, ((int)I % 2 ? N : 0) + HIGH * (N / 2) + (int)I / 2 ...);
}

template <class T, int N>
INLINE void transpose_block(const char* from, intptr_t stride, T* to, intptr_t step) {
    Lanes<T, N * sizeof(T)> rows[N], next[N];
    for (int i = 0; i < N; i++) __builtin_memcpy(&rows[i], from + i * stride, N * sizeof(T));
#pragma GCC unroll 8
    for (int round = 1; round < N; round *= 2) {
#pragma GCC unroll 16
        for (int i = 0; i < N / 2; i++) {
            next[2 * i] = interleaved<T, N, 0>(rows[i], rows[i + N / 2], std::make_index_sequence<N>{});
            next[2 * i + 1] = interleaved<T, N, 1>(rows[i], rows[i + N / 2], std::make_index_sequence<N>{});
        }
#pragma GCC unroll 16
        for (int i = 0; i < N; i++) rows[i] = next[i];
    }
    for (int i = 0; i < N; i++) __builtin_memcpy(to + i * step, &rows[i], N * sizeof(T));
}

// Lanes to a block: 16 one-byte ones and 8 two-byte ones fill the 128 bits that unpacks work within; wider items take
// the level's whole vector.
template <class T>
constexpr int block_lanes() {
    return sizeof(T) <= 2 ? 16 / (int)sizeof(T) : WIDE / (int)sizeof(T);
}

// to[i * columns + j] = from[i * sizeof(T) + j * stride]: a matrix whose columns lie one after the other. Blocks at the
// ends overlap those before them.
template <class T>
void transpose(T* to, const char* from, intptr_t rows, intptr_t columns, intptr_t stride) {
    constexpr intptr_t N = block_lanes<T>();
    if (rows < N || columns < N) {
        for (intptr_t j = 0; j < columns; j++)
            for (intptr_t i = 0; i < rows; i++)
                to[i * columns + j] = read<T>(from + i * (intptr_t)sizeof(T) + j * stride);
        return;
    }
    for (intptr_t j = 0; j < columns; j += N) {
        const intptr_t y = j + N <= columns ? j : columns - N;
        for (intptr_t i = 0; i < rows; i += N) {
            const intptr_t x = i + N <= rows ? i : rows - N;
            transpose_block<T, N>(from + x * (intptr_t)sizeof(T) + y * stride, stride, to + x * columns + y, columns);
        }
    }
}

}  // namespace
