// Result buffers, kept when their array dies and handed out again.
//
// A fresh result of 64 MB costs 18 to 32 ms in page faults on memory the kernel has to zero, 4 to 7 ms on a buffer used
// before. What is kept is bounded; the newest buffer is taken first, as its lines may still be in cache.
#pragma once

#include <cstddef>

namespace addison {

struct Buffer {
    char* memory;       // null: memory is short
    size_t capacity;    // what give_back() wants to know
    bool used_before;   // its pages exist
};

Buffer take_buffer(size_t bytes);
void give_back(char* memory, size_t capacity);

// Frees all that is kept; returns how many bytes that were.
size_t trim();

// Memory that begins with a page, to be freed by std::free; before there is none, what is kept is given up.
char* allocate(size_t bytes);

// The most bytes kept; 0 turns recycling off. At first the smaller of 256 MB and 1/16 of memory.
void set_recycling_limit(size_t bytes);
size_t recycling_limit();
size_t default_recycling_limit();
size_t bytes_kept();

}  // namespace addison
