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
    rows_ = rows_pay();
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

}  // namespace addison
