// Three arrays walked together: the axes of the result with each array's stride along them.
#pragma once

#include <cstdint>

namespace addison {

inline constexpr int MAX_RANK = 64;   // NumPy's

struct Axis {
    intptr_t size;
    intptr_t a, b, c;   // bytes from one element to the next; 0 where an operand is broadcast
};

// On the stack, whole: planning a small addition allocates nothing.
struct Layout {
    int rank;
    Axis axes[MAX_RANK];
    const char* a;
    const char* b;
    char* c;
};

// The order NumPy gives a new result's axes, outermost first: the operands' memory order, C order where they disagree
// or say nothing. `order[i]` is the axis that comes i-th. True when that is C order.
bool memory_order(const Layout& layout, int* order);

// Axes in the order given.
void permute(Layout& layout, const int* order);

// Strides of the result made positive, its axes sorted from the largest stride to the smallest.
void follow_result(Layout& layout);

// Drops axes of size 1 and joins neighbours that are one run for all three arrays. Most patterns become 1-d or 2-d.
void collapse(Layout& layout);

// Whether the result's axes from `from` on are one run of consecutive items.
bool result_contiguous(const Layout& layout, int from, intptr_t item);

}  // namespace addison
