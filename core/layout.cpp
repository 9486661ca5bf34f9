#include "layout.h"

#include <utility>

namespace addison {

namespace {

intptr_t magnitude(intptr_t x) { return x < 0 ? -x : x; }

// Whether `outer` should come inside `inner`, going by one operand: 1 yes, -1 no, 0 the operand does not say.
int belongs_inside(intptr_t outer, intptr_t inner) {
    if (outer == 0 || inner == 0) return 0;
    return magnitude(outer) < magnitude(inner) ? 1 : -1;
}

}  // namespace

// NumPy's own insertion sort (nditer, order "K"), so that results have the layout np.add would give them: from the
// innermost axis outwards, each axis moves in past those with larger strides; an axis that no operand can be
// compared on is passed over, and two operands that disagree leave C order.
bool memory_order(const Layout& layout, int* order) {
    const int rank = layout.rank;
    int sorted[MAX_RANK];                       // innermost first, as nditer has it
    for (int i = 0; i < rank; i++) sorted[i] = rank - 1 - i;
    bool moved = false;
    for (int i = 1; i < rank; i++) {
        const int axis = sorted[i];
        const Axis& mine = layout.axes[axis];
        int place = i;
        for (int k = i - 1; k >= 0; k--) {
            const Axis& other = layout.axes[sorted[k]];
            if (mine.size == 1 || other.size == 1) continue;
            const int by_a = belongs_inside(mine.a, other.a), by_b = belongs_inside(mine.b, other.b);
            if (by_a == 0 && by_b == 0) continue;
            if (by_a < 0 || by_b < 0) break;
            place = k;
        }
        for (int k = i; k > place; k--) sorted[k] = sorted[k - 1];
        sorted[place] = axis;
        moved |= place != i;
    }
    for (int i = 0; i < rank; i++) order[i] = sorted[rank - 1 - i];
    return !moved;
}

void permute(Layout& layout, const int* order) {
    Axis axes[MAX_RANK];
    for (int i = 0; i < layout.rank; i++) axes[i] = layout.axes[order[i]];
    for (int i = 0; i < layout.rank; i++) layout.axes[i] = axes[i];
}

void follow_result(Layout& layout) {
    for (int i = 0; i < layout.rank; i++) {
        Axis& axis = layout.axes[i];
        if (axis.c < 0) {
            const intptr_t last = axis.size - 1;
            layout.a += last * axis.a;
            layout.b += last * axis.b;
            layout.c += last * axis.c;
            axis.a = -axis.a;
            axis.b = -axis.b;
            axis.c = -axis.c;
        }
        for (int k = i; k > 0 && layout.axes[k - 1].c < layout.axes[k].c; k--)
            std::swap(layout.axes[k - 1], layout.axes[k]);
    }
}

void collapse(Layout& layout) {
    int kept = 0;
    for (int i = 0; i < layout.rank; i++) {
        const Axis& axis = layout.axes[i];
        if (axis.size == 1) continue;
        if (kept) {
            Axis& before = layout.axes[kept - 1];
            if (before.a == axis.a * axis.size && before.b == axis.b * axis.size && before.c == axis.c * axis.size) {
                before = {before.size * axis.size, axis.a, axis.b, axis.c};
                continue;
            }
        }
        layout.axes[kept++] = axis;
    }
    layout.rank = kept;
}

bool result_contiguous(const Layout& layout, int from, intptr_t item) {
    for (int i = layout.rank - 1; i >= from; i--) {
        if (layout.axes[i].c != item) return false;
        item *= layout.axes[i].size;
    }
    return true;
}

}  // namespace addison
