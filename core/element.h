// The 23 element types as one table, and the kinds of row kernels they are added with.
//
// A new element type is one row here and, when it adds in a way no other type does, one kind and its kernel.
#pragma once

#include <cstddef>
#include <cstdint>

namespace addison {

// How elements are added. Types that add alike share a kind: i8 and u8 wrap the same way.
enum class Kind : uint8_t {
    WHOLE8, WHOLE16, WHOLE32, WHOLE64,       // integers, modulo 2^bits
    F16, BF16, F32, F64, F8E4M3, F8E5M2, F8E8M0,
    BITS1, BITS2, BITS3, BITS4, BITS6,       // integers, one a byte, garbage above them ignored
    F4E2M1, NF4,                             // one a byte
    PACKED1, PACKED2, PACKED4,               // integers, 8 / 4 / 2 a byte
    PACKED_F4E2M1, PACKED_NF4,               // 2 a byte
    PLANES3, PLANES6,                        // groups of three bytes: u3, u6
    COUNT
};

inline constexpr int KINDS = static_cast<int>(Kind::COUNT);

struct KindFacts {
    uint8_t size;     // bytes of one item: an element, or for packed kinds the smallest run of whole bytes
    bool rounds;      // whether floating-point hardware may be used, so that its control register counts
    uint8_t cost;     // time of one byte in L2, in quarters of what a byte of f32 takes: decides about threads
};

inline constexpr KindFacts KIND_FACTS[KINDS] = {
    {1, false, 4}, {2, false, 4}, {4, false, 4}, {8, false, 4},
    {2, true, 5}, {2, true, 6}, {4, true, 4}, {8, true, 4}, {1, true, 30}, {1, true, 20}, {1, false, 6},
    {1, false, 4}, {1, false, 4}, {1, false, 4}, {1, false, 4}, {1, false, 4}, {1, false, 8}, {1, false, 10},
    {1, false, 4}, {1, false, 4}, {1, false, 4}, {1, false, 12}, {1, false, 20},
    {3, false, 12}, {3, false, 12},
};

inline const KindFacts& facts(Kind kind) { return KIND_FACTS[static_cast<int>(kind)]; }

struct Element {
    const char* name;
    Kind array;        // how a NumPy array of it is added; for u3, u6 and nf4 a uint8 array of codes
    Kind packed;       // how the bytes of a Tensor are added
    uint8_t bits;
    uint8_t lanes;     // elements in the smallest run of whole bytes
};

inline constexpr Element ELEMENTS[] = {
    {"bf16", Kind::BF16, Kind::BF16, 16, 1},
    {"f16", Kind::F16, Kind::F16, 16, 1},
    {"f32", Kind::F32, Kind::F32, 32, 1},
    {"f64", Kind::F64, Kind::F64, 64, 1},
    {"f8e4m3", Kind::F8E4M3, Kind::F8E4M3, 8, 1},
    {"f8e5m2", Kind::F8E5M2, Kind::F8E5M2, 8, 1},
    {"f8e8m0", Kind::F8E8M0, Kind::F8E8M0, 8, 1},
    {"f4e2m1", Kind::F4E2M1, Kind::PACKED_F4E2M1, 4, 2},
    {"nf4", Kind::NF4, Kind::PACKED_NF4, 4, 2},
    {"i4", Kind::BITS4, Kind::PACKED4, 4, 2},
    {"i8", Kind::WHOLE8, Kind::WHOLE8, 8, 1},
    {"i16", Kind::WHOLE16, Kind::WHOLE16, 16, 1},
    {"i32", Kind::WHOLE32, Kind::WHOLE32, 32, 1},
    {"i64", Kind::WHOLE64, Kind::WHOLE64, 64, 1},
    {"u1", Kind::BITS1, Kind::PACKED1, 1, 8},
    {"u2", Kind::BITS2, Kind::PACKED2, 2, 4},
    {"u3", Kind::BITS3, Kind::PLANES3, 3, 8},
    {"u4", Kind::BITS4, Kind::PACKED4, 4, 2},
    {"u6", Kind::BITS6, Kind::PLANES6, 6, 4},
    {"u8", Kind::WHOLE8, Kind::WHOLE8, 8, 1},
    {"u16", Kind::WHOLE16, Kind::WHOLE16, 16, 1},
    {"u32", Kind::WHOLE32, Kind::WHOLE32, 32, 1},
    {"u64", Kind::WHOLE64, Kind::WHOLE64, 64, 1},
};

inline constexpr int ELEMENT_COUNT = sizeof ELEMENTS / sizeof *ELEMENTS;

}  // namespace addison
