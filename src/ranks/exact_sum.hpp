// A sum of doubles without rounding. Neither the order of the terms nor their distribution over
// ranks changes its bits. Each number is added as an integer to a fixed-point number that covers
// the whole range of doubles.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace beadwave::ranks {

class Communicator;

/// Number of terms that are added one after another, as doubles, before their sum is added to a
/// total. Bead i of a chain is in block i / sum_block, on whichever rank it is.
inline constexpr std::size_t sum_block = 512;

class ExactSum {
  public:
    /// At most 2^31 - 1 numbers in all per process.
    void add(double x) {
        const auto bits = std::bit_cast<std::uint64_t>(x);
        const std::uint64_t exponent = (bits >> 52) & 0x7ff;
        if (exponent == 0x7ff) return add_special(x);
        const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
        const std::uint64_t mantissa = exponent > 0 ? fraction | std::uint64_t{1} << 52 : fraction;
        // The number is its mantissa times 2^place, with 2^0 the smallest double.
        const std::uint64_t place = exponent > 0 ? exponent - 1 : 0;
        const std::size_t limb = place / 32, shift = place % 32;
        const std::uint64_t low = (mantissa & 0xffffffff) << shift;
        const std::uint64_t high = (mantissa >> 32) << shift;
        const std::uint64_t middle = (low >> 32) + (high & 0xffffffff);
        const std::int64_t sign = bits >> 63 ? -1 : 1;
        limbs_[limb] += sign * static_cast<std::int64_t>(low & 0xffffffff);
        limbs_[limb + 1] += sign * static_cast<std::int64_t>(middle);
        limbs_[limb + 2] += sign * static_cast<std::int64_t>(high >> 32);
    }
    void add(const ExactSum& other) {
        for (std::size_t i = 0; i < limbs_.size(); ++i)
            limbs_[i] += other.limbs_[i];
        normalise();
    }
    void subtract(const ExactSum& other) {
        for (std::size_t i = 0; i < digits; ++i)
            limbs_[i] -= other.limbs_[i];
        normalise();
    }

    /// The double nearest to the sum; NaN or infinite in the same cases as a sum of doubles.
    double value() const;

    /// The whole state, for messages; these numbers may be added.
    std::span<std::int64_t> numbers() {
        normalise();
        return limbs_;
    }

  private:
    static constexpr std::size_t digits = 68;  // of 32 bits each; the last one has the sign

    void add_special(double x) { ++limbs_[digits + (std::isnan(x) ? 0 : x > 0.0 ? 1 : 2)]; }
    void normalise();

    std::array<std::int64_t, digits + 3>
        limbs_{};  // and the number of NaNs, infinities, -infinities
};

/// Adds the partial sums of all ranks; every rank gets the result. Null: there is one rank.
void add_up(Communicator* ranks, std::span<ExactSum> sums);
/// The sum of `own` over the ranks before this one.
ExactSum sum_before(Communicator* ranks, ExactSum own);

}  // namespace beadwave::ranks
