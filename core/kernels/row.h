// The row: one run of consecutive items, any kind, any level. An `Op` says how a vector of bytes is added.
#pragma once

#include "../level.h"
#include "part.h"

namespace {

using addison::AHEAD;
using addison::PLAIN;
using addison::STREAM;
using addison::Store;

constexpr size_t AHEAD_BYTES = 1024;

// Fewer bytes than the widest vector: halve the vector until it fits, then cover the run by two that overlap. Both
// are computed before either is stored, because c may be a.
template <class Op, bool SCALAR, int W>
INLINE void short_row(const char* a, const char* b, char* c, size_t bytes) {
    auto addend = [&](size_t i) { return SCALAR ? splat<W>(b, Op::size) : load<W>(b + i); };
    if (bytes >= W) {
        const Bytes<W> first = Op::template add<W>(load<W>(a), addend(0));
        const Bytes<W> last = Op::template add<W>(load<W>(a + bytes - W), addend(bytes - W));
        store<W>(c, first);
        store<W>(c + bytes - W, last);
    } else if constexpr (W > 16) {
        short_row<Op, SCALAR, W / 2>(a, b, c, bytes);
    } else if (bytes) {
        const Bytes<16> y = SCALAR ? splat<16>(b, Op::size) : load_below_16(b, bytes);
        store_below_16(c, Op::template add<16>(load_below_16(a, bytes), y), bytes);
    }
}

// Where the sums of a row go.
struct OneRow {
    char* c;

    // The bytes before the first aligned vector.
    INLINE size_t head() const { return -(uintptr_t)c % WIDE; }

    INLINE void put(Store store, size_t i, Bytes<WIDE> v) const {
        if (store == STREAM) stream<WIDE>(c + i, v);
        else ::store<WIDE>(c + i, v);
    }
    INLINE void put_first(Bytes<WIDE> v, size_t n) const { store_part(c, v, n); }

