#include "plan.h"

#include <algorithm>
#include <numeric>

#include "tile.h"
#include "tuning.h"

namespace addison {

Tuning tuning;

namespace {

constexpr intptr_t WORTH_A_CALL = 512;     // bytes
constexpr intptr_t LEAST_TRANSPOSED = 16;  // rows and columns

bool simple(intptr_t stride, intptr_t item) { return stride == item || stride == 0; }

intptr_t product(const Layout& layout, int axes) {
    intptr_t n = 1;
    for (int i = 0; i < axes; i++) n *= layout.axes[i].size;
    return n;
}

// Whether an operand's columns are consecutive, and far enough apart to be worth a block.
bool apart(intptr_t stride, intptr_t item) { return std::abs(stride) >= LEAST_TRANSPOSED * item; }

bool transposed(const Layout& layout, intptr_t Axis::*stride, intptr_t item) {
    return layout.axes[layout.rank - 2].*stride == item && apart(layout.axes[layout.rank - 1].*stride, item);
}

void swap_operands(Layout& layout) {
    std::swap(layout.a, layout.b);
    for (int i = 0; i < layout.rank; i++) std::swap(layout.axes[i].a, layout.axes[i].b);
}

// Moves an axis to the place before the last; what is left keeps its order.
void bring_inside(Layout& layout, int axis) {
    std::rotate(layout.axes + axis, layout.axes + axis + 1, layout.axes + layout.rank - 1);
}

// A few short rows are too little for one call of a kernel: the longest of the axes around them comes next to them.
void bring_longest_inside(Layout& layout, intptr_t item) {
    const int before = layout.rank - 2;
    if (before < 1 || layout.axes[before].size * layout.axes[before + 1].size * item >= WORTH_A_CALL) return;
    const auto shorter = [](const Axis& x, const Axis& y) { return x.size < y.size; };
    const Axis* longest = std::max_element(layout.axes, layout.axes + before + 1, shorter);
    bring_inside(layout, static_cast<int>(longest - layout.axes));
}

// So does the axis along which a transposed operand is consecutive.
void bring_items_inside(Layout& layout, intptr_t Axis::*stride, intptr_t item) {
    if (layout.rank < 3 || !apart(layout.axes[layout.rank - 1].*stride, item)) return;
    for (int i = 0; i < layout.rank - 2; i++)
        if (layout.axes[i].*stride == item && layout.axes[i].size >= LEAST_TRANSPOSED) return bring_inside(layout, i);
}

// Chunks of a long row, or several short rows. The constant operand, if any, is the second.
void plan_rows(Plan& plan, intptr_t item) {
    plan.way = Way::ROWS;
    const Layout& layout = plan.layout;
    const intptr_t size = layout.axes[layout.rank - 1].size, chunk = std::max<intptr_t>(1, tuning.chunk / item);
    plan.lines = plan.bands = 1;
    plan.step = chunk;
    plan.pieces = (size + chunk - 1) / chunk;
    int outer = layout.rank - 1;
    if (outer > 0 && 2 * size <= chunk && plan.store != STREAM && layout.axes[outer].a != 0) {
        bring_longest_inside(plan.layout, item);
        const intptr_t rows = layout.axes[--outer].size;
        plan.lines = std::min(chunk / size, rows);
        plan.bands = (rows + plan.lines - 1) / plan.lines;
    }
    plan.units = plan.pieces * plan.bands * product(layout, outer);
}

// Blocks of 64 rows by 1 KB (or 256 small items), which L2 holds twice. Long pieces of a row matter more than square
// blocks: with a stride that is a power of two, all rows of a block fall into the same cache sets, and small squares
// are 2 to 5 times slower at 4096 x 4096. Blocks are alike, so that none has too few rows to transpose in registers.
void plan_blocks(Plan& plan, intptr_t item) {
    plan.way = Way::BLOCKS;
    const intptr_t rows = plan.layout.axes[plan.layout.rank - 2].size, most = item == 1 ? 128 : 64;
    plan.pieces = std::max<intptr_t>((rows + most - 1) / most, rows >= 2 * LEAST_TRANSPOSED ? 2 : 1);
    plan.lines = (rows + plan.pieces - 1) / plan.pieces;
    plan.pieces = (rows + plan.lines - 1) / plan.lines;
    plan.step = std::min<intptr_t>(256, 1024 / item);
    plan.units = plan.pieces * product(plan.layout, plan.layout.rank - 2);
}

bool packs(const Layout& layout, intptr_t item) {
    const Axis& last = layout.axes[layout.rank - 1];
    return !simple(last.a, item) || !simple(last.b, item);
}

// A short row of b, again and again over a run of a and the result: the tile needs no packing, and a call of its own
// kernel for each row would cost more than the row.
bool periodic(const Layout& layout, intptr_t item) {
    if (layout.rank < 2) return false;
    const Axis& last = layout.axes[layout.rank - 1];
    const Axis& before = layout.axes[layout.rank - 2];
    const intptr_t row = last.size * item;
    const auto runs_on = [&](intptr_t Axis::*stride) { return last.*stride == item && before.*stride == row; };
    const auto repeats = [&](intptr_t Axis::*stride) { return last.*stride == item && before.*stride == 0; };
    return runs_on(&Axis::c) && std::lcm(row, static_cast<intptr_t>(LINE)) <= LONGEST_PERIOD
        && ((runs_on(&Axis::a) && repeats(&Axis::b)) || (runs_on(&Axis::b) && repeats(&Axis::a)));
}

// Whether rows are best added where they lie: even those of a few bytes, as one call of a kernel adds many, and no
// buffer is filled. Not short ones where b has one item a row and a runs on or repeats, which tiles read as a whole.
bool rows_pay(const Plan& plan, intptr_t item) {
    const Axis& last = plan.layout.axes[plan.layout.rank - 1];
    const Axis& before = plan.layout.axes[plan.layout.rank - 2];
    const intptr_t row = last.size * item;
    const bool whole_tiles = last.b == 0 && (last.a == 0 || before.a == 0 || before.a == row);
    return !whole_tiles || row >= (plan.store == STREAM ? tuning.streamed_row : tuning.row);
}

// A run of a and the result, each item of b so many times: nothing is packed either where the level has the kernel.
bool spreads(const Plan& plan, intptr_t item) {
    const Layout& layout = plan.layout;
    if (layout.rank < 2) return false;
    const Axis& last = layout.axes[layout.rank - 1];
    const Axis& before = layout.axes[layout.rank - 2];
    const intptr_t row = last.size * item;
    const auto runs_on = [&](intptr_t Axis::*stride) { return last.*stride == item && before.*stride == row; };
    return runs_on(&Axis::c) && runs_on(&Axis::a) && last.b == 0 && before.b == item
        && can_spread(*plan.level, item, last.size);
}

// A tile takes as many of the innermost axes as fit and, of the next, as many steps. It is exactly one step when that
// is 1 KB or more: then an operand that is constant along the divided axis keeps its packed tile.
void plan_tiles(Plan& plan, intptr_t item, intptr_t tile) {
    plan.way = Way::TILES;
    const Layout& layout = plan.layout;
    const intptr_t fits = std::max<intptr_t>(1, tile / item);
    int axis = layout.rank - 1;
    intptr_t inner = 1, run = item;
    while (axis > 0 && inner * layout.axes[axis].size <= fits && layout.axes[axis].c == run
           && layout.axes[axis - 1].c == run * layout.axes[axis].size) {
        inner *= layout.axes[axis].size;
        run *= layout.axes[axis].size;
        axis--;
    }
    const intptr_t size = layout.axes[axis].size;
    intptr_t steps = std::clamp<intptr_t>(fits / inner, 1, size);
    if (steps < size) {
        if (steps > 16) steps &= ~static_cast<intptr_t>(15);
        if (axis < layout.rank - 1 && inner * item >= 1024) steps = 1;
    }
    plan.axis = axis;
    plan.inner = inner;
    plan.step = steps;
    plan.pieces = (size + steps - 1) / steps;
    plan.units = plan.pieces * product(layout, axis);
}

// Streaming pays by total traffic, not by the result's size: at 16 MB results it costs a fifth of the speed or more,
// and a store-only pattern is faster with ordinary stores up to 64 MB.
bool streams(const Plan& plan) {
    return plan.traffic >= (plan.traffic >= 2 * plan.result_bytes ? 1 : 2) * tuning.stream;
}

}  // namespace

void make_plan(Plan& plan, bool touched) {
    Layout& layout = plan.layout;
    const intptr_t item = facts(plan.kind).size;
    collapse(layout);
    if (layout.rank == 0) {
        layout.rank = 1;
        layout.axes[0] = {1, item, item, item};
    }
    // On pages never touched streaming loses: the kernel's zeroing has just put their lines in the cache.
    plan.result_bytes = item * product(layout, layout.rank);
    plan.store = touched && streams(plan) ? STREAM : plan.traffic >= tuning.ahead ? AHEAD : PLAIN;
    const Axis& last = layout.axes[layout.rank - 1];
    if (last.a == 0 && last.b != 0) swap_operands(layout);
    // Rows are streamed only when they are many lines, because a line is streamed whole or not at all.
    const bool short_stream = plan.store == STREAM && layout.rank > 1 && last.size * item < tuning.streamed_row;
    if (periodic(layout, item) && (plan.store != STREAM || short_stream)) {
        plan_tiles(plan, item, plan.store == STREAM ? tuning.tile : tuning.long_tile);
        return;
    }
    if (spreads(plan, item)) {
        plan_tiles(plan, item, tuning.long_tile);
        return;
    }
    if (!packs(layout, item) && (layout.rank == 1 || rows_pay(plan, item))) {
        if (short_stream) plan.store = AHEAD;
        plan_rows(plan, item);
        return;
    }
    bring_items_inside(layout, &Axis::a, item);
    bring_items_inside(layout, &Axis::b, item);
    if (layout.rank >= 2 && last.size >= LEAST_TRANSPOSED && layout.axes[layout.rank - 2].size >= LEAST_TRANSPOSED
        && (transposed(layout, &Axis::a, item) || transposed(layout, &Axis::b, item))) {
        plan_blocks(plan, item);
        return;
    }
    plan_tiles(plan, item, tuning.tile);
}

void run(const Plan& plan, intptr_t from, intptr_t to, char* scratch) {
    switch (plan.way) {
        case Way::ROWS: run_rows(plan, from, to); break;
        case Way::BLOCKS: run_blocks(plan, from, to, scratch); break;
        case Way::TILES: run_tiles(plan, from, to, scratch); break;
    }
    // Streamed lines are not ordered with what follows until this.
    if (plan.store == STREAM) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

}  // namespace addison
