// The arithmetic that kernels rely on, for one thread: operations that IEEE 754 rounds to the
// nearest number. A device that does not give the bits of the host is no twin of it.
#pragma once

#include <cstddef>

namespace beadwave::device {

/// Argument of the kernel `check` of the module `check`.
struct CheckArguments {
    const double* a;
    const double* b;
    const double* c;
    double* results;  ///< `check_results` per thread
    std::size_t count;
};

inline constexpr std::size_t check_results = 8;

inline void check_thread(const CheckArguments& numbers, std::size_t i) {
    if (i >= numbers.count) return;
    const double a = numbers.a[i], b = numbers.b[i], c = numbers.c[i];
    const auto x = static_cast<float>(a), y = static_cast<float>(b), z = static_cast<float>(c);
    double* const results = numbers.results + i * check_results;
    results[0] = a * b + c;  // two roundings: a compiler may not fuse them
    results[1] = __builtin_fma(a, b, c);
    results[2] = a / b;
    results[3] = __builtin_sqrt(a);
    results[4] = x * y + z;
    results[5] = __builtin_fmaf(x, y, z);
    results[6] = x / y;
    results[7] = __builtin_sqrtf(x);
}

}  // namespace beadwave::device
