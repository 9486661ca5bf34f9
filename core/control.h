// The floating-point control register, put in order while we add: round to nearest, subnormals kept, no traps. Whatever
// the thread had (DAZ and FTZ come with other libraries) is back afterwards.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace addison {

// Inlined always, as it is compiled for several instruction sets under one name.
#define ADDISON_INLINE inline __attribute__((always_inline))

class StandardFloats {
  public:
#if defined(__x86_64__)
    ADDISON_INLINE StandardFloats() : saved_(_mm_getcsr()) {
        if ((saved_ & CONTROL) != STANDARD) _mm_setcsr(STANDARD);     // setting it costs more than looking
    }
    ADDISON_INLINE ~StandardFloats() {
        if ((saved_ & CONTROL) != STANDARD) _mm_setcsr(saved_);
    }

  private:
    static constexpr uint32_t CONTROL = 0xFFC0, STANDARD = 0x1F80;
    uint32_t saved_;
#elif defined(__aarch64__)
    ADDISON_INLINE StandardFloats() {
        __asm__ volatile("mrs %0, fpcr" : "=r"(saved_));
        if (saved_ != 0) __asm__ volatile("msr fpcr, %0" : : "r"(uint64_t{0}));
    }
    ADDISON_INLINE ~StandardFloats() {
        if (saved_ != 0) __asm__ volatile("msr fpcr, %0" : : "r"(saved_));
    }

  private:
    uint64_t saved_;
#else
    ADDISON_INLINE StandardFloats() {}
    ADDISON_INLINE ~StandardFloats() {}
#endif

  public:
    StandardFloats(const StandardFloats&) = delete;
    StandardFloats& operator=(const StandardFloats&) = delete;
};

#undef ADDISON_INLINE

}  // namespace addison
