// How one operand is read over a tile: a run of the result that fits L1, made of some steps of one axis, the divided
// one, and all of the axes after it.
#pragma once

#include "layout.h"
#include "level.h"

namespace addison {

// The longest buffer for a row that repeats, in bytes: a few lines of L1.
inline constexpr intptr_t LONGEST_PERIOD = 4096;

enum class Form : uint8_t {
    FLAT,       // consecutive, like the result: read where it lies
    CONSTANT,   // one item
    CYCLIC,     // a short row again and again: a buffer of a few lines is enough
    SPREAD,     // consecutive items, each so many times: read where they lie, if who reads it chooses so
    PACKED,     // anything else: copied to a buffer, kept while its source does not move
};

struct Tile {
    Form form;
    int rank = 0;                  // of the tile as this operand sees it; axis 0 is the divided one
    intptr_t sizes[MAX_RANK], strides[MAX_RANK];
    intptr_t period = 0;           // CYCLIC: bytes after which the buffer repeats itself; it holds a LINE more

    // The axes of the tile from the divided one on, which has `all[0]` steps in it, and the operand's strides.
    Tile(int axes, const intptr_t* all, const intptr_t* by, intptr_t item);

    // How many times each of consecutive items stands in a PACKED tile that is no more than that; else 0.
    intptr_t times(intptr_t item) const {
        return form == Form::PACKED && rank == 2 && strides[0] == item && strides[1] == 0 ? sizes[1] : 0;
    }

    // Whether it reads as plain consecutive items.
    bool runs() const { return form == Form::FLAT || form == Form::PACKED; }

  private:
    void find_period(intptr_t bytes, intptr_t item);
};

// Bytes of the buffer that a reader of a tile of so many bytes needs: a tile, or a period and a row more; packing
// writes up to a LINE past the end.
size_t tile_buffer(intptr_t bytes);

// Reads one operand, tile after tile.
class TileReader {
  public:
    TileReader() = default;
    TileReader(const Tile& tile, char* buffer) : tile_(&tile), buffer_(buffer) {}

    // The first item over a tile of `steps` that begins at `source`.
    const char* view(const Level& level, int size_log2, const char* source, intptr_t steps) {
        if (tile_->form == Form::FLAT || tile_->form == Form::CONSTANT || tile_->form == Form::SPREAD) return source;
        if (packed_from_ != source || packed_steps_ < steps) pack(level, size_log2, source, steps);
        return buffer_;
    }

  private:
    void pack(const Level& level, int size_log2, const char* source, intptr_t steps);

    const Tile* tile_ = nullptr;
    char* buffer_ = nullptr;
    const char* packed_from_ = nullptr;
    intptr_t packed_steps_ = 0;
};

}  // namespace addison
