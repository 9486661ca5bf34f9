#include "tile.h"

#include <algorithm>
#include <numeric>

namespace addison {

Tile::Tile(int axes, const intptr_t* all, const intptr_t* by, intptr_t item) {
    for (int i = 0; i < axes; i++) {
        if (i > 0 && all[i] == 1) continue;
        // the divided axis stays apart, because the last tile has fewer steps of it
        if (rank > 1 && strides[rank - 1] == by[i] * all[i]) {
            sizes[rank - 1] *= all[i];
            strides[rank - 1] = by[i];
        } else {
            sizes[rank] = all[i];
            strides[rank++] = by[i];
        }
    }
    bool constant = true, flat = true;
    intptr_t run = item;
    for (int i = rank - 1; i >= 0; i--) {
        if (sizes[i] > 1) {
            constant &= strides[i] == 0;
            flat &= strides[i] == run;
        }
        run *= sizes[i];
    }
    form = constant ? Form::CONSTANT : flat ? Form::FLAT : Form::PACKED;
    if (form == Form::PACKED) find_period(run, item);
}

// Whether the tile is some repetitions of a contiguous row.
void Tile::find_period(intptr_t bytes, intptr_t item) {
    int first = 0;
    while (first < rank && (strides[first] == 0 || sizes[first] == 1)) first++;
    if (first != rank - 1 || strides[first] != item) return;
    const intptr_t row = sizes[first] * item;
    const intptr_t cycle = std::lcm(row, static_cast<intptr_t>(LINE));
    if (2 * cycle > bytes || cycle > LONGEST_PERIOD) return;
    form = Form::CYCLIC;
    period = cycle;
}

size_t tile_buffer(intptr_t bytes) {
    return (std::max(bytes, 2 * LONGEST_PERIOD) + 2 * static_cast<intptr_t>(LINE)) / LINE * LINE;
}

void TileReader::pack(const Level& level, int size_log2, const char* source, intptr_t steps) {
    const Tile& tile = *tile_;
    if (tile.form == Form::CYCLIC) {
        const intptr_t row = tile.sizes[tile.rank - 1];
        const intptr_t used = (tile.period + static_cast<intptr_t>(LINE)) >> size_log2;
        const intptr_t cycle[2] = {(used + row - 1) / row, row};
        const intptr_t strides[2] = {0, tile.strides[tile.rank - 1]};
        level.pack[size_log2](buffer_, source, 2, cycle, strides);
        steps = INTPTR_MAX;
    } else {
        intptr_t part[MAX_RANK];
        std::copy_n(tile.sizes, tile.rank, part);
        part[0] = steps;
        const int skip = steps == 1 && tile.rank > 1;
        level.pack[size_log2](buffer_, source, tile.rank - skip, part + skip, tile.strides + skip);
    }
    packed_from_ = source;
    packed_steps_ = steps;
}

}  // namespace addison
