// Packed bytes of Tensors: one operand of one element, and the bits of the last item that no element owns.
#pragma once

#include "element.h"

namespace addison {

inline constexpr int MOST_ITEM_BYTES = 8;

// Bytes that `elements` elements take.
size_t packed_bytes(const Element& element, size_t elements);

// One item whose every lane is the first element of `from`.
void repeat_first(const Element& element, const char* from, char* item);

// Clears what lies past the last element in the last item.
void clear_padding(const Element& element, char* data, size_t elements);

}  // namespace addison
