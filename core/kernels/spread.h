// b's items, each of them `times` times: (N, 3) + (N, 1). A vector of the result needs few items of b. They are loaded
// as one window and permuted into place, which saves packing them: in L2 that is half of the time.
#pragma once

#include <type_traits>

#include "part.h"
#include "row.h"

namespace {

// The level's permutation that moves an item of SIZE bytes anywhere within a window, and the bytes of its parts, each
// with an index of its own.
template <int SIZE>
struct Permutation {
#if defined(__AVX512BW__)
    static constexpr int part = SIZE, window = SIZE == 1 ? 16 : WIDE;
#elif defined(__AVX2__)
    static constexpr int part = SIZE >= 4 ? 4 : 1, window = SIZE >= 4 ? WIDE : 16;
#else
    static constexpr int part = 1, window = 16;
#endif

    // So many repetitions at least, that a vector's items fit the window.
    static constexpr int least_times() {
        if (!BYTE_SHUFFLE) return addison::NEVER;
        constexpr int lanes = WIDE / SIZE, fit = window / SIZE;
        int times = 2;
        while ((times - 1 + lanes - 1) / times + 1 > fit) times++;
        return times;
    }

    // A vector whose upper half may be anything. (Through memory the load would wait for the store.)
    template <class Half>
    static INLINE Bytes<WIDE> low_half(Half v) {
#if defined(__AVX512BW__)
        return (Bytes<WIDE>)_mm512_castsi256_si512((__m256i)v);
#elif defined(__AVX2__)
        return (Bytes<WIDE>)_mm256_castsi128_si256((__m128i)v);
#else
        return (Bytes<WIDE>)v;
#endif
    }

    static INLINE Bytes<WIDE> apply(Bytes<window> items, Bytes<WIDE> index) {
#if defined(__AVX512BW__)
        if constexpr (SIZE == 2) return (Bytes<WIDE>)_mm512_permutexvar_epi16((__m512i)index, (__m512i)items);
        if constexpr (SIZE == 4) return (Bytes<WIDE>)_mm512_permutexvar_epi32((__m512i)index, (__m512i)items);
        if constexpr (SIZE == 8) return (Bytes<WIDE>)_mm512_permutexvar_epi64((__m512i)index, (__m512i)items);
#elif defined(__AVX2__)
        if constexpr (part == 4) return (Bytes<WIDE>)_mm256_permutevar8x32_epi32((__m256i)items, (__m256i)index);
#endif
        if constexpr (window == 16) {
            alignas(16) uint8_t table[16];
            store<16>((char*)table, items);
            return lookup16<WIDE>(table, index);
        }
    }
};

// b as the n items of the result see it; n is below 2^25, and `times` items are at most LONGEST_SPREAD bytes. A vector
// has its place i in bytes of the result.
template <int SIZE>
class Spread {
  public:
    INLINE Spread(const char* b, size_t n, size_t times)
        : b_(b), bytes_((n + times - 1) / times * SIZE), times_(times), inverse_(0xFFFFFFFFu / times + 1) {
        // What part x of the result is, counted from the first repetition of some item: that item's part x % PARTS.
        Lanes<Index, WIDE> parts;
        for (int i = 0; i < WIDE / (int)sizeof(Index); i++) parts[i] = (Index)(i % PARTS);
        const size_t row = times * SIZE;
        for (size_t at = 0; at < row + WIDE; at += row, parts += (Index)PARTS)
            for (size_t i = 0; i < row; i += WIDE) store<WIDE>(index_ + at + i, (Bytes<WIDE>)parts);
    }

    INLINE Bytes<WIDE> operator()(size_t i) const {
        const size_t item = i / SIZE, over = item * inverse_ >> 32, left = bytes_ - over * SIZE;
        const char* p = b_ + over * SIZE;
        Bytes<Way::window> items;
        if constexpr (Way::window == 16) items = left >= 16 ? load<16>(p) : load_below_16(p, left);
        else items = left >= WIDE ? load<WIDE>(p) : load_part(p, left);
        return Way::apply(items, load<WIDE>(index_ + (item - over * times_) * SIZE));
    }

