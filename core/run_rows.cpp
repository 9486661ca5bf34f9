// ROWS: long rows of the result in chunks, one kernel call a chunk; short rows many in a call.
#include <algorithm>

#include "plan.h"
#include "walk.h"

namespace addison {

namespace {

// Where a row's chunks begin and end, in items. All but the first begin at a whole line of the result, so that a line
// is never streamed in two parts.
struct Chunks {
    intptr_t size, step, lead;

    Chunks(const Plan& plan, const char* c, intptr_t item)
        : size(plan.layout.axes[plan.layout.rank - 1].size), step(plan.step), lead(0) {
        const intptr_t past = static_cast<intptr_t>(reinterpret_cast<uintptr_t>(c) % LINE);
        if (past % item == 0 && step * item > static_cast<intptr_t>(LINE)) lead = past / item;
    }
    intptr_t begin(intptr_t piece) const { return piece ? std::min(piece * step - lead, size) : 0; }
    intptr_t end(intptr_t piece, intptr_t pieces) const { return piece + 1 == pieces ? size : begin(piece + 1); }
};

void run_bands(const Plan& plan, intptr_t from, intptr_t to) {
    const Layout& layout = plan.layout;
    const Axis& last = layout.axes[layout.rank - 1];
    const Axis& before = layout.axes[layout.rank - 2];
    const Rows& rows = plan.level->rows[static_cast<int>(plan.kind)];
    const Block kernel = last.b == 0 ? rows.scalar_block : rows.vector_block;
    for (intptr_t unit = from; unit < to; unit++) {
        const Walk walk(layout, layout.rank - 2, unit / plan.bands);
        const intptr_t line = unit % plan.bands * plan.lines;
        const Lines by = {static_cast<size_t>(std::min(plan.lines, before.size - line)), before.a, before.b, before.c};
        kernel(walk.a + line * before.a, walk.b + line * before.b, walk.c + line * before.c, last.size, by);
    }
}

}  // namespace

void run_rows(const Plan& plan, intptr_t from, intptr_t to) {
    const Layout& layout = plan.layout;
    const Axis& last = layout.axes[layout.rank - 1];
    const intptr_t item = facts(plan.kind).size;
    const Rows& rows = plan.level->rows[static_cast<int>(plan.kind)];
    const bool constant = last.a == 0;      // then so is b: the plan puts a constant operand second
    if (plan.lines > 1) {
        run_bands(plan, from, to);
        return;
    }
    const Row kernel = last.b == 0 ? rows.scalar[plan.store] : rows.vector[plan.store];
    Walk walk(layout, layout.rank - 1, from / plan.pieces);
    intptr_t piece = from % plan.pieces;
    for (intptr_t unit = from; unit < to;) {
        // chunks that follow each other in a row are one run: units matter for sharing only
        const intptr_t together = std::min(plan.pieces - piece, to - unit);
        const Chunks chunks(plan, walk.c, item);
        const intptr_t begin = chunks.begin(piece), n = chunks.end(piece + together - 1, plan.pieces) - begin;
        if (constant) {
            char sum[8];
            rows.vector[PLAIN](walk.a, walk.b, sum, 1);
            plan.level->fill[size_log2(item)](walk.c + begin * item, sum, n);
        } else {
            kernel(walk.a + begin * item, walk.b + begin * last.b, walk.c + begin * item, n);
        }
        unit += together;
        piece += together;
        if (piece == plan.pieces) {
            piece = 0;
            walk.next();
        }
    }
}

}  // namespace addison
