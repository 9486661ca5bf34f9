// Every level that this machine runs, every type that is folded: terms of every form, summed in rows, against the same
// sums made one after the other by the level's rows, whose test is rows.cpp.
#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include "../cpu.h"
#include "../level.h"
#include "elements.h"

using namespace addison;

namespace {

enum Form { FULL, ROW, COLUMN, ITEM, FORMS };

// A result of rows whose beginnings are `across` items apart.
struct Shape {
    size_t rows, n, across;
};

struct Operand {
    Form form;
    std::vector<char> bytes;    // not one more than are there, which a sanitizer sees

    Operand(Form what, const Shape& shape, size_t size, std::mt19937_64& random) : form(what) {
        const size_t items[FORMS] = {shape.rows * shape.n, shape.n, shape.rows, 1};
        bytes.resize(items[form] * size);
        for (char& one : bytes) one = static_cast<char>(random());
    }

    size_t place(size_t row, size_t i, size_t n) const {
        const size_t places[FORMS] = {row * n + i, i, row, 0};
        return places[form];
    }

    Term term(size_t n, size_t size) const {
        const size_t across[FORMS] = {n * size, 0, size, 0};
        return {bytes.data(), form == FULL || form == ROW ? ~size_t{0} : 0, static_cast<intptr_t>(across[form])};
    }
};

class Check {
  public:
    Check(const Level& level, const Type& type, std::mt19937_64& random)
        : level_(level), type_(type), size_(facts(type.kind).size), random_(random) {}

    bool run(const Shape& shape, size_t count, Store store, bool in_place) {
        std::vector<Operand> operands;
        for (size_t k = 0; k < count; k++) {
            const Form form = k == 0 && in_place ? FULL : static_cast<Form>(random_() % FORMS);
            operands.emplace_back(form, shape, size_, random_);
        }
        const size_t shift = shape.n % 5 * size_, bytes = ((shape.rows - 1) * shape.across + shape.n) * size_;
        std::vector<char> c(shift + bytes + 64, 'x');      // misaligned by whole items
        std::vector<Term> terms;
        for (const Operand& one : operands) terms.push_back(one.term(shape.n, size_));
        const auto across = static_cast<intptr_t>(shape.across * size_);
        if (in_place) {
            const char* from = operands[0].bytes.data();
            for (size_t row = 0; row < shape.rows; row++, from += shape.n * size_)
                std::memcpy(&c[shift + row * shape.across * size_], from, shape.n * size_);
            terms[0] = {&c[shift], ~size_t{0}, across};
        }
        const std::vector<char> before = c;
        rows().fold(terms.data(), count, {&c[shift], shape.n, shape.rows, across}, store);
        std::vector<bool> ours(c.size());
        for (size_t row = 0; row < shape.rows; row++) {
            for (size_t i = 0; i < shape.n; i++) {
                const size_t at = shift + (row * shape.across + i) * size_;
                std::fill_n(ours.begin() + static_cast<intptr_t>(at), size_, true);
                if (!is_right(operands, shape, row, i, &c[at])) return tell("a wrong sum", shape, row, i);
            }
        }
        for (size_t k = 0; k < c.size(); k++)
            if (!ours[k] && c[k] != before[k]) return tell("a byte outside that is written", shape, k, 0);
        return true;
    }

  private:
    const Rows& rows() const { return level_.rows[static_cast<int>(type_.kind)]; }

    bool is_right(const std::vector<Operand>& operands, const Shape& shape, size_t row, size_t i,
                  const char* found) const {
        const auto code = [&](const Operand& one) { return item(one.bytes, one.place(row, i, shape.n), size_); };
        uint64_t sum = code(operands[0]), last = 0, whole = 0;
        for (size_t k = 1; k + 1 < operands.size(); k++) {
            const uint64_t addend = code(operands[k]);
            uint64_t next = 0;
            rows().vector[PLAIN](bytes_of(sum), bytes_of(addend), const_cast<char*>(bytes_of(next)), 1);
            sum = next;
        }
        last = code(operands.back());
        std::memcpy(&whole, found, size_);
        return type_.is_sum_of_items(whole, sum, last);
    }

    static const char* bytes_of(const uint64_t& code) { return reinterpret_cast<const char*>(&code); }

    bool tell(const char* what, const Shape& shape, size_t row, size_t i) const {
        std::printf("%s %s: %s of %zu rows of %zu, at %zu, %zu\n", level_.name, type_.name, what, shape.rows, shape.n,
                    row, i);
        return false;
    }

    const Level& level_;
    const Type& type_;
    const size_t size_;
    std::mt19937_64& random_;
};

bool is_right(const Level& level, const Type& type, std::mt19937_64& random) {
    Check check(level, type, random);
    for (size_t n = 1; n < 400; n += 1 + n / 5) {
        for (const size_t rows : {1, 2, 3, 6}) {
            for (int store = 0; store < STORES; store++) {
                const Shape shape = {rows, n, random() % 2 ? n : (n + 63) / 64 * 64};
                const size_t count = 2 + random() % (MOST_TERMS - 1);
                for (const bool in_place : {false, true})
                    if (!check.run(shape, count, static_cast<Store>(store), in_place)) return false;
            }
        }
    }
    return true;
}

}  // namespace

int main() {
    std::mt19937_64 random(1);
    int wrong = 0;
    for (const Choice* one = levels(); one->level; one++) {
        if (!one->runs_here) continue;
        for (const Type& type : every_type())
            if (one->level->rows[static_cast<int>(type.kind)].fold) wrong += !is_right(*one->level, type, random);
        std::printf("%s checked\n", one->level->name);
    }
    return wrong ? 1 : 0;
}
