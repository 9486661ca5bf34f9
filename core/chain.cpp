#include "chain.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "tuning.h"

namespace addison {

Chain::Chain(const Level& level, Kind kind, std::vector<intptr_t> sizes, std::vector<Strides> operands,
             const std::vector<Sum>& sums)
    : level_(level), kind_(kind), item_(facts(kind).size), sizes_(std::move(sizes)), strides_(std::move(operands)) {
    collapse();
    find_places(sums);
    choose_block();
    choose_kernels();
    weigh();
}

// How much is moved, and how long that takes. Counted in doubles: of results there may be more bytes than a number holds.
void Chain::weigh() {
    const auto item = static_cast<double>(item_);
    const double result = std::accumulate(sizes_.begin(), sizes_.end(), item, std::multiplies<>());
    double traffic = result * results_;
    for (const Strides& strides : strides_) {
        double read = item;
        for (size_t i = 0; i < sizes_.size(); i++) read *= strides[i] ? static_cast<double>(sizes_[i]) : 1;
        traffic += read;
    }
    const double work = (traffic + result * static_cast<double>(steps_.size())) / 4 * facts(kind_).cost;
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

// Every sum gets a place: a result's array, the buffer of its operand a when nobody else needs that, or another buffer.
void Chain::find_places(const std::vector<Sum>& sums) {
    const int operands = this->operands(), values = operands + static_cast<int>(sums.size());
    std::vector<int> last_use(values, -1), buffer(values, -1), result(values, -1);
    for (int i = operands; i < values; i++) {
        const Sum& sum = sums[i - operands];
        last_use[sum.a] = last_use[sum.b] = i;
        result[i] = sum.result;
        results_ += sum.result >= 0;
    }
    Buffers buffers;
    for (int i = operands; i < values; i++) {
        int a = sums[i - operands].a, b = sums[i - operands].b;
        const auto dies = [&](int value) { return buffer[value] >= 0 && last_use[value] == i; };
        if (!dies(a) && dies(b)) std::swap(a, b);      // a row kernel may write over its first operand
        const bool reuses = result[i] < 0 && dies(a);
        if (result[i] < 0) buffer[i] = reuses ? buffer[a] : buffers.take();
        if (dies(a) && !reuses) buffers.give_back(buffer[a]);
        if (dies(b) && b != a) buffers.give_back(buffer[b]);
        steps_.push_back({a, b, i, last_use[i] < 0});
    }
    buffers_ = buffers.made();
    const auto place = [&](int value) {
        return value < operands ? value : operands + (buffer[value] >= 0 ? buffer[value] : buffers_ + result[value]);
    };
    for (Step& step : steps_) {
        step.a = place(step.a);
        step.b = place(step.b);
        step.to = place(step.to);
    }
}

namespace {

intptr_t packed(const std::vector<Tile>& tiles) {
    return std::count_if(tiles.begin(), tiles.end(), [](const Tile& tile) { return tile.form == Form::PACKED; });
}

}  // namespace

// Large blocks, because every operand is read in runs of a block and memory likes long ones; but what a block works in
// (buffers, packed operands and the one that is read) stays within L1.
void Chain::choose_block() {
    intptr_t block = tuning.block;
    divide(block);
    while (block > tuning.least_block && (buffers_ + 1 + packed(tiles_)) * block > tuning.in_level1) divide(block /= 2);
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

// The first operand of a row kernel is a plain run of items, the second may be one item or repeat itself.
void Chain::choose_kernels() {
    const Rows& rows = level_.rows[static_cast<int>(kind_)];
    const auto runs = [&](int place) { return place >= operands() || tiles_[place].runs(); };
    for (Step& step : steps_) {
        if (!runs(step.a) && runs(step.b)) std::swap(step.a, step.b);
        if (!runs(step.a)) tiles_[step.a].form = Form::PACKED;
    }
    for (Step& step : steps_) {
        const Form form = step.b < operands() ? tiles_[step.b].form : Form::FLAT;
        const bool streams = step.last && step.to >= operands() + buffers_;
        const auto& row = form == Form::CONSTANT ? rows.scalar : rows.vector;
        step.row[0] = row[PLAIN];
        step.row[1] = row[streams ? STREAM : PLAIN];
        if (form != Form::CYCLIC) continue;
        step.cyclic = rows.cyclic;
        step.period = tiles_[step.b].period;
    }
    const intptr_t block = step_ * inner_ * item_;
    buffer_bytes_ = (block + 2 * LINE - 1) / LINE * LINE;
    scratch_bytes_ = buffers_ * buffer_bytes_;
    for (const Tile& tile : tiles_) {
        packs_.push_back(scratch_bytes_);
        if (tile.form == Form::PACKED || tile.form == Form::CYCLIC) scratch_bytes_ += tile_buffer(block);
    }
}

struct Chain::Call {
    const Chain& chain;
    const Arrays& arrays;
    bool stream;
};

bool Chain::carry_out(const Arrays& arrays) const {
    const Call call{*this, arrays, arrays.touched && traffic_ >= tuning.stream};
    const auto run_call = [](const void* what, intptr_t from, intptr_t to, char* scratch) {
        const Call& call = *static_cast<const Call*>(what);
        call.chain.run(call, from, to, scratch);
    };
    return addison::carry_out(Task{run_call, &call, units_, scratch_bytes_, work_});
}

// Where every operand is, at one place of the outer axes; the last axis goes fastest.
struct Chain::Sources {
    const Chain& chain;
    intptr_t at[MAX_RANK];
    const char* source[MOST_OPERANDS];

    Sources(const Chain& of, const char* const* operands, intptr_t place) : chain(of) {
        std::copy_n(operands, chain.operands(), source);
        for (int i = chain.axis_ - 1; i >= 0; i--) {
            at[i] = place % chain.sizes_[i];
            place /= chain.sizes_[i];
            move(i, at[i]);
        }
    }

    void next() {
        for (int i = chain.axis_ - 1; i >= 0; i--) {
            const bool wraps = ++at[i] == chain.sizes_[i];
            move(i, wraps ? 1 - chain.sizes_[i] : 1);
            if (!wraps) return;
            at[i] = 0;
        }
    }

  private:
    void move(int axis, intptr_t steps) {
        for (int k = 0; k < chain.operands(); k++) source[k] += steps * chain.strides_[k][axis];
    }
};

void Chain::run(const Call& call, intptr_t from, intptr_t to, char* scratch) const {
    const int operands = this->operands(), size = size_log2(item_);
    const intptr_t step_bytes = inner_ * item_;
    Sources sources(*this, call.arrays.operands, from / pieces_);
    TileReader readers[MOST_OPERANDS];
    for (int k = 0; k < operands; k++) readers[k] = TileReader(tiles_[k], scratch + packs_[k]);
    const char* place[MOST_OPERANDS + 2 * MOST_SUMS];
    for (int i = 0; i < buffers_; i++) place[operands + i] = scratch + i * buffer_bytes_;

    intptr_t piece = from % pieces_;
    for (intptr_t unit = from; unit < to; unit++) {
        const intptr_t begin = piece * step_, steps = std::min(step_, sizes_[axis_] - begin);
        for (int k = 0; k < operands; k++)
            place[k] = readers[k].view(level_, size, sources.source[k] + begin * strides_[k][axis_], steps);
        const intptr_t offset = (unit / pieces_ * sizes_[axis_] + begin) * step_bytes;
        for (int i = 0; i < results_; i++) place[operands + buffers_ + i] = call.arrays.results[i] + offset;
        const auto n = static_cast<size_t>(steps * inner_);
        for (const Step& step : steps_) {
            char* const sum = const_cast<char*>(place[step.to]);
            if (step.cyclic) step.cyclic(place[step.a], place[step.b], sum, n, step.period);
            else step.row[call.stream](place[step.a], place[step.b], sum, n);
        }
        if (++piece == pieces_) {
            piece = 0;
            sources.next();
        }
    }
    // Streamed lines are not ordered with what follows until this.
    if (call.stream) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

}  // namespace addison
