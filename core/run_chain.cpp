// A chain carried out: block after block, and in a block action after action.
#include <algorithm>

#include "chain.h"

namespace addison {

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

void Chain::Action::run(const char* const* place, size_t n, size_t rows, bool stream) const {
    char* const sum = const_cast<char*>(place[to]);      // never an operand's place
    if (fold) {
        const char* from[MOST_TERMS];
        for (size_t k = 0; k < terms.size(); k++) from[k] = place[terms[k]];
        fold(parts.data(), from, terms.size(), {sum, n, rows, across}, store[stream]);
    } else if (cyclic) {
        cyclic(place[terms[0]], place[terms[1]], sum, n, period);
    } else {
        row[stream](place[terms[0]], place[terms[1]], sum, n);
    }
}

void Chain::run(const Call& call, intptr_t from, intptr_t to, char* scratch) const {
    const int operands = this->operands(), size = size_log2(item_);
    Sources sources(*this, call.arrays.operands, from / pieces_);
    TileReader readers[MOST_OPERANDS];
    if (!rows_)
        for (int k = 0; k < operands; k++) readers[k] = TileReader(tiles_[k], scratch + packs_[k]);
    const char* place[MOST_OPERANDS + 2 * MOST_SUMS];
    for (int i = 0; i < buffers_; i++) place[operands + i] = scratch + i * buffer_bytes_;

    intptr_t piece = from % pieces_;
    for (intptr_t unit = from; unit < to; unit++) {
        const intptr_t begin = piece / columns_ * step_, steps = std::min(step_, sizes_[axis_] - begin);
        const intptr_t column = piece % columns_ * width_, width = std::min(width_, inner_ - column);
        for (int k = 0; k < operands; k++) {
            const char* const source = sources.source[k] + begin * strides_[k][axis_];
            place[k] = rows_ ? source + column * strides_[k].back() : readers[k].view(level_, size, source, steps);
        }
        const intptr_t offset = ((unit / pieces_ * sizes_[axis_] + begin) * inner_ + column) * item_;
        for (int i = 0; i < results_; i++) place[operands + buffers_ + i] = call.arrays.results[i] + offset;
        const auto rows = static_cast<size_t>(rows_ ? steps : 1), n = static_cast<size_t>(steps * width) / rows;
        for (const Action& action : actions_) action.run(place, n, rows, call.stream);
        if (++piece == pieces_) {
            piece = 0;
            sources.next();
        }
    }
    // Streamed lines are not ordered with what follows until this.
    if (call.stream) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

}  // namespace addison
