// Chains and trees of additions as one pass: block after block of the result, every sum of a block while its operands
// are in L1. A sum that is only passed on lives in a register or in a block-sized buffer and never reaches memory.
//
// Each sum is made and rounded as an addition of its own would, in the order given, so that the bits are those of
// separate additions.
#pragma once

#include <vector>

#include "add.h"
#include "tile.h"
#include "tuning.h"

namespace addison {

class Chain {
  public:
    static constexpr int MOST_SUMS = 32, MOST_OPERANDS = 2 * MOST_SUMS;

    // Values are numbered: the operands, then the sums in order. A sum adds two values that come before it; `result` is
    // the index of the array it is kept in, or -1 when it is only passed on.
    struct Sum {
        int a, b, result;
    };
    using Strides = std::vector<intptr_t>;

    // All sums have the elements of `sizes`, in C order; an operand has a stride in bytes along each of these axes, 0
    // where it is broadcast. No size is 0.
    Chain(const Level& level, Kind kind, std::vector<intptr_t> sizes, std::vector<Strides> operands,
          const std::vector<Sum>& sums);

    // Where the operands and results of one call are. `touched`: the results' pages have been written before.
    struct Arrays {
        const char* const* operands;
        char* const* results;
        bool touched;
    };

    // False when memory for the blocks is short; then nothing has been written.
    bool carry_out(const Arrays& arrays) const;

    intptr_t work() const { return work_; }        // as Task::work has it

  private:
    // Terms added within a block, each sum before the last used for nothing else. Places are numbered: the operands,
    // the buffers, then the results.
    struct Action {
        std::vector<int> terms;   // values, until they have places
        int to;                   // as well
        bool last = false;        // nobody reads the sum again
        Row row[2] = {};          // of two terms: ordinary; past the caches, for results that are not read again
        Cyclic cyclic = nullptr;  // instead, when the second repeats itself after `period` bytes
        intptr_t period = 0;
        Fold fold = nullptr;      // of more terms, or of rows
        Store store[2] = {};      // as `row`
        std::vector<Term> parts = {};   // the terms as a fold has them
        intptr_t across = 0;

        void run(const char* const* place, size_t n, size_t rows, bool stream) const;
    };
    struct Call;
    struct Sources;

    int operands() const { return static_cast<int>(strides_.size()); }
    bool is_costly() const { return facts(kind_).cost > 4; }      // adding takes longer than reading
    bool is_far() const { return traffic_ >= tuning.far; }
    void collapse();
    void weigh(const std::vector<Sum>& sums);
    bool rows_pay() const;
    void group(const std::vector<Sum>& sums);
    void find_places(const std::vector<Sum>& sums);
    void choose_block();
    void divide(intptr_t block);
    void divide_rows(intptr_t fits);
    void divide_tiles(intptr_t fits);
    std::vector<Tile> tiles(intptr_t steps) const;
    void choose_forms();
    void choose_kernels();
    void choose_fold(Action& action, bool streams) const;
    void choose_row(Action& action, bool streams) const;
    bool is_item(int place) const;
    intptr_t across(int place) const;
    void lay_out_scratch();
    void run(const Call& call, intptr_t from, intptr_t to, char* scratch) const;

    const Level& level_;
    const Kind kind_;
    const intptr_t item_;
    std::vector<intptr_t> sizes_;
    std::vector<Strides> strides_;                   // of each operand
    bool rows_ = false;                              // blocks are rows, read where they lie; else tiles
    std::vector<Tile> tiles_;                        // of each operand
    std::vector<size_t> packs_;                      // of each operand: where in the scratch memory it is packed
    std::vector<Action> actions_;
    int buffers_ = 0, results_ = 0;
    size_t buffer_bytes_ = 0, scratch_bytes_ = 0;

    int axis_ = 0;                                   // the axis that is divided; those after it are inside a block
    intptr_t inner_ = 1;                             // items of one step of it
    intptr_t step_ = 1, width_ = 1;                  // steps in a block, items of each
    intptr_t columns_ = 1;                           // blocks that a step falls into; more than one of rows only
    intptr_t pieces_ = 1, units_ = 1;                // blocks of the axis, blocks in all
    intptr_t traffic_ = 0, work_ = 0;
};

}  // namespace addison
