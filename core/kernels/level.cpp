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
#include "planes.h"
#include "row.h"

namespace {

using addison::Level;
using addison::Rows;

template <class Op, bool ROUNDS = false>
constexpr Rows rows() {
    return {{row<Op, false, PLAIN>, row<Op, false, AHEAD>, row<Op, false, STREAM>},
            {row<Op, true, PLAIN>, row<Op, true, AHEAD>, row<Op, true, STREAM>},
            block<Op, false>, block<Op, true>, cyclic<Op>,
            {fold<Op, PLAIN>, fold<Op, AHEAD>, fold<Op, STREAM>}, alone<Op, ROUNDS>};
}

template <class Op>
constexpr Rows eight_bit_float() {
#if HALF_IN_HARDWARE
    return rows<Op, true>();
#else
    return {{table_row<Op, false>, table_row<Op, false>, table_row<Op, false>},
            {table_row<Op, true>, table_row<Op, true>, table_row<Op, true>},
            lines_of<table_row<Op, false>>, lines_of<table_row<Op, true>>, table_cyclic<Op>,
            {nullptr, nullptr, nullptr}, guarded<table_row<Op, false>>};
#endif
}

template <class Planes>
constexpr Rows planes() {
    return {{planes_row<Planes, false>, planes_row<Planes, false>, planes_row<Planes, false>},
            {planes_row<Planes, true>, planes_row<Planes, true>, planes_row<Planes, true>},
            lines_of<planes_row<Planes, false>>, lines_of<planes_row<Planes, true>>, planes_cyclic<Planes>,
            {nullptr, nullptr, nullptr}, planes_row<Planes, false>};
}

}  // namespace

namespace addison {

extern const Level ADDISON_LEVEL_SYMBOL;
const Level ADDISON_LEVEL_SYMBOL = {
    ADDISON_LEVEL_NAME,
    {
        rows<Whole<uint8_t>>(), rows<Whole<uint16_t>>(), rows<Whole<uint32_t>>(), rows<Whole<uint64_t>>(),
        rows<Half, true>(), rows<BFloat16, true>(), rows<Native<float>, true>(), rows<Native<double>, true>(),
        eight_bit_float<Float8E4M3>(), eight_bit_float<Float8E5M2>(), rows<Float8E8M0>(),
        rows<Masked<1>>(), rows<Masked<2>>(), rows<Masked<3>>(), rows<Masked<4>>(), rows<Masked<6>>(),
        rows<Float4>(), rows<NormalFloat4>(),
        rows<Packed<1>>(), rows<Packed<2>>(), rows<Packed<4>>(), rows<PackedFloat4>(), rows<PackedNf4>(),
        planes<Planes3>(), planes<Planes6>(),
    },
    {pack<uint8_t>, pack<uint16_t>, pack<uint32_t>, pack<uint64_t>},
    {fill<uint8_t>, fill<uint16_t>, fill<uint32_t>, fill<uint64_t>},
};

}  // namespace addison
