// How a chain falls into blocks, and what adds within one.
#include <algorithm>
#include <functional>
#include <numeric>

#include "chain.h"

namespace addison {

namespace {

intptr_t packed(const std::vector<Tile>& tiles) {
    return std::count_if(tiles.begin(), tiles.end(), [](const Tile& tile) { return tile.form == Form::PACKED; });
}

intptr_t over(intptr_t all, intptr_t each) { return (all + each - 1) / each; }

// The size of equal parts that are not more than fits, or than whole units need.
intptr_t equal_part(intptr_t all, intptr_t fits, intptr_t unit) {
    if (fits >= all) return all;
    const intptr_t each = over(all, over(all, std::max<intptr_t>(fits, 1)));
    return each > unit ? over(each, unit) * unit : each;
}

}  // namespace

// Whether blocks are rows, read where they lie. Shorter rows are packed to longer ones, as every row has an end that is
// added twice or by itself; where adding is costly all are, as long as the operands are in the caches. Few short rows
// are packed as well: what is the same in every block is packed once.
bool Chain::rows_pay() const {
    if (sizes_.size() < 2 || !level_.rows[static_cast<int>(kind_)].fold || (is_costly() && !is_far())) return false;
    const intptr_t row = sizes_.back() * item_, rows = sizes_[sizes_.size() - 2];
    return row >= tuning.chain_row && (row >= tuning.least_block || rows * row >= tuning.least_block);
}

// What a block works in (buffers, packed operands and one that is read) stays within L1: 9 arrays of 64 KB in 2.7 us
// with blocks of 32 KB, in 2.9 with 16 KB. Operands that come from memory are read in longer runs, which memory likes,
// and the buffers are in L2: 9 arrays of 4 MB in 0.37 ms with blocks of 128 KB and in 0.44 with 16 KB, 4 arrays of 64
// MB in 5.1 and in 6.5.
void Chain::choose_block() {
    const intptr_t fits = is_far() ? tuning.in_level2 : tuning.in_level1;
    intptr_t block = is_far() ? tuning.far_block : tuning.block;
    divide(block);
    while (block > tuning.least_block && (buffers_ + 1 + packed(tiles_)) * block > fits) divide(block /= 2);
    columns_ = over(inner_, width_);
    pieces_ = over(sizes_[axis_], step_) * columns_;
    units_ = std::accumulate(sizes_.begin(), sizes_.begin() + axis_, pieces_, std::multiplies<>());
}

void Chain::divide(intptr_t block) {
    const intptr_t fits = std::max<intptr_t>(1, block / item_);
    if (rows_) divide_rows(fits);
    else divide_tiles(fits);
}

// As many rows as fit, a multiple of those that are folded at once; or only so many, and of them as much as fits.
void Chain::divide_rows(intptr_t fits) {
    axis_ = static_cast<int>(sizes_.size()) - 2;
    inner_ = sizes_.back();
    const intptr_t rows = std::min<intptr_t>(sizes_[axis_], AT_ONCE);
    step_ = equal_part(sizes_[axis_], std::max(rows, fits / inner_), AT_ONCE);
    width_ = step_ > rows ? inner_ : equal_part(inner_, fits / rows, static_cast<intptr_t>(LINE) / item_);
}

// A block takes as many of the innermost axes as fit and, of the next, as many steps: equal ones, whole lines.
void Chain::divide_tiles(intptr_t fits) {
    axis_ = static_cast<int>(sizes_.size()) - 1;
    inner_ = 1;
    while (axis_ > 0 && inner_ * sizes_[axis_] <= fits) inner_ *= sizes_[axis_--];
    width_ = inner_;
    step_ = equal_part(sizes_[axis_], fits / inner_, static_cast<intptr_t>(LINE) / item_);
    tiles_ = tiles(step_);
    if (step_ == 1 || inner_ * item_ < 1024) return;
    // One step of 1 KB or more, when that makes single items of operands that would else have to be packed.
    std::vector<Tile> single = tiles(1);
    if (packed(single) >= packed(tiles_)) return;
    step_ = 1;
    tiles_ = std::move(single);
}

std::vector<Tile> Chain::tiles(intptr_t steps) const {
    std::vector<intptr_t> sizes(sizes_.begin() + axis_, sizes_.end());
    sizes[0] = steps;
    std::vector<Tile> all;
    for (const Strides& strides : strides_)
        all.emplace_back(static_cast<int>(sizes.size()), sizes.data(), strides.data() + axis_, item_);
    return all;
}

// Of two terms in tiles the first is a plain run of items, and the second may be one item or repeat itself. In a fold
// what repeats itself is packed.
void Chain::choose_forms() {
    if (rows_) return;
    const auto runs = [&](int place) { return place >= operands() || tiles_[place].runs(); };
    for (Action& action : actions_) {
        auto& terms = action.terms;
        if (terms.size() == 2) {
            if (!runs(terms[0]) && runs(terms[1])) std::swap(terms[0], terms[1]);
            if (!runs(terms[0])) tiles_[terms[0]].form = Form::PACKED;
            continue;
        }
        for (const int term : terms)
            if (term < operands() && tiles_[term].form == Form::CYCLIC) tiles_[term].form = Form::PACKED;
    }
}

void Chain::choose_kernels() {
    for (Action& action : actions_) {
        const bool streams = action.last && action.to >= operands() + buffers_;
        if (rows_ || action.terms.size() > 2) choose_fold(action, streams);
        else choose_row(action, streams);
    }
}

void Chain::choose_fold(Action& action, bool streams) const {
    action.fold = level_.rows[static_cast<int>(kind_)].fold;
    action.store[0] = is_far() || (rows_ && traffic_ >= tuning.chain_ahead) ? AHEAD : PLAIN;
    action.store[1] = streams ? STREAM : action.store[0];
    action.across = across(action.to);
    for (size_t k = 0; k < action.terms.size(); k++) {
        action.parts[k].along = is_item(action.terms[k]) ? 0 : ~size_t{0};
        action.parts[k].across = across(action.terms[k]);
    }
}

// Whether there is one item for the whole row of a block.
bool Chain::is_item(int place) const {
    if (place >= operands()) return false;
    return rows_ ? strides_[place].back() == 0 : tiles_[place].form == Form::CONSTANT;
}

// Bytes from one row of a block to the next.
intptr_t Chain::across(int place) const {
    if (!rows_) return 0;
    if (place < operands()) return strides_[place][axis_];
    return (place < operands() + buffers_ ? width_ : inner_) * item_;
}

void Chain::choose_row(Action& action, bool streams) const {
    const Rows& rows = level_.rows[static_cast<int>(kind_)];
    const int second = action.terms[1];
    const Form form = second < operands() ? tiles_[second].form : Form::FLAT;
    const auto& row = form == Form::CONSTANT ? rows.scalar : rows.vector;
    action.row[0] = row[PLAIN];
    action.row[1] = row[streams ? STREAM : PLAIN];
    if (form != Form::CYCLIC) return;
    action.cyclic = rows.cyclic;
    action.period = tiles_[second].period;
}

void Chain::lay_out_scratch() {
    const intptr_t block = step_ * width_ * item_;
    buffer_bytes_ = (block + 2 * LINE - 1) / LINE * LINE;
    scratch_bytes_ = buffers_ * buffer_bytes_;
    for (const Tile& tile : tiles_) {
        packs_.push_back(scratch_bytes_);
        if (tile.form != Form::FLAT && tile.form != Form::CONSTANT) scratch_bytes_ += tile_buffer(block);
    }
}

}  // namespace addison
