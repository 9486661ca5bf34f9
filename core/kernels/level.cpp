// One level: every kind's kernels for one instruction set. CMake compiles this file once per level, with the level's
// flags and its name in ADDISON_LEVEL_NAME and ADDISON_LEVEL_SYMBOL.
#include "../level.h"
#include "alone.h"
#include "eight.h"
#include "floats.h"
#include "fold.h"
#include "half.h"
#include "nibbles.h"
#include "pack.h"
#include "pairs.h"
#include "planes.h"
#include "row.h"
#include "spread.h"

namespace {

using addison::Level;
using addison::Rows;

// ROUNDS: by floating-point hardware. PACKED: never in a chain. LESS: code for folds, as adding is costly, or chains
// of it seldom.
enum Traits { NONE = 0, ROUNDS = 1, PACKED = 2, LESS = 4 };

template <class Op, int TRAITS = NONE>
constexpr Rows rows() {
    Rows all = {{row<Op, false, PLAIN>, row<Op, false, AHEAD>, row<Op, false, STREAM>},
                {row<Op, true, PLAIN>, row<Op, true, AHEAD>, row<Op, true, STREAM>},
                block<Op, false>, block<Op, true>, cyclic<Op>, {}, {}, alone<Op, (TRAITS & ROUNDS) != 0>};
    if constexpr (!(TRAITS & PACKED)) all.fold = fold<Op, (TRAITS & LESS) != 0>;
    if constexpr (BYTE_SHUFFLE && !(TRAITS & PACKED)) {
        all.spread[PLAIN] = spread<Op, PLAIN>;
        all.spread[AHEAD] = spread<Op, AHEAD>;
        all.spread[STREAM] = spread<Op, STREAM>;
    }
    return all;
}

// By vectors where the level has what the Op wants, else from a table of all pairs.
template <class Op, bool HAS, int TRAITS = NONE>
constexpr Rows rows_if() {
    if constexpr (HAS) return rows<Op, TRAITS>();
    else
        return {{table_row<Op, false>, table_row<Op, false>, table_row<Op, false>},
                {table_row<Op, true>, table_row<Op, true>, table_row<Op, true>},
                lines_of<table_row<Op, false>>, lines_of<table_row<Op, true>>, table_cyclic<Op>, {}, {},
                guarded<table_row<Op, false>>};
}

template <class Planes>
constexpr Rows planes() {
    return {{planes_row<Planes, false>, planes_row<Planes, false>, planes_row<Planes, false>},
            {planes_row<Planes, true>, planes_row<Planes, true>, planes_row<Planes, true>},
            lines_of<planes_row<Planes, false>>, lines_of<planes_row<Planes, true>>, planes_cyclic<Planes>,
            {}, {}, planes_row<Planes, false>};
}

}  // namespace

namespace addison {

extern const Level ADDISON_LEVEL_SYMBOL;
const Level ADDISON_LEVEL_SYMBOL = {
    ADDISON_LEVEL_NAME,
    {
        rows<Whole<uint8_t>>(), rows<Whole<uint16_t>>(), rows<Whole<uint32_t>>(), rows<Whole<uint64_t>>(),
        rows<Half, ROUNDS | LESS>(), rows<BFloat16, ROUNDS | LESS>(),
        rows<Native<float>, ROUNDS>(), rows<Native<double>, ROUNDS>(),
        rows_if<Float8E4M3, HALF_IN_HARDWARE, ROUNDS | LESS>(), rows_if<Float8E5M2, HALF_IN_HARDWARE, ROUNDS | LESS>(),
        rows<Float8E8M0, LESS>(), rows<Masked<1>, LESS>(), rows<Masked<2>, LESS>(), rows<Masked<3>, LESS>(),
        rows<Masked<4>, LESS>(), rows<Masked<6>, LESS>(),
        rows_if<Float4, BYTE_SHUFFLE, LESS>(), rows_if<NormalFloat4, BYTE_SHUFFLE, LESS>(),
        rows<Packed<1>, PACKED>(), rows<Packed<2>, PACKED>(), rows<Packed<4>, PACKED>(),
        rows_if<PackedFloat4, BYTE_SHUFFLE, PACKED>(), rows_if<PackedNf4, BYTE_SHUFFLE, PACKED>(),
        planes<Planes3>(), planes<Planes6>(),
    },
    {pack<uint8_t>, pack<uint16_t>, pack<uint32_t>, pack<uint64_t>},
    {fill<uint8_t>, fill<uint16_t>, fill<uint32_t>, fill<uint64_t>},
    {Permutation<1>::least_times(), Permutation<2>::least_times(), Permutation<4>::least_times(),
     Permutation<8>::least_times()},
};

}  // namespace addison
