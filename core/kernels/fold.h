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
using addison::MOST_BEGUN;
using addison::MOST_TERMS;
using addison::Sums;
using addison::Term;

// A term in one row, and how far it is to that in the second.
struct Operand {
    const char* p;
    size_t along;
    intptr_t across;
};

// The terms of one row or two: of what a row has one item, a vector of it.
template <class Op>
struct Terms {
    const Term* const terms;
    const size_t count, rows;
    Operand all[MOST_TERMS];
    const char* items[MOST_TERMS];    // the first row's, of those
    alignas(WIDE) char vectors[MOST_TERMS][AT_ONCE * WIDE];

    INLINE Terms(const Term* what, const char* const* from, size_t many, size_t first_row, size_t rows_taken)
        : terms(what), count(many), rows(rows_taken) {
        for (size_t k = 0; k < count; k++) {
            const char* const p = from[k] + static_cast<intptr_t>(first_row) * terms[k].across;
            if (terms[k].along) {
                all[k] = {p, ~size_t{0}, terms[k].across};
            } else {
                all[k] = {vectors[k], 0, terms[k].across ? WIDE : 0};
                items[k] = p;
                fill(k);
            }
        }
    }

    // To the rows after these.
    INLINE void next() {
        for (size_t k = 0; k < count; k++) {
            const intptr_t by = static_cast<intptr_t>(rows) * terms[k].across;
            if (terms[k].along) {
                all[k].p += by;
            } else if (by) {
                items[k] += by;
                fill(k);
            }
        }
    }

  private:
    INLINE void fill(size_t k) {
        const char* item = items[k];
        for (size_t r = 0; r < (terms[k].across ? rows : 1); r++, item += terms[k].across)
            store<WIDE>(vectors[k] + r * WIDE, splat<WIDE>(item, Op::size));
    }
};

template <int COUNT>
struct Vectors {
    Bytes<WIDE> v[COUNT];
};

// So many vectors of the sum: `give(operand, take)` takes each of an operand's, by number. TREE: terms may begin sums;
// not those of two rows.
template <class Op, int COUNT, bool TREE, class Give>
INLINE Vectors<COUNT> sum_vectors(const Terms<Op>& terms, Give give) {
    alignas(WIDE) char begun[TREE ? MOST_BEGUN : 1][COUNT * WIDE];
    Vectors<COUNT> sum;
    const auto set = [&](size_t k, Bytes<WIDE> v) INLINE_LAMBDA { sum.v[k] = v; };
    const auto add = [&](size_t k, Bytes<WIDE> v) INLINE_LAMBDA { sum.v[k] = Op::template add<WIDE>(sum.v[k], v); };
    give(terms.all[0], set);
    size_t depth = 0;
    for (size_t t = 1; t < terms.count; t++) {
        const Term& term = terms.terms[t];
        if (TREE && term.begins) {
            for (size_t k = 0; k < COUNT; k++) store<WIDE>(begun[depth] + k * WIDE, sum.v[k]);
            depth++;
            give(terms.all[t], set);
        } else {
            give(terms.all[t], add);
        }
        for (size_t ends = TREE ? term.ends : 0; ends > 0; ends--) {
            depth--;
            for (size_t k = 0; k < COUNT; k++) add(k, load<WIDE>(begun[depth] + k * WIDE));
        }
    }
    return sum;
}

// Without this, three terms from memory among six from L1 take 8.2 ms for 64 MB of results, with it 6.4.
INLINE void prefetch_four(const char* p) {
    for (size_t k = 0; k < 4; k++) __builtin_prefetch(p + k * WIDE + AHEAD_BYTES, 0, 3);
}

