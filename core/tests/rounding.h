// What a sum should be, by another way than the kernels': decoded to double, added, and rounded by scaling to the last
// place and rounding to a whole number. A double holds the sums well enough: 53 >= 2 * 24 + 2.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

struct Format {
    int exponent, mantissa;
    enum Overflow { INFINITY_, NAN_, SATURATE } overflow;

    int bias() const { return (1 << (exponent - 1)) - 1; }
    uint64_t sign() const { return uint64_t{1} << (exponent + mantissa); }
    uint64_t largest() const {
        const uint64_t top = sign() - (uint64_t{1} << mantissa);    // where infinity stands
        return overflow == INFINITY_ ? top - 1 : overflow == NAN_ ? sign() - 2 : sign() - 1;
    }

    double decode(uint64_t code) const {
        const uint64_t magnitude = code & (sign() - 1);
        double value;
        if (magnitude > largest()) {
            value = overflow == INFINITY_ && magnitude == largest() + 1 ? INFINITY : NAN;
        } else {
            const uint64_t fraction = magnitude & ((uint64_t{1} << mantissa) - 1);
            const int power = static_cast<int>(magnitude >> mantissa);
            const uint64_t whole = fraction + (power ? uint64_t{1} << mantissa : 0);
            value = std::ldexp(static_cast<double>(whole), (power ? power : 1) - bias() - mantissa);
        }
        return code & sign() ? -value : value;
    }

    // The code of a finite or infinite value; NaN is the caller's.
    uint64_t encode(double value) const {
        const uint64_t negative = std::signbit(value) ? sign() : 0;
        const double size = std::fabs(value);
        if (size == 0) return negative;
        if (std::isinf(size)) return negative | past_largest();
        int power = 0;
        std::frexp(size, &power);
        power = std::max(power - 1, 1 - bias());
        const double places = std::nearbyint(std::ldexp(size, mantissa - power));     // to nearest even
        const uint64_t code = (static_cast<uint64_t>(power + bias() - 1) << mantissa) + static_cast<uint64_t>(places);
        return negative | (code > largest() ? past_largest() : code);
    }

  private:
    uint64_t past_largest() const { return overflow == SATURATE ? largest() : largest() + 1; }
};
