// How one addition is carried out: a way of walking and the number of equal units of work it falls into.
#pragma once

#include "layout.h"
#include "level.h"

namespace addison {

enum class Way : uint8_t {
    ROWS,     // the innermost axis is long, and each operand contiguous or constant along it
    BLOCKS,   // an operand is transposed against the result
    TILES,    // everything else: the innermost axes together, what is not contiguous packed in L1
};

struct Plan {
    const Level* level;
    Kind kind;
    Store store;
    Way way;
    intptr_t traffic;   // bytes read and written
    intptr_t result_bytes;
    intptr_t units;

    Layout layout;      // collapsed

    intptr_t step;      // ROWS: items of a chunk. BLOCKS: columns of a block. TILES: steps of `axis` in a tile
    intptr_t pieces;    // how many steps the divided axis falls into
    intptr_t lines;     // BLOCKS: rows of a block. ROWS: rows of a unit; 1 where rows are cut into chunks
    intptr_t bands;     // ROWS: how many units the rows of the next axis make
    int axis;           // TILES: the axis that is divided; those after it are inside the tile
    intptr_t inner;     // TILES: items of one step
};

// Decides the way and the units. The layout's c axes are sorted and its innermost stride is one item. `touched` tells
// that the result's pages have been written before, which streaming stores need.
void make_plan(Plan& plan, bool touched);

// Bytes of scratch memory that run() needs for this plan.
size_t scratch_needed(const Plan& plan);

// Units [from, to), each once, in any order and on any thread. `scratch` is aligned to LINE.
void run(const Plan& plan, intptr_t from, intptr_t to, char* scratch);

void run_rows(const Plan& plan, intptr_t from, intptr_t to);
void run_blocks(const Plan& plan, intptr_t from, intptr_t to, char* scratch);
void run_tiles(const Plan& plan, intptr_t from, intptr_t to, char* scratch);

inline int size_log2(intptr_t item) { return item == 1 ? 0 : item == 2 ? 1 : item == 4 ? 2 : 3; }

// Whether the level's `spread` takes items of this size, each so many times.
inline bool can_spread(const Level& level, intptr_t item, intptr_t times) {
    return times >= level.least_times[size_log2(item)] && times * item <= static_cast<intptr_t>(LONGEST_SPREAD);
}

}  // namespace addison
