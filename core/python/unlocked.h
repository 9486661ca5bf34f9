// Work done without the interpreter's lock when there is enough of it.
#pragma once

#include "../tuning.h"
#include "numpy.h"

namespace addison {

// Runs `carry_out`, which tells whether there was memory; false with MemoryError set when there was not. The lock is
// given up from about 100 us of work on: giving it up and taking it back costs 50 ns, and other threads gain nothing
// from less.
template <class CarryOut>
bool unlocked(intptr_t work, CarryOut carry_out) {
    bool done;
    if (work >= tuning.unlock) {
        Py_BEGIN_ALLOW_THREADS
        done = carry_out();
        Py_END_ALLOW_THREADS
    } else {
        done = carry_out();
    }
    if (!done) PyErr_NoMemory();
    return done;
}

}  // namespace addison
