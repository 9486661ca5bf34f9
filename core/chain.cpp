#include "chain.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace addison {

Chain::Chain(const Level& level, Kind kind, std::vector<intptr_t> sizes, std::vector<Strides> operands,
             const std::vector<Sum>& sums)
    : level_(level), kind_(kind), item_(facts(kind).size), sizes_(std::move(sizes)), strides_(std::move(operands)) {
    collapse();
    weigh(sums);
    group(sums);
    find_places(sums);
    choose_block();
    choose_forms();
    choose_kernels();
    lay_out_scratch();
}

// How much is moved, and how long that takes. Counted in doubles: there may be more bytes of results than a number
// holds.
void Chain::weigh(const std::vector<Sum>& sums) {
    const auto item = static_cast<double>(item_);
    const double result = std::accumulate(sizes_.begin(), sizes_.end(), item, std::multiplies<>());
    double traffic = 0;
    for (const Sum& sum : sums) traffic += sum.result >= 0 ? result : 0;
    for (const Strides& strides : strides_) {
        double read = item;
        for (size_t i = 0; i < sizes_.size(); i++) read *= strides[i] ? static_cast<double>(sizes_[i]) : 1;
        traffic += read;
    }
    const double work = (traffic + result * static_cast<double>(sums.size())) / 4 * facts(kind_).cost;
    constexpr double MOST = 1e18;
    traffic_ = static_cast<intptr_t>(std::min(traffic, MOST));
    work_ = static_cast<intptr_t>(std::min(work, MOST));
}

// Drops axes of size 1 and joins neighbours that are one run for every operand.
void Chain::collapse() {
    size_t kept = 0;
    for (size_t i = 0; i < sizes_.size(); i++) {
        if (sizes_[i] == 1) continue;
        const bool joins = kept > 0 && std::all_of(strides_.begin(), strides_.end(), [&](const Strides& strides) {
            return strides[kept - 1] == strides[i] * sizes_[i];
        });
        if (!joins) kept++;
        sizes_[kept - 1] = joins ? sizes_[kept - 1] * sizes_[i] : sizes_[i];
        for (Strides& strides : strides_) strides[kept - 1] = strides[i];
    }
    sizes_.resize(std::max<size_t>(kept, 1), 1);
    for (Strides& strides : strides_) strides.resize(sizes_.size(), item_);
}

namespace {

// Buffers for sums that are only passed on: as few as there are such sums at one time.
class Buffers {
  public:
    int take() {
        if (free_.empty()) return made_++;
        const int one = free_.back();
        free_.pop_back();
        return one;
    }
    void give_back(int one) { free_.push_back(one); }
    int made() const { return made_; }

  private:
    std::vector<int> free_;
    int made_ = 0;
};

}  // namespace

// Where runs of sums end of which each but the last only goes into the next one.
std::vector<int> Chain::run_ends(const std::vector<Sum>& sums) const {
    const int operands = this->operands(), count = static_cast<int>(sums.size());
    std::vector<int> last_use(operands + count, -1), ends;
    for (int i = 0; i < count; i++) last_use[sums[i].a] = last_use[sums[i].b] = i;
    for (int i = 0; i < count; i++) {
        const int sum = operands + i;
        const bool goes_on = last_use[sum] == i + 1 && sums[i].result < 0 && sums[i + 1].a != sums[i + 1].b;
        if (!goes_on) ends.push_back(i + 1);
    }
    return ends;
}

// A long run of sums is folded: all its terms are read at the same time. Where adding costs more than reading, pairs
// are faster as long as the operands are in the caches: 11.9 us and 14.3 for 9 arrays of 128 KB in bf16. Three terms
// are as fast in pairs. The terms of an action are values here; so is `to`, the last sum.
void Chain::group(const std::vector<Sum>& sums) {
    constexpr int LEAST_TERMS = 4;
    const bool folds = level_.rows[static_cast<int>(kind_)].fold && (facts(kind_).cost <= 4 || is_far());
    const int operands = this->operands();
    int begin = 0;
    for (const int end : run_ends(sums)) {
        const int most = folds && end - begin + 1 >= LEAST_TERMS ? static_cast<int>(MOST_TERMS) : 2;
        for (int i = begin; i < end; i++) {
            const Sum& sum = sums[i];
            const int before = operands + i - 1;
            const bool first = i == begin || static_cast<int>(actions_.back().terms.size()) == most;
            if (first) actions_.push_back({{sum.a, sum.b}, 0});
            else actions_.back().terms.push_back(sum.a == before ? sum.b : sum.a);
            actions_.back().to = operands + i;
        }
        begin = end;
    }
}

