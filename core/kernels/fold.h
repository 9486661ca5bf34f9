// Many terms added one after the other in registers, every sum rounded. All are read at the same time: memory gives
// more to many streams than to one or two. Nine arrays of 64 MB take 9.3 ms so, 11.1 when two are read at a time and
// the sum so far is kept in L2, 15.8 one at a time.
#pragma once

#include "row.h"

namespace {

using addison::Term;

static_assert(4 * WIDE <= addison::FOLD_BYTES);

template <class Op, Store STORE>
void fold(const Term* terms, size_t count, char* c, size_t n) {
    const size_t bytes = n * Op::size;
    if (bytes < WIDE) {
        char sum[WIDE];
        row<Op, false, PLAIN>(terms[0].p, terms[1].p, sum, n);
        for (size_t k = 2; k < count; k++) row<Op, false, PLAIN>(sum, terms[k].p, sum, n);
        __builtin_memcpy(c, sum, bytes);
        return;
    }
    const auto at = [&](size_t k, size_t i) INLINE_LAMBDA { return terms[k].p + (i & terms[k].along); };
    const auto sum = [&](size_t i) INLINE_LAMBDA {
        Bytes<WIDE> s = load<WIDE>(at(0, i));
        for (size_t k = 1; k < count; k++) s = Op::template add<WIDE>(s, load<WIDE>(at(k, i)));
        return s;
    };
    // Without this, three terms from memory among six from L1 take 8.2 ms for 64 MB of results, with it 6.4.
    const auto ask_for = [&](size_t k, const char* p) INLINE_LAMBDA {
        const size_t ahead = terms[k].along & AHEAD_BYTES;
        if (STORE != PLAIN)
            for (size_t line = 0; line < 4 * WIDE; line += addison::LINE) __builtin_prefetch(p + ahead + line, 0, 3);
    };
    const auto four = [&](size_t i, auto put) INLINE_LAMBDA {
        const char* p = at(0, i);
        ask_for(0, p);
        Bytes<WIDE> s0 = load<WIDE>(p), s1 = load<WIDE>(p + WIDE), s2 = load<WIDE>(p + 2 * WIDE),
                    s3 = load<WIDE>(p + 3 * WIDE);
        for (size_t k = 1; k < count; k++) {
            p = at(k, i);
            ask_for(k, p);
            s0 = Op::template add<WIDE>(s0, load<WIDE>(p));
            s1 = Op::template add<WIDE>(s1, load<WIDE>(p + WIDE));
            s2 = Op::template add<WIDE>(s2, load<WIDE>(p + 2 * WIDE));
            s3 = Op::template add<WIDE>(s3, load<WIDE>(p + 3 * WIDE));
        }
        put(i, s0);
        put(i + WIDE, s1);
        put(i + 2 * WIDE, s2);
        put(i + 3 * WIDE, s3);
    };
    if (!cover<Op::size, STORE>(c, bytes, sum, four)) fold<Op, PLAIN>(terms, count, c, n);
}

}  // namespace
