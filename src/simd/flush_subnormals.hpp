// Flushes subnormal numbers to zero on this thread, as long as the object lives. The head of a wave
// decays double-exponentially into subnormal numbers, and an operation with one of them takes ten
// times as long as with a normal number.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#endif

namespace beadwave::simd {

class FlushSubnormals {
  public:
#if defined(__SSE2__)
    FlushSubnormals() : saved_(_mm_getcsr()) {
        _mm_setcsr(saved_ | both);
    }
    ~FlushSubnormals() {
        _mm_setcsr(saved_);
    }
    /// Whether this thread flushes them.
    static bool is_on() {
        return (_mm_getcsr() & both) == both;
    }
#elif defined(__aarch64__)
    FlushSubnormals() {
        asm volatile("mrs %0, fpcr" : "=r"(saved_));
        asm volatile("msr fpcr, %0" : : "r"(saved_ | both));
    }
    ~FlushSubnormals() {
        asm volatile("msr fpcr, %0" : : "r"(saved_));
    }
    static bool is_on() {
        std::uint64_t now;
        asm volatile("mrs %0, fpcr" : "=r"(now));
        return (now & both) == both;
    }
#else
#error "beadwave does not know how this processor flushes subnormal numbers"
#endif
    FlushSubnormals(const FlushSubnormals&) = delete;
    FlushSubnormals& operator=(const FlushSubnormals&) = delete;

  private:
#if defined(__SSE2__)
    static constexpr unsigned both = 0x8040;  // results and operands
    unsigned saved_;
#else
    static constexpr std::uint64_t both = std::uint64_t{1} << 24;  // results and operands
    std::uint64_t saved_;
#endif
};

}  // namespace beadwave::simd
