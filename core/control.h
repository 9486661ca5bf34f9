// The floating-point control register, put in order while we add: round to nearest, subnormals kept, no traps. Whatever
// the thread had (DAZ and FTZ come with other libraries) is back afterwards.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace addison {

class StandardFloats {
  public:
#if defined(__x86_64__)
    StandardFloats() : saved_(_mm_getcsr()) {
        if ((saved_ & CONTROL) != STANDARD) _mm_setcsr(STANDARD);     // setting it costs more than looking
    }
    ~StandardFloats() {
        if ((saved_ & CONTROL) != STANDARD) _mm_setcsr(saved_);
    }

  private:
    static constexpr uint32_t CONTROL = 0xFFC0, STANDARD = 0x1F80;
    uint32_t saved_;
#elif defined(__aarch64__)
    StandardFloats() {
        __asm__ volatile("mrs %0, fpcr" : "=r"(saved_));
        if (saved_ != 0) __asm__ volatile("msr fpcr, %0" : : "r"(uint64_t{0}));
    }
    ~StandardFloats() {
        if (saved_ != 0) __asm__ volatile("msr fpcr, %0" : : "r"(saved_));
    }

  private:
    uint64_t saved_;
#else
    StandardFloats() {}
    ~StandardFloats() {}
#endif

  public:
    StandardFloats(const StandardFloats&) = delete;
    StandardFloats& operator=(const StandardFloats&) = delete;
};

}  // namespace addison
