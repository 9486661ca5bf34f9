// Every threshold, in bytes unless it says otherwise. Measured figures and reasons stand beside the code that asks;
// tests lower them, so that small arrays reach every path.
#pragma once

#include <cstddef>
#include <cstdint>

namespace addison {

struct Tuning {
    intptr_t chunk = 16 << 10;           // of a row, so that threads share evenly
    intptr_t row = 64;                   // shortest row that is added where it lies though tiles would need no packing
    intptr_t streamed_row = 512;         // shortest row that is streamed
    intptr_t tile = 8 << 10;             // packed in L1
    intptr_t long_tile = 32 << 10;       // of nothing that needs packing
    intptr_t block = 32 << 10;           // of a chain
    intptr_t chain_row = 256;            // shortest row of a chain that is added where it lies
    intptr_t chain_ahead = 1 << 20;      // traffic from which those rows prefetch
    intptr_t in_level1 = 32 << 10;       // what a chain may work in at once
    intptr_t far = 20 << 20;             // traffic of a chain from which its operands come from memory; then,
    intptr_t far_block = 128 << 10;      // instead of these two
    intptr_t in_level2 = 512 << 10;
    intptr_t least_block = 4 << 10;      // however many buffers there are
    intptr_t ahead = 96 << 10;           // traffic from which rows prefetch
    intptr_t stream = 48 << 20;          // traffic from which stores pass the caches; twice that when little is read
    intptr_t share_spinning = 288 << 10; // traffic from which a second thread helps, while it spins
    intptr_t share_far = 576 << 10;      // the same, while its core is far
    intptr_t share_parked = 2 << 20;     // the same, when it must be woken
    intptr_t piece = 64 << 10;           // traffic of one piece handed to a thread
    intptr_t unlock = 4 << 20;           // traffic (about 100 us) from which the interpreter's lock is released
    intptr_t recycle = 256 << 10;        // smallest result that gets a recycled buffer
};

extern Tuning tuning;

}  // namespace addison
