// What one instruction-set level offers: a table of functions, compiled from kernels/level.cpp once per level.
#pragma once

#include "element.h"

namespace addison {

// c[i] = a[i] + b[i] for n items. `c` is `a` itself, or overlaps neither operand.
using Row = void (*)(const char* a, const char* b, char* c, size_t n);

// The same with b a buffer of `period` bytes, used again and again; a multiple of LINE and of the item's size.
using Cyclic = void (*)(const char* a, const char* b, char* c, size_t n, size_t period);

enum Store { PLAIN, AHEAD, STREAM, STORES };   // ordinary; with prefetches; past the caches

struct Rows {
    Row vector[STORES];   // vector + vector
    Row scalar[STORES];   // vector + one item, *b
    Cyclic cyclic;        // vector + periodic vector
};

// Copies a strided block of items to consecutive ones. May write up to LINE bytes past the end.
using Pack = void (*)(char* to, const char* from, int rank, const intptr_t* sizes, const intptr_t* strides);

// Writes `item` n times. May not write past the end.
using Fill = void (*)(char* to, const char* item, size_t n);

inline constexpr size_t LINE = 64;

struct Level {
    const char* name;
    Rows rows[KINDS];
    Pack pack[4];   // by the logarithm of the item's size: 1, 2, 4, 8 bytes
    Fill fill[4];
};

#if defined(__x86_64__)
extern const Level LEVEL_V2, LEVEL_V3, LEVEL_V4, LEVEL_V4_FP16;
#endif
extern const Level LEVEL_PORTABLE;

}  // namespace addison
