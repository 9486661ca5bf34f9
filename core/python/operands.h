// From two arrays and a rule to a Layout: the result's shape, each operand's stride along it, and what overlaps what.
#pragma once

#include "../layout.h"
#include "call.h"

namespace addison {

// Shape of the result in its own axis order, and the operands' strides in `layout` (c is not set). `bytes` is the
// result's size and `traffic` all that is read and written. False when the shapes do not merge or the size overflows.
bool merge_shapes(const Call& call, intptr_t item, npy_intp* shape, Layout& layout, intptr_t* bytes,
                  intptr_t* traffic);

// Whether `out` may be written while the operands are read: each operand lies apart from it or is it, element for
// element. The layout has all three strides set, of at least one element.
bool may_write(const Layout& layout, intptr_t item);

}  // namespace addison