// Every action gets a place for its sum: a result's array, the buffer of its first term when nobody else needs that, or
// another buffer.
void Chain::find_places(const std::vector<Sum>& sums) {
    const int operands = this->operands(), values = operands + static_cast<int>(sums.size());
    std::vector<int> last_use(values, -1), buffer(values, -1);
    for (size_t i = 0; i < actions_.size(); i++)
        for (const int term : actions_[i].terms) last_use[term] = static_cast<int>(i);
    const auto result = [&](int value) { return sums[value - operands].result; };
    Buffers buffers;
    for (size_t i = 0; i < actions_.size(); i++) {
        std::vector<int>& terms = actions_[i].terms;
        const int to = actions_[i].to;
        const auto dies = [&](int value) { return buffer[value] >= 0 && last_use[value] == static_cast<int>(i); };
        if (!dies(terms[0]) && dies(terms[1])) std::swap(terms[0], terms[1]);   // the first may be written over
        const bool kept = result(to) >= 0, reuses = !kept && dies(terms[0]);
        results_ += kept;
        if (!kept) buffer[to] = reuses ? buffer[terms[0]] : buffers.take();
        std::vector<int> dead;
        for (const int term : terms)
            if (dies(term) && !(reuses && term == terms[0])) dead.push_back(buffer[term]);
        std::sort(dead.begin(), dead.end());
        dead.erase(std::unique(dead.begin(), dead.end()), dead.end());
        for (const int one : dead) buffers.give_back(one);
        actions_[i].last = last_use[to] < 0;
    }
    buffers_ = buffers.made();
    const auto place = [&](int value) {
        return value < operands ? value : operands + (buffer[value] >= 0 ? buffer[value] : buffers_ + result(value));
    };
    for (Action& action : actions_) {
        for (int& term : action.terms) term = place(term);
        action.to = place(action.to);
    }
}

namespace {

intptr_t packed(const std::vector<Tile>& tiles) {
    return std::count_if(tiles.begin(), tiles.end(), [](const Tile& tile) { return tile.form == Form::PACKED; });
}

}  // namespace

// What a block works in (buffers, packed operands and one that is read) stays within L1. Operands that come from memory
// are read in longer runs, which memory likes, and the buffers are in L2: 9 arrays of 4 MB in 0.37 ms with blocks of
// 128 KB and in 0.44 with 16 KB, 4 arrays of 64 MB in 5.1 and in 6.5.
void Chain::choose_block() {
    const intptr_t fits = is_far() ? tuning.in_level2 : tuning.in_level1;
    intptr_t block = is_far() ? tuning.far_block : tuning.block;
    divide(block);
    while (block > tuning.least_block && (buffers_ + 1 + packed(tiles_)) * block > fits) divide(block /= 2);
    pieces_ = (sizes_[axis_] + step_ - 1) / step_;
    units_ = std::accumulate(sizes_.begin(), sizes_.begin() + axis_, pieces_, std::multiplies<>());
}

// A block takes as many of the innermost axes as fit and, of the next, as many steps: equal ones, whole lines.
void Chain::divide(intptr_t block) {
    const intptr_t fits = std::max<intptr_t>(1, block / item_);
    axis_ = static_cast<int>(sizes_.size()) - 1;
    inner_ = 1;
    while (axis_ > 0 && inner_ * sizes_[axis_] <= fits) inner_ *= sizes_[axis_--];
    const intptr_t size = sizes_[axis_];
    step_ = std::clamp<intptr_t>(fits / inner_, 1, size);
    if (step_ < size) {
        const intptr_t blocks = (size + step_ - 1) / step_, lines = static_cast<intptr_t>(LINE) / item_;
        step_ = (size + blocks - 1) / blocks;
        if (step_ > lines) step_ = (step_ + lines - 1) / lines * lines;
    }
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

// Of two terms the first is a plain run of items, and the second may be one item or repeat itself. In a fold what
// repeats itself is packed.
void Chain::choose_forms() {
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
    const Rows& rows = level_.rows[static_cast<int>(kind_)];
    const auto form = [&](int place) { return place < operands() ? tiles_[place].form : Form::FLAT; };
    for (Action& action : actions_) {
        const bool streams = action.last && action.to >= operands() + buffers_;
        if (action.terms.size() > 2) {
            action.fold = rows.fold;
            action.store[0] = is_far() ? AHEAD : PLAIN;
            action.store[1] = streams ? STREAM : action.store[0];
            for (const int term : action.terms) action.along.push_back(form(term) == Form::CONSTANT ? 0 : ~size_t{0});
            continue;
        }
        const Form second = form(action.terms[1]);
        const auto& row = second == Form::CONSTANT ? rows.scalar : rows.vector;
        action.row[0] = row[PLAIN];
        action.row[1] = row[streams ? STREAM : PLAIN];
        if (second != Form::CYCLIC) continue;
        action.cyclic = rows.cyclic;
        action.period = tiles_[action.terms[1]].period;
    }
}

void Chain::lay_out_scratch() {
    const intptr_t block = step_ * inner_ * item_;
    buffer_bytes_ = (block + 2 * LINE - 1) / LINE * LINE;
    scratch_bytes_ = buffers_ * buffer_bytes_;
    for (const Tile& tile : tiles_) {
        packs_.push_back(scratch_bytes_);
        if (tile.form != Form::FLAT && tile.form != Form::CONSTANT) scratch_bytes_ += tile_buffer(block);
    }
}

}  // namespace addison
