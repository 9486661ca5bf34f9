// Types of a byte whose sums the level has no fast instructions for: read from a table of all pairs.
//
// f8 by integers makes 0.7 elements per ns, from the table 2.3. Nibbles looked up without a byte shuffle are code for
// every lane, which in all the kernels is a megabyte and a minute of compiling.
#pragma once

#include "row.h"

namespace {

// All 65536 sums, built on first use by the Op's own vector code.
template <class Op>
struct PairTable {
    uint8_t sums[256][256];
    PairTable() {
        for (int x = 0; x < 256; x++)
            for (int y = 0; y < 256; y += WIDE) {
                Bytes<WIDE> right;
                for (int k = 0; k < WIDE; k++) right[k] = (uint8_t)(y + k);
                const Bytes<WIDE> left = Bytes<WIDE>{} + (uint8_t)x;
                store<WIDE>((char*)&sums[x][y], Op::template add<WIDE>(left, right));
            }
    }
    static const PairTable& get() {
        static const PairTable table;
        return table;
    }
};

template <class Op, bool SCALAR>
void table_row(const char* a, const char* b, char* c, size_t n) {
    const auto& table = PairTable<Op>::get();
    if (n == 0) return;                                   // then there may be no b to look at
    const uint8_t* scalar = table.sums[(uint8_t)*b];      // a sum does not depend on the order
    for (size_t i = 0; i < n; i++)
        c[i] = (char)(SCALAR ? scalar[(uint8_t)a[i]] : table.sums[(uint8_t)a[i]][(uint8_t)b[i]]);
}

template <class Op>
void table_cyclic(const char* a, const char* b, char* c, size_t n, size_t period) {
    for (size_t i = 0; i < n; i += period) table_row<Op, false>(a + i, b, c + i, n - i < period ? n - i : period);
}

}  // namespace
