// BLOCKS: an operand is transposed against the result. Blocks of it are transposed in registers into scratch memory,
// then added row by row.
#include <algorithm>

#include "plan.h"
#include "walk.h"

namespace addison {

namespace {

// One operand within a block: packed when its columns are apart, else as it is.
struct Source {
    intptr_t along, across;   // strides along a row and from row to row
    bool packed;
    char* buffer;

    Source(intptr_t row_stride, intptr_t line_stride, intptr_t item, char* scratch)
        : along(row_stride), across(line_stride), packed(row_stride != item && row_stride != 0), buffer(scratch) {}

    struct View {
        const char* p;
        intptr_t across;
    };
    View view(const Plan& plan, const char* p, intptr_t lines, intptr_t columns, intptr_t item) const {
        if (!packed) return {p, across};
        const intptr_t sizes[2] = {lines, columns}, strides[2] = {across, along};
        plan.level->pack[size_log2(item)](buffer, p, 2, sizes, strides);
        return {buffer, columns * item};
    }
};

}  // namespace

void run_blocks(const Plan& plan, intptr_t from, intptr_t to, char* scratch) {
    const Layout& layout = plan.layout;
    const Axis& last = layout.axes[layout.rank - 1];
    const Axis& before = layout.axes[layout.rank - 2];
    const intptr_t item = facts(plan.kind).size;
    const Rows& rows = plan.level->rows[static_cast<int>(plan.kind)];
    const Source left(last.a, before.a, item, scratch);
    const Source right(last.b, before.b, item, scratch + plan.lines * plan.step * item + LINE);
    const Store store = plan.store == STREAM ? STREAM : PLAIN;
    const Row kernel = last.b == 0 ? rows.scalar[store] : rows.vector[store];
    for (intptr_t unit = from; unit < to; unit++) {
        const Walk walk(layout, layout.rank - 2, unit / plan.pieces);
        const intptr_t line = unit % plan.pieces * plan.lines, lines = std::min(plan.lines, before.size - line);
        const char* a = walk.a + line * before.a;
        const char* b = walk.b + line * before.b;
        char* c = walk.c + line * before.c;
        for (intptr_t j = 0; j < last.size; j += plan.step) {
            const intptr_t columns = std::min(plan.step, last.size - j);
            const auto x = left.view(plan, a + j * last.a, lines, columns, item);
            const auto y = right.view(plan, b + j * last.b, lines, columns, item);
            for (intptr_t i = 0; i < lines; i++)
                kernel(x.p + i * x.across, y.p + i * y.across, c + i * before.c + j * item, columns);
        }
    }
}

}  // namespace addison
