// TILES: the innermost axes together, as a run of the result that fits L1. What an operand is over a tile decides how
// it is read.
#include <algorithm>

#include "plan.h"
#include "tile.h"
#include "walk.h"

namespace addison {

namespace {

size_t operand_bytes(const Plan& plan) { return tile_buffer(plan.step * plan.inner * facts(plan.kind).size); }

Tile operand(const Plan& plan, intptr_t Axis::*stride, intptr_t item) {
    intptr_t sizes[MAX_RANK], strides[MAX_RANK];
    const int axes = plan.layout.rank - plan.axis;
    for (int i = 0; i < axes; i++) {
        const Axis& axis = plan.layout.axes[plan.axis + i];
        sizes[i] = i == 0 ? plan.step : axis.size;
        strides[i] = axis.*stride;
    }
    return Tile(axes, sizes, strides, item);
}

// The kernel for an operand whose items are repeated in a row, where the level has one.
Spreading spreading(const Plan& plan, const Tile& tile, intptr_t item) {
    if (!can_spread(*plan.level, item, tile.times(item))) return nullptr;
    return plan.level->rows[static_cast<int>(plan.kind)].spread[plan.store];
}

}  // namespace

void run_tiles(const Plan& plan, intptr_t from, intptr_t to, char* scratch) {
    const Layout& layout = plan.layout;
    const Axis& divided = layout.axes[plan.axis];
    const intptr_t item = facts(plan.kind).size;
    const int size = size_log2(item);
    const Rows& rows = plan.level->rows[static_cast<int>(plan.kind)];
    Tile left = operand(plan, &Axis::a, item), right = operand(plan, &Axis::b, item);
    // Addition commutes, so one of the two reads as a plain run of items: the left one.
    const bool swapped = !left.runs();
    Tile& x_tile = swapped ? right : left;
    Tile& y_tile = swapped ? left : right;
    if (!x_tile.runs()) x_tile.form = Form::PACKED;
    const Spreading spread = spreading(plan, y_tile, item);
    if (spread) y_tile.form = Form::SPREAD;
    TileReader x(x_tile, scratch), y(y_tile, scratch + operand_bytes(plan));
    const Row kernel = y_tile.form == Form::CONSTANT ? rows.scalar[plan.store] : rows.vector[plan.store];

    Walk walk(layout, plan.axis, from / plan.pieces);
    intptr_t piece = from % plan.pieces;
    for (intptr_t unit = from; unit < to; unit++) {
        const intptr_t begin = piece * plan.step, steps = std::min(plan.step, divided.size - begin);
        const char* a = walk.a + begin * divided.a;
        const char* b = walk.b + begin * divided.b;
        char* c = walk.c + begin * divided.c;
        const char* p = x.view(*plan.level, size, swapped ? b : a, steps);
        const char* q = y.view(*plan.level, size, swapped ? a : b, steps);
        if (y_tile.form == Form::CYCLIC) rows.cyclic(p, q, c, steps * plan.inner, y_tile.period);
        else if (spread) spread(p, q, c, steps * plan.inner, y_tile.sizes[1]);
        else kernel(p, q, c, steps * plan.inner);
        if (++piece == plan.pieces) {
            piece = 0;
            walk.next();
        }
    }
}

size_t scratch_needed(const Plan& plan) {
    const size_t item = facts(plan.kind).size;
    switch (plan.way) {
        case Way::ROWS: return 0;
        case Way::BLOCKS: return 2 * (plan.lines * plan.step * item + LINE);
        case Way::TILES: return 2 * operand_bytes(plan);
    }
    return 0;
}

}  // namespace addison