    // The last n bytes of a vector, and only those.
    INLINE void put_last(size_t i, Bytes<WIDE> v, size_t n) const {
        char tail[WIDE];
        ::store<WIDE>(tail, v);
        __builtin_memcpy(c + i, tail + WIDE - n, n);
    }
};

// The sums of `bytes` bytes, a vector or more: `sum(i)` is the vector of them at i, and `four(i, put)` puts the four
// from i on. The body stores whole aligned vectors: a store that crosses lines costs half the speed in L1 and a third
// in L2, and NumPy's arrays are aligned to 16 bytes only. Head and tail are whole vectors too, computed before the body
// and stored after it, because the result may be an operand; where the body is all there are none, which takes a tenth
// off a fold of four terms in blocks of 16 KB. Streaming wants items at aligned addresses.
template <int SIZE, class To, class Sum, class Four>
INLINE void cover(Store store, const To& to, size_t bytes, Sum sum, Four four) {
    const auto put = [&](size_t at, auto v) INLINE_LAMBDA { to.put(store, at, v); };
    size_t i = to.head() % SIZE ? 0 : to.head();
    const bool whole = !i && bytes % WIDE == 0;
    decltype(sum(0)) first = {}, last = {};
    if (!whole) {
        first = sum(0);
        last = sum(bytes - WIDE);
        if (store == STREAM) to.put_first(first, i);   // a line is streamed whole or not at all
    }
    for (; i + 4 * WIDE <= bytes; i += 4 * WIDE) four(i, put);
    for (; i + WIDE <= bytes; i += WIDE) put(i, sum(i));
    if (whole) return;
    if (store == STREAM) {
        to.put_last(i, last, bytes - i);
        return;
    }
    to.put(PLAIN, 0, first);
    to.put(PLAIN, bytes - WIDE, last);
}

// Whether lines of a result can be streamed: its items begin at aligned addresses.
template <int SIZE>
INLINE bool streams(const char* c) { return (uintptr_t)c % SIZE == 0; }

template <class Op, bool SCALAR, Store STORE>
void row(const char* a, const char* b, char* c, size_t n) {
    const size_t bytes = n * Op::size;
    if (bytes < WIDE) {
        short_row<Op, SCALAR, WIDE / 2 < 16 ? 16 : WIDE / 2>(a, b, c, bytes);
        return;
    }
    if (STORE == STREAM && !streams<Op::size>(c)) return row<Op, SCALAR, PLAIN>(a, b, c, n);
    const Bytes<WIDE> item = SCALAR ? splat<WIDE>(b, Op::size) : Bytes<WIDE>{};
    const auto sum = [&](size_t i) INLINE_LAMBDA {
        return Op::template add<WIDE>(load<WIDE>(a + i), SCALAR ? item : load<WIDE>(b + i));
    };
    const auto four = [&](size_t i, auto put) INLINE_LAMBDA {
        if (STORE == AHEAD) {
            for (size_t k = 0; k < 4 * WIDE; k += addison::LINE) {
                __builtin_prefetch(a + i + k + AHEAD_BYTES, 0, 3);
                if (!SCALAR) __builtin_prefetch(b + i + k + AHEAD_BYTES, 0, 3);
                __builtin_prefetch(c + i + k + AHEAD_BYTES, 1, 3);
            }
        }
        const Bytes<WIDE> s0 = sum(i), s1 = sum(i + WIDE), s2 = sum(i + 2 * WIDE), s3 = sum(i + 3 * WIDE);
        put(i, s0);
        put(i + WIDE, s1);
        put(i + 2 * WIDE, s2);
        put(i + 3 * WIDE, s3);
    };
    cover<Op::size>(STORE, OneRow{c}, bytes, sum, four);
}

// Short rows, one after the other. No alignment is sought: in rows of a few vectors it costs more than it brings. The
// last vector of a row that is not whole vectors ends with the row; it is computed first and stored last, because c may
// be a.
template <class Op, bool SCALAR>
void block(const char* a, const char* b, char* c, size_t n, const addison::Lines& by) {
    const size_t bytes = n * Op::size;
    if (bytes < WIDE || bytes > 4096) {
        for (size_t line = 0; line < by.lines; line++, a += by.a, b += by.b, c += by.c)
            row<Op, SCALAR, PLAIN>(a, b, c, n);
        return;
    }
    for (size_t line = 0; line < by.lines; line++, a += by.a, b += by.b, c += by.c) {
        const Bytes<WIDE> item = SCALAR ? splat<WIDE>(b, Op::size) : Bytes<WIDE>{};
        auto sum = [&](size_t i) {
            return Op::template add<WIDE>(load<WIDE>(a + i), SCALAR ? item : load<WIDE>(b + i));
        };
        const size_t whole = bytes / WIDE * WIDE;
        if (whole == bytes) {
            for (size_t i = 0; i < bytes; i += WIDE) store<WIDE>(c + i, sum(i));
            continue;
        }
        const Bytes<WIDE> last = sum(bytes - WIDE);
        for (size_t i = 0; i < whole; i += WIDE) store<WIDE>(c + i, sum(i));
        store<WIDE>(c + bytes - WIDE, last);
    }
}

// The same by any row kernel.
template <addison::Row ROW>
void lines_of(const char* a, const char* b, char* c, size_t n, const addison::Lines& by) {
    for (size_t line = 0; line < by.lines; line++, a += by.a, b += by.b, c += by.c) ROW(a, b, c, n);
}

// b repeats after `period` bytes, a multiple of LINE: its vectors stay in L1, or in a register when there is one. The
// body begins at an aligned address of c, and so a few bytes into the period.
template <class Op>
void cyclic(const char* a, const char* b, char* c, size_t n, size_t period) {
    size_t bytes = n * Op::size;
    const size_t head = -(uintptr_t)c % WIDE;
    if (head % Op::size == 0 && bytes >= 4096) {    // in shorter runs the head costs as much as it saves
        row<Op, false, PLAIN>(a, b, c, head / Op::size);
        a += head;
        b += head;
        c += head;
        bytes -= head;
    }
    size_t i = 0;
    for (; i + period <= bytes; i += period)
        for (size_t k = 0; k < period; k += addison::LINE)
            for (size_t v = k; v < k + addison::LINE; v += WIDE)
                store<WIDE>(c + i + v, Op::template add<WIDE>(load<WIDE>(a + i + v), load<WIDE>(b + v)));
    row<Op, false, PLAIN>(a + i, b, c + i, (bytes - i) / Op::size);    // within the buffer, which has a line more
}

}  // namespace
