#include "packed.h"

#include <algorithm>
#include <cstring>

namespace addison {

namespace {

// The highest `bits` bits of a byte; none when there are none or fewer.
uint8_t high_bits(int bits) { return bits <= 0 ? 0 : bits >= 8 ? 0xFF : static_cast<uint8_t>(0xFF << (8 - bits)); }

// A lane of `bits` bits in every lane of a byte.
uint8_t in_every_lane(int lane, int bits) {
    return static_cast<uint8_t>(lane * (bits == 1 ? 0xFF : bits == 2 ? 0x55 : bits == 4 ? 0x11 : 1));
}

// How the two low bytes of a three-byte group are divided: bits of an element there, and in the high byte.
struct Split {
    int low, high;
};
Split split(const Element& element) { return element.packed == Kind::PLANES3 ? Split{2, 1} : Split{4, 2}; }

bool planes(const Element& element) { return element.packed == Kind::PLANES3 || element.packed == Kind::PLANES6; }

}  // namespace

size_t packed_bytes(const Element& element, size_t elements) {
    return (elements + element.lanes - 1) / element.lanes * facts(element.packed).size;
}

void repeat_first(const Element& element, const char* from, char* item) {
    const auto byte = [&](int i) { return static_cast<uint8_t>(from[i]); };
    if (planes(element)) {
        const auto [low, high] = split(element);
        item[0] = item[1] = static_cast<char>(in_every_lane(byte(0) >> (8 - low), low));
        item[2] = static_cast<char>(in_every_lane(byte(2) >> (8 - high), high));
    } else if (element.lanes == 1) {
        std::memcpy(item, from, facts(element.packed).size);
    } else {
        const int lane = element.packed == Kind::PACKED1 ? byte(0) >> 7 : byte(0) & ((1 << element.bits) - 1);
        *item = static_cast<char>(in_every_lane(lane, element.bits));
    }
}

void clear_padding(const Element& element, char* data, size_t elements) {
    const int rest = static_cast<int>(elements % element.lanes);
    if (rest == 0) return;
    char* const last = data + packed_bytes(element, elements) - facts(element.packed).size;
    if (planes(element)) {
        const auto [low, high] = split(element);
        last[0] &= static_cast<char>(high_bits(rest * low));
        last[1] &= static_cast<char>(high_bits(rest * low - 8));
        last[2] &= static_cast<char>(high_bits(rest * high));
    } else if (element.packed == Kind::PACKED1) {
        *last &= static_cast<char>(high_bits(rest));
    } else {
        *last &= static_cast<char>((1 << (rest * element.bits)) - 1);
    }
}

}  // namespace addison
