// A sum of doubles without rounding, so that neither order nor division changes its bits: each
// number is added, as the integer that it is, to a fixed-point number as wide as doubles reach.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace beadwave::ranks {

class Ranks;

/// Terms that are added in turn, as doubles, before their sum is added to a total: bead i of a
/// chain is in block i / sum_block, whoever holds it.
inline constexpr std::size_t sum_block = 512;

class ExactSum {
  public:
    /// Fewer than 2^31 numbers in all, of one process.
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

    /// The double nearest to the sum; not a number or infinite as a sum of doubles would be.
    double value() const;

    /// All of it, for messages: numbers that may be added up.
    std::span<std::int64_t> numbers() {
        normalise();
        return limbs_;
    }

  private:
    static constexpr std::size_t digits = 68;  // of 32 bits each, the last one with the sign

    void add_special(double x) { ++limbs_[digits + (std::isnan(x) ? 0 : x > 0.0 ? 1 : 2)]; }
    void normalise();

    std::array<std::int64_t, digits + 3> limbs_{};  // and how many NaNs, infinities, negative ones
};

/// The sums of all ranks' shares, on every rank; null: there is one rank.
void add_up(Ranks* ranks, std::span<ExactSum> sums);
/// The sum of what the ranks before this one give.
ExactSum sum_before(Ranks* ranks, ExactSum own);

}  // namespace beadwave::ranks
