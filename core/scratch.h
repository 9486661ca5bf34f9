// A thread's own scratch memory, kept between calls: packing buffers of up to half a megabyte would overflow the small
// stacks that Python threads may have.
#pragma once

#include <cstddef>

namespace addison {

// At least `bytes`, aligned to a page; null when memory is short.
char* scratch(size_t bytes);

}  // namespace addison
