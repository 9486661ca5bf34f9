// Packing: a strided block becomes consecutive items in L1, where the rows are then added at full speed. It depends on
// the item's size alone.
#pragma once

#include "../level.h"
#include "spread.h"
#include "transpose.h"

namespace {

template <class T>
void fill(char* to, const char* item, size_t n) {
    const T value = read<T>(item);
    for (size_t i = 0; i < n; i++) __builtin_memcpy(to + i * sizeof(T), &value, sizeof(T));
}

// One line of the same item; more than is wanted, as the next store overwrites the excess.
template <class T>
INLINE void broadcast_line(T* to, T value) {
    const Bytes<WIDE> v = (Bytes<WIDE>)(Lanes<T, WIDE>{} + value);
    for (size_t k = 0; k < addison::LINE; k += WIDE) store<WIDE>((char*)to + k, v);
}

// Items whose distance and number the compiler knows: it makes permutes of these loops.
template <class T, int TIMES>
void repeat_few(T* __restrict to, const char* from, intptr_t stride, intptr_t n) {
    if (stride == sizeof(T) && (uintptr_t)from % sizeof(T) == 0) {
        const T* __restrict items = (const T*)from;
        for (intptr_t i = 0; i < n; i++)
            for (int k = 0; k < TIMES; k++) to[i * TIMES + k] = items[i];
        return;
    }
    for (intptr_t i = 0; i < n; i++) {
        const T value = read<T>(from + i * stride);
        for (int k = 0; k < TIMES; k++) to[i * TIMES + k] = value;
    }
}

// Each of n items `times` times.
template <class T>
void repeat_each(T* to, const char* from, intptr_t stride, intptr_t n, intptr_t times) {
    if (times == 2) return repeat_few<T, 2>(to, from, stride, n);
    if (times == 3) return repeat_few<T, 3>(to, from, stride, n);
    if (times == 4) return repeat_few<T, 4>(to, from, stride, n);
    constexpr intptr_t LANES = addison::LINE / sizeof(T), SIZE = sizeof(T);
    const intptr_t bytes = n * times * SIZE;
    if (stride == SIZE && times >= Permutation<SIZE>::least_times() && times * SIZE <= (intptr_t)addison::LONGEST_SPREAD
        && bytes >= 1024) {                             // in less, preparing the permutation costs more than it saves
        const Spread<SIZE> items(from, n * times, times);
        for (intptr_t i = 0; i < bytes; i += WIDE) store<WIDE>((char*)to + i, items(i));
        return;
    }
    for (intptr_t i = 0; i < n; i++, to += times) {
        const T value = read<T>(from + i * stride);
        for (intptr_t k = 0; k < times; k += LANES) broadcast_line(to + k, value);
    }
}

// j modulo n, for shuffles that repeat n bytes through a vector.
struct Modulo {
    alignas(64) uint8_t of[17][64];
    constexpr Modulo() : of() {
        for (int n = 1; n <= 16; n++)
            for (int j = 0; j < 64; j++) of[n][j] = (uint8_t)(j % n);
    }
};
constexpr Modulo MODULO;

// A row of bytes again and again, from a register: nothing is read back that has just been stored in other pieces,
// which would stall each step of a copy that doubles. Each store is overwritten by the next from where the row repeats.
INLINE void repeat_short(char* to, const char* row, intptr_t bytes, intptr_t total) {
    Bytes<WIDE> v;
    intptr_t step = bytes;
    if (bytes <= 16) {
        alignas(16) uint8_t first[16];
        store<16>((char*)first, bytes < 16 ? load_below_16(row, bytes) : load<16>(row));
        v = lookup16<WIDE>(first, load<WIDE>((const char*)MODULO.of[bytes]));
        step = WIDE / bytes * bytes;
    } else {
        v = load_part(row, bytes);
    }
    for (intptr_t i = 0; i < total; i += step) store<WIDE>(to + i, v);
}

// The first `have` items again until there are `total`.
template <class T>
void replicate(T* items, intptr_t have, intptr_t total) {
    char* const to = (char*)items;
    intptr_t ready = have * (intptr_t)sizeof(T);
    const intptr_t wanted = total * (intptr_t)sizeof(T);
    if (ready <= WIDE) { repeat_short(to, to, ready, wanted); return; }
    for (; ready < wanted; ready *= 2) {     // copies that double, so that few are small
        const intptr_t more = ready < wanted - ready ? ready : wanted - ready;
        for (intptr_t i = 0; i < more; i += WIDE) store<WIDE>(to + ready + i, load<WIDE>(to + i));
    }
}

template <class T, int STEP>
INLINE void gather_step(T* __restrict to, const char* from, intptr_t n) {
    const T* __restrict items = (const T*)from;
    for (intptr_t i = 0; i < n; i++) to[i] = items[i * STEP];
}

template <class T>
void gather(T* to, const char* from, intptr_t n, intptr_t stride) {
    constexpr intptr_t SIZE = sizeof(T);
    const bool aligned = (uintptr_t)from % SIZE == 0;
    if (stride == SIZE) __builtin_memcpy(to, from, n * SIZE);
    else if (stride == 0) fill<T>((char*)to, from, n);
    else if (stride == 2 * SIZE && aligned) gather_step<T, 2>(to, from, n);
    else if (stride == 3 * SIZE && aligned) gather_step<T, 3>(to, from, n);
    else if (stride == 4 * SIZE && aligned) gather_step<T, 4>(to, from, n);
    else if (stride == -SIZE && aligned) gather_step<T, -1>(to, from, n);
    else for (intptr_t i = 0; i < n; i++) to[i] = read<T>(from + i * stride);
}

template <class T>
void pack_into(T* to, const char* from, int rank, const intptr_t* sizes, const intptr_t* strides) {
    if (rank == 0) { *to = read<T>(from); return; }
    if (rank == 1) { gather(to, from, sizes[0], strides[0]); return; }
    if (rank == 2 && strides[1] == 0 && strides[0] != 0) {
        repeat_each(to, from, strides[0], sizes[0], sizes[1]);
        return;
    }
    intptr_t inner = 1;
    for (int i = 1; i < rank; i++) inner *= sizes[i];
    if (strides[0] == 0) {
        pack_into(to, from, rank - 1, sizes + 1, strides + 1);
        replicate(to, inner, inner * sizes[0]);
        return;
    }
    if (rank == 2 && strides[0] == (intptr_t)sizeof(T) && strides[1] != (intptr_t)sizeof(T)) {
        transpose(to, from, sizes[0], sizes[1], strides[1]);
        return;
    }
    for (intptr_t i = 0; i < sizes[0]; i++)
        pack_into(to + i * inner, from + i * strides[0], rank - 1, sizes + 1, strides + 1);
}

template <class T>
void pack(char* to, const char* from, int rank, const intptr_t* sizes, const intptr_t* strides) {
    if (rank == 2 && strides[0] == 0 && strides[1] == (intptr_t)sizeof(T) && sizes[1] * (intptr_t)sizeof(T) <= WIDE) {
        const intptr_t row = sizes[1] * (intptr_t)sizeof(T);
        repeat_short(to, from, row, sizes[0] * row);
        return;
    }
    pack_into((T*)to, from, rank, sizes, strides);
}

}  // namespace
