// One level: every kind's kernels for one instruction set. CMake compiles this file once per level, with the level's
// flags and its name in ADDISON_LEVEL_NAME and ADDISON_LEVEL_SYMBOL.
#include "../level.h"
#include "eight.h"
#include "floats.h"
#include "half.h"
#include "nibbles.h"
#include "pack.h"
#include "planes.h"
#include "table.h"

namespace {

using addison::Level;

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
