#include "cpu.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace addison {

#if defined(__x86_64__)

namespace {

// One bit of one register of one CPUID leaf (sub-leaf 0), and what the operating system must save for it.
struct Feature {
    uint32_t leaf;
    uint8_t reg;    // eax ebx ecx edx
    uint8_t bit;
};

enum : uint8_t { EAX, EBX, ECX, EDX };

// Every instruction the compiler may use at a level, not only those its kernels ask for.
constexpr Feature V2[] = {
    {1, ECX, 0}, {1, ECX, 9}, {1, ECX, 13}, {1, ECX, 19}, {1, ECX, 20}, {1, ECX, 23},     // sse3 ssse3 cx16 sse4 popcnt
    {0x80000001, ECX, 0},                                                                 // lahf
};
constexpr Feature V3[] = {
    {1, ECX, 12}, {1, ECX, 22}, {1, ECX, 27}, {1, ECX, 28}, {1, ECX, 29},                 // fma movbe osxsave avx f16c
    {7, EBX, 3}, {7, EBX, 5}, {7, EBX, 8}, {0x80000001, ECX, 5},                          // bmi1 avx2 bmi2 lzcnt
};
constexpr Feature V4[] = {
    {7, EBX, 16}, {7, EBX, 17}, {7, EBX, 28}, {7, EBX, 30}, {7, EBX, 31},                 // avx512 f dq cd bw vl
};
constexpr Feature FP16[] = {{7, EDX, 23}};

bool has(const Feature& feature) {
    uint32_t registers[4];
    if (!__get_cpuid_count(feature.leaf, 0, &registers[0], &registers[1], &registers[2], &registers[3])) return false;
    return registers[feature.reg] >> feature.bit & 1;
}

template <size_t N>
bool has_all(const Feature (&features)[N]) {
    for (const Feature& feature : features)
        if (!has(feature)) return false;
    return true;
}

// Whether the system saves these parts of the register file: bits 1 2 are SSE and AVX, 5 6 7 are AVX-512's.
bool saved(uint32_t parts) {
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & parts) == parts;
}

Level with_fp16() {
    Level level = LEVEL_V4;
    level.name = "v4+fp16";
    const auto entry = [&](Kind kind) -> Rows& { return level.rows[static_cast<int>(kind)]; };
    entry(Kind::F16) = V4_FP16_ROWS.f16;
    entry(Kind::F8E4M3) = V4_FP16_ROWS.f8e4m3;
    entry(Kind::F8E5M2) = V4_FP16_ROWS.f8e5m2;
    return level;
}

const Choice* find_levels() {
    static const Level v4_fp16 = with_fp16();
    const bool v2 = has_all(V2);
    const bool v3 = v2 && has_all(V3) && saved(0x06);
    const bool v4 = v3 && has_all(V4) && saved(0xE6);
    const bool fp16 = v4 && has_all(FP16);
    static const Choice found[] = {{&v4_fp16, fp16}, {&LEVEL_V4, v4}, {&LEVEL_V3, v3}, {&LEVEL_V2, v2},
                                   {&LEVEL_PORTABLE, true}, {nullptr, false}};
    return found;
}

}  // namespace

bool likes_prefetch() {
    uint32_t highest = 0, ebx = 0, ecx = 0, edx = 0;
    return __get_cpuid(0, &highest, &ebx, &ecx, &edx) && ebx == signature_INTEL_ebx && edx == signature_INTEL_edx;
}

#else

namespace {

const Choice* find_levels() {
    static const Choice found[] = {{&LEVEL_PORTABLE, true}, {nullptr, false}};
    return found;
}

}  // namespace

bool likes_prefetch() { return false; }

#endif

const Choice* levels() {
    static const Choice* const found = find_levels();
    return found;
}

}  // namespace addison
