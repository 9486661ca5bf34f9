// Many terms added one after the other in registers, every sum rounded. All are read at the same time: memory gives
// more to many streams than to one or two. Nine arrays of 64 MB take 9.3 ms so, 11.1 when two are read at a time and
// the sum so far is kept in L2, 15.8 one at a time.
//
// Two rows are summed together, so that what is the same in both is loaded once: nine terms of f32, (64, 1024) in L2
// with (1024,), (64, 1) and (1,), are 54 additions a ns, and 25 row by row. Four rows at once are too many streams:
// 11 additions a ns of three whole operands in L2, two rows 15.
#pragma once

#include "row.h"

namespace {

using addison::AT_ONCE;
using addison::MOST_TERMS;
using addison::Sums;
using addison::Term;

// The terms of one row or two: of what a row has one item, a vector of it.
template <class Op>
struct Terms {
    const size_t count, rows;
    Term all[MOST_TERMS];
    const char* items[MOST_TERMS];    // the first row's, of those
    intptr_t steps[MOST_TERMS];       // bytes to the next row of the operand
    alignas(WIDE) char vectors[MOST_TERMS][AT_ONCE * WIDE];

    INLINE Terms(const Term* terms, size_t many, size_t first_row, size_t rows_taken) : count(many), rows(rows_taken) {
        for (size_t k = 0; k < count; k++) {
            all[k] = terms[k];
            all[k].p += static_cast<intptr_t>(first_row) * terms[k].across;
            steps[k] = terms[k].across;
            if (terms[k].along) continue;
            items[k] = all[k].p;
            all[k] = {vectors[k], 0, steps[k] ? WIDE : 0};
            fill(k);
        }
    }

    // To the rows after these.
    INLINE void next() {
        for (size_t k = 0; k < count; k++) {
            const intptr_t by = static_cast<intptr_t>(rows) * steps[k];
            if (all[k].along) all[k].p += by;
            else if (by) fill(k, by);
        }
    }

    // The vector at byte i of a row.
    INLINE Bytes<WIDE> sum(size_t i, intptr_t row) const {
        const auto at = [&](const Term& one) INLINE_LAMBDA {
            return load<WIDE>(one.p + row * one.across + (i & one.along));
        };
        Bytes<WIDE> s = at(all[0]);
        for (size_t k = 1; k < count; k++) s = Op::template add<WIDE>(s, at(all[k]));
        return s;
    }

  private:
    INLINE void fill(size_t k, intptr_t by = 0) {
        items[k] += by;
        const char* item = items[k];
        for (size_t r = 0; r < (steps[k] ? rows : 1); r++, item += steps[k])
            store<WIDE>(vectors[k] + r * WIDE, splat<WIDE>(item, Op::size));
    }
};

template <int COUNT>
struct Vectors {
    Bytes<WIDE> v[COUNT];
};

// So many vectors of the sum: `give(term, take)` takes each of a term's, by number.
template <class Op, int COUNT, class Give>
INLINE Vectors<COUNT> sum_vectors(const Terms<Op>& terms, Give give) {
    Vectors<COUNT> sum;
    give(terms.all[0], [&](size_t k, Bytes<WIDE> v) INLINE_LAMBDA { sum.v[k] = v; });
    const auto add = [&](size_t k, Bytes<WIDE> v) INLINE_LAMBDA { sum.v[k] = Op::template add<WIDE>(sum.v[k], v); };
    for (size_t t = 1; t < terms.count; t++) give(terms.all[t], add);
    return sum;
}

// Without this, three terms from memory among six from L1 take 8.2 ms for 64 MB of results, with it 6.4.
INLINE void prefetch_four(const char* p) {
    for (size_t k = 0; k < 4; k++) __builtin_prefetch(p + k * WIDE + AHEAD_BYTES, 0, 3);
}

// The four vectors from byte i of one row on.
template <class Op>
INLINE Vectors<4> sum_row(const Terms<Op>& terms, size_t i, bool ahead) {
    return sum_vectors<Op, 4>(terms, [&](const Term& term, auto take) INLINE_LAMBDA {
        const char* const p = term.p + (i & term.along);
        if (!term.along) {
            const Bytes<WIDE> same = load<WIDE>(p);
            for (size_t k = 0; k < 4; k++) take(k, same);
            return;
        }
        if (ahead) prefetch_four(p);
        for (size_t k = 0; k < 4; k++) take(k, load<WIDE>(p + k * WIDE));
    });
}

// Those of two rows.
template <class Op>
INLINE Vectors<8> sum_rows(const Terms<Op>& terms, size_t i, bool ahead) {
    return sum_vectors<Op, 8>(terms, [&](const Term& term, auto take) INLINE_LAMBDA {
        const char* const p = term.p + (i & term.along);
        const char* const q = p + term.across;
        if (!term.along) {
            const Bytes<WIDE> x = load<WIDE>(p), y = load<WIDE>(q);
            for (size_t k = 0; k < 4; k++) take(k, x);
            for (size_t k = 0; k < 4; k++) take(4 + k, y);
        } else if (!term.across) {
            for (size_t k = 0; k < 4; k++) {
                const Bytes<WIDE> both = load<WIDE>(p + k * WIDE);
                take(k, both);
                take(4 + k, both);
            }
        } else {
            if (ahead) {
                prefetch_four(p);
                prefetch_four(q);
            }
            for (size_t k = 0; k < 4; k++) take(k, load<WIDE>(p + k * WIDE));
            for (size_t k = 0; k < 4; k++) take(4 + k, load<WIDE>(q + k * WIDE));
        }
    });
}

// One vector of each of two rows.
template <class Op>
INLINE Vectors<2> sum_two(const Terms<Op>& terms, size_t i) {
    return {{terms.sum(i, 0), terms.sum(i, 1)}};
}

// Where the sums of two rows go. In rows that are not aligned alike no place is sought that is: (65, 1000) with (1000,)
// and (65, 1) take 5.3 us so, and 7.5 one by one.
struct TwoRows {
    char* c;
    intptr_t across;