// The four vectors from byte i of one row on.
template <class Op>
INLINE Vectors<4> sum_row(const Terms<Op>& terms, size_t i, bool ahead) {
    return sum_vectors<Op, 4, true>(terms, [&](const Operand& one, auto take) INLINE_LAMBDA {
        const char* const p = one.p + (i & one.along);
        if (!one.along) {
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
    return sum_vectors<Op, 8, false>(terms, [&](const Operand& one, auto take) INLINE_LAMBDA {
        const char* const p = one.p + (i & one.along);
        const char* const q = p + one.across;
        if (!one.along) {
            const Bytes<WIDE> x = load<WIDE>(p), y = load<WIDE>(q);
            for (size_t k = 0; k < 4; k++) take(k, x);
            for (size_t k = 0; k < 4; k++) take(4 + k, y);
        } else if (!one.across) {
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

// One vector of one row, or of each of two.
template <int ROWS, class Op>
INLINE Vectors<ROWS> sum_one(const Terms<Op>& terms, size_t i) {
    return sum_vectors<Op, ROWS, ROWS == 1>(terms, [&](const Operand& one, auto take) INLINE_LAMBDA {
        const char* const p = one.p + (i & one.along);
        for (size_t r = 0; r < ROWS; r++) take(r, load<WIDE>(p + static_cast<intptr_t>(r) * one.across));
    });
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

template <class Op>
void fold_two(const Terms<Op>& terms, const TwoRows& to, size_t bytes, Store store) {
    const auto sum = [&](size_t i) INLINE_LAMBDA { return sum_one<2>(terms, i); };
    const auto four = [&](size_t i, auto put) INLINE_LAMBDA {
        const Vectors<8> s = sum_rows(terms, i, store != PLAIN);
        for (size_t k = 0; k < 4; k++) put(i + k * WIDE, Vectors<2>{{s.v[k], s.v[4 + k]}});
    };
    cover<Op::size>(store, to, bytes, sum, four);
}

template <class Op>
void fold_one(const Terms<Op>& terms, const OneRow& to, size_t bytes, Store store) {
    const auto sum = [&](size_t i) INLINE_LAMBDA { return sum_one<1>(terms, i).v[0]; };
    const auto four = [&](size_t i, auto put) INLINE_LAMBDA {
        const Vectors<4> s = sum_row(terms, i, store != PLAIN);
        for (size_t k = 0; k < 4; k++) put(i + k * WIDE, s.v[k]);
    };
    cover<Op::size>(store, to, bytes, sum, four);
}

// One row of which no term is one item, nor begins a sum. The addresses stay in registers; read for each four vectors,
// as those of an Operand are, they take their share of the loads: 4 terms of 256 KB in L2 5.3 us, and 4.2 so.
template <class Op>
void fold_flat(const char* const* from, size_t count, const OneRow& to, size_t bytes, Store store) {
    const char* p[MOST_TERMS];
    for (size_t t = 0; t < count; t++) p[t] = from[t];
    const bool ahead = store != PLAIN;
    const auto sum = [&](size_t i) INLINE_LAMBDA {
        Bytes<WIDE> v = load<WIDE>(from[0] + i);
#pragma GCC unroll 1
        for (size_t t = 1; t < count; t++) v = Op::template add<WIDE>(v, load<WIDE>(from[t] + i));
        return v;
    };
    const auto four = [&](size_t i, auto put) INLINE_LAMBDA {
        Bytes<WIDE> v[4];
        if (ahead) prefetch_four(p[0] + i);
        for (size_t k = 0; k < 4; k++) v[k] = load<WIDE>(p[0] + i + k * WIDE);
        for (size_t t = 1; t < count; t++) {
            if (ahead) prefetch_four(p[t] + i);
            for (size_t k = 0; k < 4; k++) v[k] = Op::template add<WIDE>(v[k], load<WIDE>(p[t] + i + k * WIDE));
        }
        for (size_t k = 0; k < 4; k++) put(i + k * WIDE, v[k]);
    };
    cover<Op::size>(store, to, bytes, sum, four);
}

// Fewer bytes than a vector has.
template <class Op>
void fold_short(const Terms<Op>& terms, char* c, size_t n) {
    const size_t bytes = n * Op::size;
    const Vectors<1> sum = sum_vectors<Op, 1, true>(terms, [&](const Operand& one, auto take) INLINE_LAMBDA {
        take(0, load_part(one.p, bytes));
    });
    store_part(c, sum.v[0], bytes);
}

INLINE bool all_along(const Term* terms, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (!terms[k].along) return false;
    return true;
}

// Trees are summed row by row, and with LESS code all is as if it were one: what is asked on the way does not count
// where adding is costly.
template <class Op, bool LESS>
void fold(const Term* terms, const char* const* from, size_t count, const Sums& sums, Store store) {
    const size_t bytes = sums.n * Op::size;
    bool tree = LESS;
    for (size_t k = 1; k < count; k++) tree |= terms[k].begins;
    if (store == STREAM && !streams<Op::size>(sums.c)) store = AHEAD;
    char* c = sums.c;
    size_t row = 0;
    if constexpr (!LESS) {
        if (sums.rows == 1 && !tree && bytes >= WIDE && all_along(terms, count))
            return fold_flat<Op>(from, count, OneRow{c}, bytes, store);
        const bool in_pairs = !tree && bytes >= WIDE && (store != STREAM || sums.across % WIDE == 0);
        if (in_pairs && sums.rows >= AT_ONCE) {
            for (Terms<Op> two(terms, from, count, 0, AT_ONCE);; two.next()) {
                fold_two(two, TwoRows{c, sums.across}, bytes, store);
                c += static_cast<intptr_t>(AT_ONCE) * sums.across;
                if ((row += AT_ONCE) + AT_ONCE > sums.rows) break;
            }
        }
    }
    if (row == sums.rows) return;
    for (Terms<Op> one(terms, from, count, row, 1);; one.next()) {
        if (bytes < WIDE) fold_short(one, c, sums.n);
        else fold_one(one, OneRow{c}, bytes, store);
        c += sums.across;
        if (++row == sums.rows) break;
    }
}

}  // namespace
