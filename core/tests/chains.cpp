// Chains of sums in blocks against the same sums made element by element: random shapes, broadcast operands, trees,
// results kept along the way, many blocks, two threads.
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "../chain.h"
#include "../cpu.h"
#include "../pool.h"
#include "../tuning.h"

using namespace addison;

namespace {

using Random = std::mt19937;

int below(Random& random, int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); }

template <class T>
struct Graph {
    std::vector<intptr_t> sizes;
    std::vector<Chain::Strides> strides;
    std::vector<std::vector<T>> operands;
    std::vector<Chain::Sum> sums;
    size_t elements = 1;
    int results = 0;

    explicit Graph(Random& random) {
        for (int rank = below(random, 4); rank > 0; rank--) sizes.push_back(1 + below(random, rank == 1 ? 90 : 12));
        for (const intptr_t size : sizes) elements *= static_cast<size_t>(size);
        for (int i = 1 + below(random, 6); i > 0; i--) add_operand(random);
        const int count = 1 + below(random, Chain::MOST_SUMS);
        const int runs_long = below(random, 3) == 0;     // then most sums go into the next one, and are folded
        for (int i = 0; i < count; i++) {
            const int values = static_cast<int>(operands.size()) + i;
            const auto pick = [&] { return below(random, 2) ? values - 1 : below(random, values); };
            const int a = runs_long ? values - 1 : pick();
            const int b = runs_long ? below(random, static_cast<int>(operands.size())) : pick();
            const bool kept = i + 1 == count || below(random, runs_long ? 20 : 5) == 0;
            sums.push_back({a, b, kept ? results++ : -1});
        }
    }

    // A contiguous array that lacks some of the axes.
    void add_operand(Random& random) {
        Chain::Strides by(sizes.size());
        intptr_t run = sizeof(T);
        for (size_t i = sizes.size(); i-- > 0;) {
            if (below(random, 3) == 0) continue;
            by[i] = run;
            run *= sizes[i];
        }
        std::vector<T> values(static_cast<size_t>(run) / sizeof(T));
        for (T& one : values) one = static_cast<T>(random() % 2000000) / 7;
        strides.push_back(by);
        operands.push_back(values);
    }

    T operand(size_t which, size_t element) const {
        intptr_t offset = 0;
        for (size_t i = sizes.size(); i-- > 0; element /= static_cast<size_t>(sizes[i]))
            offset += static_cast<intptr_t>(element % static_cast<size_t>(sizes[i])) * strides[which][i];
        return operands[which][static_cast<size_t>(offset) / sizeof(T)];
    }

    // Every value at one element.
    std::vector<T> values(size_t element) const {
        std::vector<T> all;
        for (size_t k = 0; k < operands.size(); k++) all.push_back(operand(k, element));
        for (const Chain::Sum& sum : sums)
            all.push_back(static_cast<T>(all[static_cast<size_t>(sum.a)] + all[static_cast<size_t>(sum.b)]));
        return all;
    }
};

template <class T>
int check(const Level& level, Kind kind, const char* name, Random& random) {
    for (int round = 0; round < 150; round++) {
        const Graph<T> graph(random);
        const Chain chain(level, kind, graph.sizes, graph.strides, graph.sums);
        std::vector<std::vector<T>> found(static_cast<size_t>(graph.results), std::vector<T>(graph.elements));
        std::vector<const char*> operands;
        std::vector<char*> results;
        for (const auto& one : graph.operands) operands.push_back(reinterpret_cast<const char*>(one.data()));
        for (auto& one : found) results.push_back(reinterpret_cast<char*>(one.data()));
        if (!chain.carry_out({operands.data(), results.data(), round % 2 == 0})) return 1;
        for (size_t element = 0; element < graph.elements; element++) {
            const std::vector<T> wanted = graph.values(element);
            for (size_t k = 0; k < graph.sums.size(); k++) {
                const int kept = graph.sums[k].result;
                if (kept < 0) continue;
                const T& one = found[static_cast<size_t>(kept)][element];
                if (std::memcmp(&one, &wanted[graph.operands.size() + k], sizeof(T)) == 0) continue;
                std::printf("%s %s: sum %zu of %zu is wrong at element %zu of %zu\n", level.name, name, k,
                            graph.sums.size(), element, graph.elements);
                return 1;
            }
        }
    }
    return 0;
}

}  // namespace

int main() {
    Random random(1);
    int wrong = 0;
    set_threads(2);
    for (const intptr_t block : {64, 512, 4096}) {
        tuning.block = block;
        tuning.chain_row = 2 * block / 64;
        tuning.least_block = block / 2;
        tuning.chain_ahead = 5000;
        tuning.far = 20000;
        tuning.far_block = 4 * block;
        tuning.in_level2 = 12 * block;
        tuning.stream = 4000;
        tuning.share_spinning = tuning.share_far = tuning.share_parked = 3000;
        tuning.piece = 1000;
        for (const Choice* one = levels(); one->level; one++) {
            if (!one->runs_here) continue;
            wrong += check<uint8_t>(*one->level, Kind::WHOLE8, "whole8", random);
            wrong += check<uint16_t>(*one->level, Kind::WHOLE16, "whole16", random);
            wrong += check<float>(*one->level, Kind::F32, "f32", random);
            wrong += check<double>(*one->level, Kind::F64, "f64", random);
        }
    }
    std::printf("chains checked\n");
    return wrong ? 1 : 0;
}
