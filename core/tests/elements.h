// Every kind of row, as elements: where they stand in an item, and what the sum of two is, by another way than the
// kernels'.
#pragma once

#include <cstring>
#include <vector>

#include "../element.h"
#include "rounding.h"

struct Type {
    enum Arithmetic { INTEGER, FORMAT, DOUBLE, POWER, LEVELS };
    enum Order { LOW_FIRST, PLANES };    // of several elements in an item

    const char* name;
    addison::Kind kind;
    int bits;                            // of an element
    int lanes;                           // elements in an item
    Arithmetic arithmetic = INTEGER;
    Format format = {};
    Order order = LOW_FIRST;

    uint64_t masked(uint64_t code) const { return bits == 64 ? code : code & ((uint64_t{1} << bits) - 1); }

    uint64_t element(uint64_t item, int lane) const {
        if (order == LOW_FIRST) return lanes == 1 ? item : masked(item >> (lane * bits));
        const int high = bits / 3, low = bits - high, each = 8 / low;    // two bytes of low bits, one of high ones
        const uint64_t first = item >> (lane / each * 8 + 8 - low * (lane % each + 1));
        const uint64_t last = item >> (24 - high * (lane + 1));
        return (first & ((1u << low) - 1)) | (last & ((1u << high) - 1)) << low;
    }

    bool is_sum(uint64_t found, uint64_t a, uint64_t b) const {
        switch (arithmetic) {
            case INTEGER: return found == masked(a + b);
            case DOUBLE: return same_double(found, a, b);
            case POWER: return found == power_of_two_sum(a, b);
            case LEVELS: return found == nearest_level(level(masked(a)) + level(masked(b)));
            default: break;
        }
        const double sum = format.decode(masked(a)) + format.decode(masked(b));
        return std::isnan(sum) ? std::isnan(format.decode(found)) : found == format.encode(sum);
    }

    bool is_sum_of_items(uint64_t found, uint64_t a, uint64_t b) const {
        for (int lane = 0; lane < lanes; lane++)
            if (!is_sum(element(found, lane), element(a, lane), element(b, lane))) return false;
        return true;
    }

  private:
    static bool same_double(uint64_t found, uint64_t a, uint64_t b) {
        double x, y, z;
        std::memcpy(&x, &a, 8);
        std::memcpy(&y, &b, 8);
        std::memcpy(&z, &found, 8);
        const volatile double sum = x + y;    // one at a time
        const double right = sum;
        return std::isnan(right) ? std::isnan(z) : std::memcmp(&right, &z, 8) == 0;
    }
    // f8e8m0: 2^(code - 127); 255 is NaN, 254 the largest.
    static uint64_t power_of_two_sum(uint64_t a, uint64_t b) {
        if (a == 255 || b == 255) return 255;
        int power = 0;
        const double sum = std::ldexp(1.0, static_cast<int>(a) - 127) + std::ldexp(1.0, static_cast<int>(b) - 127);
        const double part = std::frexp(sum, &power);                    // from a half up to one
        const int code = power - 1 + 127, odd = code & 1;
        return static_cast<uint64_t>(std::min(254, code + (part > 0.75 || (part == 0.75 && odd))));
    }
    static double level(uint64_t code) {
        static const double LEVELS_OF_NF4[16] = {
            -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
            -0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725,
            0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0};
        return LEVELS_OF_NF4[code];
    }
    // nf4: the code of the level next to a sum, a tie to the lower one.
    static uint64_t nearest_level(double sum) {
        uint64_t best = 0;
        for (uint64_t code = 1; code < 16; code++)
            if (std::fabs(level(code) - sum) < std::fabs(level(best) - sum)) best = code;
        return best;
    }
};

// One of the items of so many bytes.
inline uint64_t item(const std::vector<char>& row, size_t i, size_t size) {
    uint64_t code = 0;
    std::memcpy(&code, &row[i * size], size);
    return code;
}

inline const std::vector<Type>& every_type() {
    using addison::Kind;
    constexpr Format F16{5, 10, Format::INFINITY_}, BF16{8, 7, Format::INFINITY_}, F32{8, 23, Format::INFINITY_};
    constexpr Format F8E4M3{4, 3, Format::NAN_}, F8E5M2{5, 2, Format::INFINITY_}, F4{2, 1, Format::SATURATE};
    static const std::vector<Type> types = {
        {"whole8", Kind::WHOLE8, 8, 1}, {"whole16", Kind::WHOLE16, 16, 1}, {"whole32", Kind::WHOLE32, 32, 1},
        {"whole64", Kind::WHOLE64, 64, 1}, {"f16", Kind::F16, 16, 1, Type::FORMAT, F16},
        {"bf16", Kind::BF16, 16, 1, Type::FORMAT, BF16}, {"f32", Kind::F32, 32, 1, Type::FORMAT, F32},
        {"f64", Kind::F64, 64, 1, Type::DOUBLE}, {"f8e4m3", Kind::F8E4M3, 8, 1, Type::FORMAT, F8E4M3},
        {"f8e5m2", Kind::F8E5M2, 8, 1, Type::FORMAT, F8E5M2}, {"f8e8m0", Kind::F8E8M0, 8, 1, Type::POWER},
        {"bits1", Kind::BITS1, 1, 1}, {"bits2", Kind::BITS2, 2, 1}, {"bits3", Kind::BITS3, 3, 1},
        {"bits4", Kind::BITS4, 4, 1}, {"bits6", Kind::BITS6, 6, 1}, {"f4e2m1", Kind::F4E2M1, 4, 1, Type::FORMAT, F4},
        {"nf4", Kind::NF4, 4, 1, Type::LEVELS}, {"packed u1", Kind::PACKED1, 1, 8}, {"packed u2", Kind::PACKED2, 2, 4},
        {"packed u4", Kind::PACKED4, 4, 2}, {"packed f4e2m1", Kind::PACKED_F4E2M1, 4, 2, Type::FORMAT, F4},
        {"packed nf4", Kind::PACKED_NF4, 4, 2, Type::LEVELS},
        {"packed u3", Kind::PLANES3, 3, 8, Type::INTEGER, {}, Type::PLANES},
        {"packed u6", Kind::PLANES6, 6, 4, Type::INTEGER, {}, Type::PLANES},
    };
    return types;
}
