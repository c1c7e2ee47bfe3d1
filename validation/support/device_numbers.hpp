// The kernel `check` on any device, and the same numbers by the standard library.
#pragma once

#include "device/check.hpp"
#include "device/device.hpp"
#include "device/embedded_code.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace beadwave::validation {

template <class Work>
std::string device_error_of(const Work& work) {
    try {
        work();
    } catch (const device::DeviceError& error) {
        return error.what();
    }
    return "no error";
}

/// Whether this build has no device code, which the test then prints.
inline bool without_device_code() {
    if (!device::embedded_modules().empty()) return false;
    MESSAGE("skipped: this build has no device code (no clang)");
    return true;
}

/// The number of results that differ, by their bits; NaN has many.
inline std::size_t different_numbers(const std::vector<double>& one,
                                     const std::vector<double>& other) {
    std::size_t count = one.size() == other.size() ? 0 : 1;
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
        count += std::bit_cast<std::uint64_t>(one[i]) != std::bit_cast<std::uint64_t>(other[i]) &&
                 !(std::isnan(one[i]) && std::isnan(other[i]));
    }
    return count;
}

/// Numbers of many magnitudes: some of them, or of their results, are subnormal, zero or infinite.
struct CheckedNumbers {
    std::vector<double> a, b, c;

    explicit CheckedNumbers(std::size_t count) {
        std::mt19937_64 random(count);
        std::uniform_real_distribution<double> mantissa(1.0, 2.0);
        std::uniform_int_distribution<int> exponent(-10, 10);
        // The least normal numbers are 2^-1022 and, in single precision, 2^-126.
        const std::array<int, 16> extreme = {0, 0, 0,   0,    0,    0,    0,     0,
                                             0, 0, -65, -140, -515, -515, -1040, 65};
        for (std::vector<double>* numbers : {&a, &b, &c}) {
            for (std::size_t i = 0; i < count; ++i) {
                numbers->push_back(
                    std::ldexp(mantissa(random), exponent(random) + extreme[random() % 16]));
            }
        }
    }

    /// What the kernel `check` of a device makes of them.
    std::vector<double> on(device::Device& device) const {
        std::vector<double> results(a.size() * device::check_results);
        const device::Array<double> da(device, a.size()), db(device, a.size()),
            dc(device, a.size()), out(device, results.size());
        da.upload(a.data());
        db.upload(b.data());
        dc.upload(c.data());
        const device::CheckArguments arguments{da.data(), db.data(), dc.data(), out.data(),
                                               a.size()};
        device.launch(device.kernel("check", "check"), a.size(), &arguments, sizeof arguments);
        out.download(results.data());
        return results;
    }

    /// The same by the functions of the standard library.
    std::vector<double> here() const {
        std::vector<double> results;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const volatile double product = a[i] * b[i];
            const auto x = static_cast<float>(a[i]), y = static_cast<float>(b[i]),
                       z = static_cast<float>(c[i]);
            const volatile float float_product = x * y;
            for (const double result :
                 {product + c[i], std::fma(a[i], b[i], c[i]), a[i] / b[i], std::sqrt(a[i])})
                results.push_back(result);
            for (const float result : {float_product + z, std::fma(x, y, z), x / y, std::sqrt(x)})
                results.push_back(result);
        }
        return results;
    }
};

}  // namespace beadwave::validation
