// A kind's entry in a level's table: every way to add its rows.
#pragma once

#include "alone.h"
#include "fold.h"
#include "pairs.h"
#include "row.h"
#include "spread.h"

namespace {

using addison::Rows;

// ROUNDS: by floating-point hardware. PACKED: never in a chain. LESS: code for folds, as adding is costly, or chains
// of it seldom.
enum Traits { NONE = 0, ROUNDS = 1, PACKED = 2, LESS = 4 };

template <class Op, int TRAITS = NONE>
constexpr Rows rows() {
    Rows all = {{row<Op, false, PLAIN>, row<Op, false, AHEAD>, row<Op, false, STREAM>},
                {row<Op, true, PLAIN>, row<Op, true, AHEAD>, row<Op, true, STREAM>},
                block<Op, false>, block<Op, true>, cyclic<Op>, {}, {}, alone<Op, (TRAITS & ROUNDS) != 0>};
    if constexpr (!(TRAITS & PACKED)) all.fold = fold<Op, (TRAITS & LESS) != 0>;
    if constexpr (BYTE_SHUFFLE && !(TRAITS & PACKED)) {
        all.spread[PLAIN] = spread<Op, PLAIN>;
        all.spread[AHEAD] = spread<Op, AHEAD>;
        all.spread[STREAM] = spread<Op, STREAM>;
    }
    return all;
}

// By vectors where the level has what the Op wants, else from a table of all pairs.
template <class Op, bool HAS, int TRAITS = NONE>
constexpr Rows rows_if() {
    if constexpr (HAS) return rows<Op, TRAITS>();
    else
        return {{table_row<Op, false>, table_row<Op, false>, table_row<Op, false>},
                {table_row<Op, true>, table_row<Op, true>, table_row<Op, true>},
                lines_of<table_row<Op, false>>, lines_of<table_row<Op, true>>, table_cyclic<Op>, {}, {},
                guarded<table_row<Op, false>>};
}

}  // namespace
