// What one instruction-set level offers: a table of functions, compiled from kernels/level.cpp once per level; that of
// v4+fp16 is v4's with three entries from kernels/fp16.cpp.
#pragma once

#include "element.h"

namespace addison {

// c[i] = a[i] + b[i] for n items. `c` is `a` itself, or overlaps neither operand.
using Row = void (*)(const char* a, const char* b, char* c, size_t n);

// The same with b a buffer that repeats itself after `period` bytes, a multiple of LINE and of the item's size; the
// buffer holds one LINE more than a period.
using Cyclic = void (*)(const char* a, const char* b, char* c, size_t n, size_t period);

// The same with each item of b `times` times; a level and a size have a least number of times. n is below 2^25, and
// `times` items are at most LONGEST_SPREAD bytes.
using Spreading = void (*)(const char* a, const char* b, char* c, size_t n, size_t times);
inline constexpr size_t LONGEST_SPREAD = 128;
inline constexpr uint8_t NEVER = 255;

// Several rows of n items each: `lines` of them, their strides in bytes. For scalar rows, b's stride is from one row's
// item to the next's.
struct Lines {
    size_t lines;
    intptr_t a, b, c;
};
using Block = void (*)(const char* a, const char* b, char* c, size_t n, const Lines& lines);

enum Store { PLAIN, AHEAD, STREAM, STORES };   // ordinary; with prefetches; past the caches

// Sums of `count` terms, two to MOST_TERMS, in each of `rows` rows of n items: ((t0[i] + t1[i]) + t2[i]) + ... A term
// may begin a sum of its own, which is added to the one before it when it is done; so trees are made. `from` is where
// each term begins. `c` is t0, and any other term that is t0 itself, or overlaps no term.
struct Term {
    size_t along = 0;      // ~0; 0 of a term that has one item for a whole row
    intptr_t across = 0;   // bytes from one row to the next; 0 when all rows are the same
    bool begins = false;   // a sum; of t0 it does not matter
    uint8_t ends = 0;      // so many sums, once it is added
};
inline constexpr size_t MOST_TERMS = 10;    // more streams than the processor follows bring nothing
inline constexpr size_t MOST_BEGUN = 2;     // sums at one time, besides the one that is added to
inline constexpr size_t AT_ONCE = 2;        // rows that are folded together
struct Sums {
    char* c;
    size_t n, rows;
    intptr_t across;
};
using Fold = void (*)(const Term* terms, const char* const* from, size_t count, const Sums& sums, Store store);

struct Rows {
    Row vector[STORES];   // vector + vector
    Row scalar[STORES];   // vector + one item, *b
    Block vector_block;   // many short rows, without a call for each
    Block scalar_block;
    Cyclic cyclic;        // vector + periodic vector
    Spreading spread[STORES];   // null for packed kinds, and for those not added a vector at a time
    Fold fold;            // null for packed kinds, and for those not added a vector at a time
    Row alone;            // vector + vector, exact whatever the floating-point control register holds
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
    uint8_t least_times[4];   // for `spread`; NEVER where the level has no permutation
};

// Of kinds that are added by fp16 arithmetic.
struct Fp16Rows {
    Rows f16, f8e4m3, f8e5m2;
};

#if defined(__x86_64__)
extern const Level LEVEL_V2, LEVEL_V3, LEVEL_V4;
extern const Fp16Rows V4_FP16_ROWS;
#endif
extern const Level LEVEL_PORTABLE;

}  // namespace addison
