// TILES: the innermost axes together, as a run of the result that fits L1. What an operand is over a tile decides how
// it is read.
#include <algorithm>
#include <numeric>

#include "plan.h"
#include "walk.h"

namespace addison {

namespace {

// Of one operand's buffer: a tile, or a period and a row more; packing writes up to a LINE past the end.
intptr_t operand_bytes(const Plan& plan) {
    const intptr_t tile = plan.step * plan.inner * facts(plan.kind).size;
    return (std::max(tile, 2 * LONGEST_PERIOD) + 2 * static_cast<intptr_t>(LINE)) / LINE * LINE;
}

enum class Shape : uint8_t {
    FLAT,       // consecutive, like the result: read where it lies
    CONSTANT,   // one item
    CYCLIC,     // a short row again and again: a buffer of a few lines is enough
    PACKED,     // anything else: copied to a buffer, kept while its source does not move
};

struct Operand {
    Shape shape;
    int rank;                      // of the tile as this operand sees it; axis 0 is the divided one
    intptr_t sizes[MAX_RANK], strides[MAX_RANK];
    intptr_t period;               // CYCLIC: bytes after which the buffer repeats itself; it holds a LINE more
    char* buffer;
    const char* packed_from;
    intptr_t packed_steps;

    Operand(const Plan& plan, intptr_t Axis::*stride, intptr_t item, char* scratch)
        : rank(0), period(0), buffer(scratch), packed_from(nullptr), packed_steps(0) {
        const Layout& layout = plan.layout;
        for (int i = plan.axis; i < layout.rank; i++) {
            const intptr_t size = i == plan.axis ? plan.step : layout.axes[i].size;
            const intptr_t step = layout.axes[i].*stride;
            if (i > plan.axis && size == 1) continue;
            // the divided axis stays apart, because the last tile has fewer steps of it
            if (rank > 1 && strides[rank - 1] == step * size) {
                sizes[rank - 1] *= size;
                strides[rank - 1] = step;
            } else {
                sizes[rank] = size;
                strides[rank++] = step;
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
        shape = constant ? Shape::CONSTANT : flat ? Shape::FLAT : Shape::PACKED;
        if (shape == Shape::PACKED) find_period(run, item);
    }

    // The tile is `times` repetitions of a contiguous row.
    void find_period(intptr_t bytes, intptr_t item) {
        int first = 0;
        while (first < rank && (strides[first] == 0 || sizes[first] == 1)) first++;
        if (first != rank - 1 || strides[first] != item) return;
        const intptr_t row = sizes[first] * item;
        const intptr_t cycle = std::lcm(row, static_cast<intptr_t>(LINE));
        if (2 * cycle > bytes || cycle > LONGEST_PERIOD) return;
        shape = Shape::CYCLIC;
        period = cycle;
    }

    void force_packed() { shape = Shape::PACKED; }

    // The first item of this operand over a tile of `steps` that begins at `source`.
    const char* view(const Level& level, int size, const char* source, intptr_t steps) {
        if (shape == Shape::FLAT || shape == Shape::CONSTANT) return source;
        if (packed_from == source && packed_steps >= steps) return buffer;
        if (shape == Shape::CYCLIC) {
            const intptr_t row = sizes[rank - 1], used = (period + static_cast<intptr_t>(LINE)) >> size;
            const intptr_t cycle[2] = {(used + row - 1) / row, row};
            const intptr_t cycle_strides[2] = {0, strides[rank - 1]};
            level.pack[size](buffer, source, 2, cycle, cycle_strides);
            steps = INTPTR_MAX;
        } else {
            intptr_t part[MAX_RANK];
            std::copy_n(sizes, rank, part);
            part[0] = steps;
            const int skip = steps == 1 && rank > 1;
            level.pack[size](buffer, source, rank - skip, part + skip, strides + skip);
        }
        packed_from = source;
        packed_steps = steps;
        return buffer;
    }
};

}  // namespace

void run_tiles(const Plan& plan, intptr_t from, intptr_t to, char* scratch) {
    const Layout& layout = plan.layout;
    const Axis& divided = layout.axes[plan.axis];
    const intptr_t item = facts(plan.kind).size;
    const int size = size_log2(item);
    const Rows& rows = plan.level->rows[static_cast<int>(plan.kind)];
    Operand left(plan, &Axis::a, item, scratch);
    Operand right(plan, &Axis::b, item, scratch + operand_bytes(plan));
    // Addition commutes, so one of the two reads as a plain run of items: the left one.
    const bool swapped = left.shape == Shape::CONSTANT || left.shape == Shape::CYCLIC;
    Operand& x = swapped ? right : left;
    Operand& y = swapped ? left : right;
    if (x.shape == Shape::CONSTANT || x.shape == Shape::CYCLIC) x.force_packed();
    const Row kernel = y.shape == Shape::CONSTANT ? rows.scalar[plan.store] : rows.vector[plan.store];

    Walk walk(layout, plan.axis, from / plan.pieces);
    intptr_t piece = from % plan.pieces;
    for (intptr_t unit = from; unit < to; unit++) {
        const intptr_t begin = piece * plan.step, steps = std::min(plan.step, divided.size - begin);
        const char* a = walk.a + begin * divided.a;
        const char* b = walk.b + begin * divided.b;
        char* c = walk.c + begin * divided.c;
        const char* p = x.view(*plan.level, size, swapped ? b : a, steps);
        const char* q = y.view(*plan.level, size, swapped ? a : b, steps);
        if (y.shape == Shape::CYCLIC) rows.cyclic(p, q, c, steps * plan.inner, y.period);
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