    INLINE OneRow row(size_t r) const { return {c + static_cast<intptr_t>(r) * across}; }
    INLINE size_t head() const { return across % WIDE ? 0 : row(0).head(); }
    INLINE void put(Store store, size_t i, const Vectors<2>& sum) const {
        for (size_t r = 0; r < 2; r++) row(r).put(store, i, sum.v[r]);
    }
    INLINE void put_first(const Vectors<2>& sum, size_t n) const {
        for (size_t r = 0; r < 2; r++) row(r).put_first(sum.v[r], n);
    }
    INLINE void put_last(size_t i, const Vectors<2>& sum, size_t n) const {
        for (size_t r = 0; r < 2; r++) row(r).put_last(i, sum.v[r], n);
    }
};

// Functions of their own, so that the sums have the registers to themselves.
#define NEVER_INLINE __attribute__((noinline))

template <class Op>
NEVER_INLINE void fold_body(const Terms<Op>& terms, const OneRow& to, size_t i, size_t bytes, Store store) {
    const auto sum = [&](size_t at) INLINE_LAMBDA { return terms.sum(at, 0); };
    const auto four = [&](size_t at, auto put) INLINE_LAMBDA {
        const Vectors<4> s = sum_row(terms, at, store != PLAIN);
        for (size_t k = 0; k < 4; k++) put(at + k * WIDE, s.v[k]);
    };
    whole_vectors(store, to, i, bytes, sum, four);
}

template <class Op>
NEVER_INLINE void fold_body(const Terms<Op>& terms, const TwoRows& to, size_t i, size_t bytes, Store store) {
    const auto sum = [&](size_t at) INLINE_LAMBDA { return sum_two(terms, at); };
    const auto four = [&](size_t at, auto put) INLINE_LAMBDA {
        const Vectors<8> s = sum_rows(terms, at, store != PLAIN);
        for (size_t k = 0; k < 4; k++) put(at + k * WIDE, Vectors<2>{{s.v[k], s.v[4 + k]}});
    };
    whole_vectors(store, to, i, bytes, sum, four);
}

template <class Op, class To, class Sum>
INLINE void fold_to(const To& to, const Terms<Op>& terms, size_t bytes, Store store, Sum sum) {
    cover<Op::size>(store, to, bytes, sum, [&](size_t i) INLINE_LAMBDA { fold_body(terms, to, i, bytes, store); });
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
    if (store == STREAM && !streams<Op::size>(sums.c)) store = AHEAD;
    char* c = sums.c;
    size_t row = 0;
    const bool in_pairs = bytes >= WIDE && (store != STREAM || sums.across % WIDE == 0);
    if (in_pairs && sums.rows >= AT_ONCE) {
        for (Terms<Op> two(terms, count, 0, AT_ONCE);; two.next()) {
            fold_to(TwoRows{c, sums.across}, two, bytes, store,
                    [&](size_t i) INLINE_LAMBDA { return sum_two(two, i); });
            c += static_cast<intptr_t>(AT_ONCE) * sums.across;
            if ((row += AT_ONCE) + AT_ONCE > sums.rows) break;
        }
    }
    if (row == sums.rows) return;
    for (Terms<Op> one(terms, count, row, 1);; one.next()) {
        if (bytes < WIDE) fold_short(one, c, sums.n);
        else fold_to(OneRow{c}, one, bytes, store, [&](size_t i) INLINE_LAMBDA { return one.sum(i, 0); });
        c += sums.across;
        if (++row == sums.rows) break;
    }
}

#undef NEVER_INLINE

}  // namespace
