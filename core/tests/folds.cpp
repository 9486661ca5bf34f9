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
        return {form == FULL || form == ROW ? ~size_t{0} : 0, static_cast<intptr_t>(across[form])};
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
        std::vector<const char*> from;
        for (const Operand& one : operands) {
            terms.push_back(one.term(shape.n, size_));
            from.push_back(one.bytes.data());
        }
        if (random_() % 2) make_tree(terms);
        const auto across = static_cast<intptr_t>(shape.across * size_);
        if (in_place) {
            const char* row = operands[0].bytes.data();
            for (size_t r = 0; r < shape.rows; r++, row += shape.n * size_)
                std::memcpy(&c[shift + r * shape.across * size_], row, shape.n * size_);
            from[0] = &c[shift];
            terms[0].across = across;
        }
        const std::vector<char> before = c;
        rows().fold(terms.data(), from.data(), count, {&c[shift], shape.n, shape.rows, across}, store);
        std::vector<bool> ours(c.size());
        for (size_t row = 0; row < shape.rows; row++) {
            for (size_t i = 0; i < shape.n; i++) {
                const size_t at = shift + (row * shape.across + i) * size_;
                std::fill_n(ours.begin() + static_cast<intptr_t>(at), size_, true);
                if (!is_right(operands, terms, shape, row, i, &c[at])) return tell("a wrong sum", shape, row, i);
            }
        }
        for (size_t k = 0; k < c.size(); k++)
            if (!ours[k] && c[k] != before[k]) return tell("a byte outside that is written", shape, k, 0);
        return true;
    }

  private:
    const Rows& rows() const { return level_.rows[static_cast<int>(type_.kind)]; }

    // Sums within sums, as many as there may be.
    void make_tree(std::vector<Term>& terms) {
        size_t begun = 0;
        for (size_t k = 1; k < terms.size(); k++) {
            terms[k].begins = begun < MOST_BEGUN && random_() % 3 == 0;
            begun += terms[k].begins;
            terms[k].ends = static_cast<uint8_t>(k + 1 == terms.size() ? begun : random_() % (begun + 1));
            begun -= terms[k].ends;
        }
    }

    bool is_right(const std::vector<Operand>& operands, const std::vector<Term>& terms, const Shape& shape, size_t row,
                  size_t i, const char* found) const {
        std::vector<uint64_t> sums;
        uint64_t last[2] = {};      // what is added at the very end
        for (size_t k = 0; k < terms.size(); k++) {
            sums.push_back(item(operands[k].bytes, operands[k].place(row, i, shape.n), size_));
            const bool begins = k == 0 || terms[k].begins;
            for (size_t ends = terms[k].ends + !begins; ends > 0; ends--) {
                const uint64_t b = last[1] = sums.back();
                sums.pop_back();
                const uint64_t a = last[0] = sums.back();
                sums.pop_back();
                sums.push_back(0);
                rows().vector[PLAIN](bytes_of(a), bytes_of(b), reinterpret_cast<char*>(&sums.back()), 1);
            }
        }
        uint64_t whole = 0;
        std::memcpy(&whole, found, size_);
        return sums.size() == 1 && type_.is_sum_of_items(whole, last[0], last[1]);
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
