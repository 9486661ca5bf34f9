// Which sums of a chain are made together.
#include "chain.h"

#include <algorithm>
#include <utility>

namespace addison {

namespace {

// Sums that are used once are made where they are used, as parts of a tree.
class Trees {
  public:
    Trees(int operands, const std::vector<Chain::Sum>& sums) : operands_(operands), sums_(sums) {
        std::vector<int> uses(operands + sums.size());
        for (const Chain::Sum& sum : sums) {
            uses[sum.a]++;
            uses[sum.b]++;
        }
        for (size_t i = 0; i < sums.size(); i++) {
            const auto [a, b, result] = sums[i];
            while (leaves(a) + leaves(b) > MOST_TERMS) part(leaves(a) < leaves(b) ? b : a);
            leaves_.push_back(leaves(a) + leaves(b));
            inside_.push_back(result < 0 && uses[operands + static_cast<int>(i)] == 1);
        }
    }

    // Makes each sum of smaller trees by itself.
    void part_smaller(size_t least) {
        for (size_t i = sums_.size(); i-- > 0;) {
            if (inside_[i] || leaves_[i] >= least) continue;
            for (const int value : {sums_[i].a, sums_[i].b})
                if (is_inside(value)) part(value);
            leaves_[i] = 2;
        }
    }

    bool is_inside(int value) const { return value >= operands_ && inside_[value - operands_]; }

    // The terms of a sum, and in `parts` what they begin and end.
    void give_terms(int value, std::vector<int>& terms, std::vector<Term>& parts) const {
        auto [first, second] = operands_of(value);
        give(first, terms, parts);
        const size_t begin = terms.size();
        give(second, terms, parts);
        if (!is_inside(second)) return;
        parts[begin].begins = true;
        parts.back().ends++;
    }

  private:
    size_t leaves(int value) const { return is_inside(value) ? leaves_[value - operands_] : 1; }
    void part(int value) { inside_[value - operands_] = false; }

    // How many sums are begun at one time, at the least. Fewer than 16 terms never need more than MOST_BEGUN besides
    // the first.
    size_t need(int value) const {
        if (!is_inside(value)) return 0;
        const auto [first, second] = operands_of(value);
        return std::max<size_t>(need(first), is_inside(second) ? need(second) + 1 : 1);
    }
    static_assert(MOST_TERMS < size_t{1} << (MOST_BEGUN + 2));

    // The one that needs more comes first.
    std::pair<int, int> operands_of(int value) const {
        const auto [a, b, result] = sums_[value - operands_];
        return need(a) < need(b) ? std::pair(b, a) : std::pair(a, b);
    }

    void give(int value, std::vector<int>& terms, std::vector<Term>& parts) const {
        if (is_inside(value)) return give_terms(value, terms, parts);
        terms.push_back(value);
        parts.push_back({});
    }

    const int operands_;
    const std::vector<Chain::Sum>& sums_;
    std::vector<bool> inside_;       // of each sum
    std::vector<size_t> leaves_;     // of each sum: terms of its tree
};

}  // namespace

// Trees of sums are folded: all their terms are read at the same time. Where adding costs more than reading, pairs are
// faster as long as the operands are in the caches: 11.9 us and 14.3 for 9 arrays of 128 KB in bf16. Three terms are as
// fast in pairs. The terms of an action are values here; so is `to`, the last sum.
void Chain::group(const std::vector<Sum>& sums) {
    const bool folds = level_.rows[static_cast<int>(kind_)].fold && (rows_ || !is_costly() || is_far());
    Trees trees(operands(), sums);
    if (!rows_) trees.part_smaller(folds ? 4 : MOST_TERMS + 1);
    for (int i = 0; i < static_cast<int>(sums.size()); i++) {
        const int sum = operands() + i;
        if (trees.is_inside(sum)) continue;
        actions_.push_back({{}, sum});
        trees.give_terms(sum, actions_.back().terms, actions_.back().parts);
    }
}

}  // namespace addison
