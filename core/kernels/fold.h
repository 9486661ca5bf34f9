// Many terms added one after the other in registers, every sum rounded. All are read at the same time: memory gives
// more to many streams than to one or two. Nine arrays of 64 MB take 9.3 ms so, 11.1 when two are read at a time and
// the sum so far is kept in L2, 15.8 one at a time.
//
// Four vectors are summed at once, of four rows when there are as many: what is the same in all of them is loaded once.
// (1024, 1024) + (1024,) + (1024, 1) + () + ... with nine terms of f32 in L2: 54 additions a ns, row by row 25.
#pragma once

#include "row.h"

namespace {

using addison::MOST_TERMS;
using addison::Sums;
using addison::Term;

constexpr size_t AT_ONCE = 4;

// The terms of one row, or of AT_ONCE: of what a row has one item, a vector of it.
template <class Op>
struct Terms {
    const size_t count;
    Term all[MOST_TERMS];
    alignas(WIDE) char items[MOST_TERMS][AT_ONCE * WIDE];

    INLINE Terms(const Term* terms, size_t many, size_t row, size_t rows) : count(many) {
        for (size_t k = 0; k < count; k++) {
            all[k] = terms[k];
            all[k].p += static_cast<intptr_t>(row) * terms[k].across;
            if (terms[k].along) continue;
            const char* item = all[k].p;
            for (size_t r = 0; r < (terms[k].across ? rows : 1); r++, item += terms[k].across)
                store<WIDE>(items[k] + r * WIDE, splat<WIDE>(item, Op::size));
            all[k] = {items[k], 0, terms[k].across ? WIDE : 0};
        }
    }

    INLINE Bytes<WIDE> sum(size_t i) const {
        Bytes<WIDE> s = load<WIDE>(all[0].p + (i & all[0].along));
        for (size_t k = 1; k < count; k++) s = Op::template add<WIDE>(s, load<WIDE>(all[k].p + (i & all[k].along)));
        return s;
    }
};

struct Four {
    Bytes<WIDE> v[AT_ONCE];
};

// Four vectors of the sum from byte i of each row on: one of each row, or the next four of the only one.
template <class Op, bool ROWS>
INLINE Four sum_four(const Terms<Op>& terms, size_t i, bool ask_ahead) {
    Four sum;
    const auto give = [&](const Term& term, auto take) INLINE_LAMBDA {
        const char* const p = term.p + (i & term.along);
        const intptr_t next = ROWS ? term.across : WIDE;
        // Without this, three terms from memory among six from L1 take 8.2 ms for 64 MB of results, with it 6.4.
        if (ask_ahead && term.along)
            for (size_t r = 0; r < AT_ONCE; r++) __builtin_prefetch(p + r * next + AHEAD_BYTES, 0, 3);
        if (ROWS ? term.across != 0 : term.along != 0) {
            for (size_t r = 0; r < AT_ONCE; r++) take(r, load<WIDE>(p + r * next));
        } else {
            const Bytes<WIDE> same = load<WIDE>(p);
            for (size_t r = 0; r < AT_ONCE; r++) take(r, same);
        }
    };
    give(terms.all[0], [&](size_t r, Bytes<WIDE> v) INLINE_LAMBDA { sum.v[r] = v; });
    const auto add = [&](size_t r, Bytes<WIDE> v) INLINE_LAMBDA { sum.v[r] = Op::template add<WIDE>(sum.v[r], v); };
    for (size_t k = 1; k < terms.count; k++) give(terms.all[k], add);
    return sum;
}

// Where the sums of AT_ONCE rows go, in which the same places are aligned.
struct FourRows {
    char* c;
    intptr_t across;

    INLINE OneRow row(size_t r) const { return {c + static_cast<intptr_t>(r) * across}; }
    INLINE size_t head() const { return row(0).head(); }
    INLINE void put(Store store, size_t i, const Four& sum) const {
        for (size_t r = 0; r < AT_ONCE; r++) row(r).put(store, i, sum.v[r]);
    }
    INLINE void put_first(const Four& sum, size_t n) const {
        for (size_t r = 0; r < AT_ONCE; r++) row(r).put_first(sum.v[r], n);
    }
    INLINE void put_last(size_t i, const Four& sum, size_t n) const {
        for (size_t r = 0; r < AT_ONCE; r++) row(r).put_last(i, sum.v[r], n);
    }
};

template <class Op>
void fold_rows(const Terms<Op>& terms, char* c, size_t bytes, intptr_t across, Store store) {
    const auto sum = [&](size_t i) INLINE_LAMBDA { return sum_four<Op, true>(terms, i, store != PLAIN); };
    const auto four = [&](size_t i, auto put) INLINE_LAMBDA {
        for (size_t k = 0; k < 4 * WIDE; k += WIDE) put(i + k, sum(i + k));
    };
    cover<Op::size>(store, FourRows{c, across}, bytes, sum, four);
}

template <class Op>
void fold_row(const Terms<Op>& terms, char* c, size_t bytes, Store store) {
    const auto sum = [&](size_t i) INLINE_LAMBDA { return terms.sum(i); };
    const auto four = [&](size_t i, auto put) INLINE_LAMBDA {
        const Four s = sum_four<Op, false>(terms, i, store != PLAIN);
        for (size_t k = 0; k < AT_ONCE; k++) put(i + k * WIDE, s.v[k]);
    };
    cover<Op::size>(store, OneRow{c}, bytes, sum, four);
}

// Fewer bytes than a vector has.
template <class Op>
void fold_short(const Terms<Op>& terms, char* c, size_t n) {
    char sum[WIDE];
    row<Op, false, PLAIN>(terms.all[0].p, terms.all[1].p, sum, n);
    for (size_t k = 2; k < terms.count; k++) row<Op, false, PLAIN>(sum, terms.all[k].p, sum, n);
    __builtin_memcpy(c, sum, n * Op::size);
}

template <class Op>
void fold(const Term* terms, size_t count, const Sums& sums, Store store) {
    const size_t bytes = sums.n * Op::size;
    const bool by_four = bytes >= WIDE && sums.across % WIDE == 0;   // else no place is aligned in all rows
    if (store == STREAM && !streams<Op::size>(sums.c)) store = AHEAD;
    for (size_t row = 0; row < sums.rows;) {
        const size_t taken = by_four && sums.rows - row >= AT_ONCE ? AT_ONCE : 1;
        const Terms<Op> placed(terms, count, row, taken);
        char* const c = sums.c + static_cast<intptr_t>(row) * sums.across;
        if (taken > 1) fold_rows(placed, c, bytes, sums.across, store);
        else if (bytes >= WIDE) fold_row(placed, c, bytes, store);
        else fold_short(placed, c, sums.n);
        row += taken;
    }
}

}  // namespace