    // Before this place whole windows may be read.
    size_t whole_windows() const {
        return bytes_ < Way::window ? 0 : ((bytes_ - Way::window) / SIZE + 1) * times_ * SIZE;
    }

    // The vectors before that place. A copy of what is needed, as stores into the result might change the original for
    // all that the compiler knows.
    struct Moving {
        const char *const b, *const index;
        const size_t times, inverse;
        INLINE explicit Moving(const Spread& y) : b(y.b_), index(y.index_), times(y.times_), inverse(y.inverse_) {}
        INLINE Bytes<WIDE> operator()(size_t i) const {
            const size_t item = i / SIZE, over = item * inverse >> 32;
            return Way::apply(load<Way::window>(b + over * SIZE), load<WIDE>(index + (item - over * times) * SIZE));
        }
    };

    // Whether vectors begin with an item's first repetition from i on, and to the end of so many bytes.
    bool is_steady(size_t i, size_t bytes) const {
        const size_t row = times_ * SIZE;
        return WIDE % row == 0 && i % row == 0 && bytes % row == 0;
    }

    // The same then: all have one index, and half a window is enough.
    struct Steady {
        const char* const b;
        const size_t inverse;
        const Bytes<WIDE> index;
        INLINE explicit Steady(const Spread& y) : b(y.b_), inverse(y.inverse_), index(load<WIDE>(y.index_)) {}
        INLINE Bytes<WIDE> operator()(size_t i) const {
            const char* p = b + (i / SIZE * inverse >> 32) * SIZE;
            if constexpr (Way::window == 16) return Way::apply(load<16>(p), index);
            else return Way::apply(Way::low_half(load<Way::window / 2>(p)), index);
        }
    };

  private:
    using Way = Permutation<SIZE>;
    static constexpr int PARTS = SIZE / Way::part;
    using Index = std::conditional_t<Way::part == 1, uint8_t, std::conditional_t<Way::part == 2, uint16_t,
                  std::conditional_t<Way::part == 4, uint32_t, uint64_t>>>;

    const char* b_;
    size_t bytes_, times_, inverse_;
    alignas(64) char index_[2 * addison::LONGEST_SPREAD + 3 * WIDE];
};

template <class Op, Store STORE, class Vectors>
INLINE void spread_by(const char* a, const Spread<Op::size>& y, char* c, size_t bytes) {
    const auto sum = [&](size_t i) INLINE_LAMBDA { return Op::template add<WIDE>(load<WIDE>(a + i), y(i)); };
    const size_t whole = y.whole_windows();
    const Vectors right(y);
    const auto four = [&](size_t i, auto put) INLINE_LAMBDA {
        if (i + 4 * WIDE > whole) {
            for (size_t k = 0; k < 4 * WIDE; k += WIDE) put(i + k, sum(i + k));
            return;
        }
        if (STORE == AHEAD) {
            for (size_t k = 0; k < 4 * WIDE; k += addison::LINE) {
                __builtin_prefetch(a + i + k + AHEAD_BYTES, 0, 3);
                __builtin_prefetch(c + i + k + AHEAD_BYTES, 1, 3);
            }
        }
        for (size_t k = i; k < i + 4 * WIDE; k += WIDE) put(k, Op::template add<WIDE>(load<WIDE>(a + k), right(k)));
    };
    cover<Op::size>(STORE, OneRow{c}, bytes, sum, four);
}

template <class Op, Store STORE>
void spread(const char* a, const char* b, char* c, size_t n, size_t times) {
    if (STORE == STREAM && !streams<Op::size>(c)) return spread<Op, PLAIN>(a, b, c, n, times);
    const Spread<Op::size> y(b, n, times);
    const size_t bytes = n * Op::size;
    if (bytes < WIDE) {
        char few[WIDE];
        store<WIDE>(few, y(0));
        row<Op, false, PLAIN>(a, few, c, n);
        return;
    }
    if (y.is_steady(-(uintptr_t)c % WIDE, bytes))
        spread_by<Op, STORE, typename Spread<Op::size>::Steady>(a, y, c, bytes);
    else
        spread_by<Op, STORE, typename Spread<Op::size>::Moving>(a, y, c, bytes);
}

}  // namespace
