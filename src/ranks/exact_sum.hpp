// A sum of doubles without rounding. Neither the order of the terms nor their distribution over
// ranks changes its bits. Each number is added as an integer to a fixed-point number that covers
// the whole range of doubles.
#pragma once

#include <algorithm>
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
    /// Adds one of at most 2^30 numbers in all per process, or between two calls of normalise().
    void add(double x) {
        const auto bits = std::bit_cast<std::uint64_t>(x);
        const std::uint64_t exponent = (bits >> 52) & 0x7ff;
        if (exponent == 0x7ff) return count_special(x, 1);
        if (x == 0.0) return;
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
        used_begin_ = std::min(used_begin_, limb);
        used_end_ = std::max(used_end_, limb + 3);
    }
    /// Replaces a number that was added, or 0, by another.
    void replace(double before, double now) {
        if (std::isfinite(before)) {
            add(-before);
        } else {
            count_special(before, -1);
        }
        add(now);
    }
    void add(const ExactSum& other) {
        for (std::size_t i = 0; i < limbs_.size(); ++i)
            limbs_[i] += other.limbs_[i];
        use_all();
    }
    void subtract(const ExactSum& other) {
        for (std::size_t i = 0; i < digits; ++i)
            limbs_[i] -= other.limbs_[i];
        use_all();
    }

    /// Makes room for more numbers; the sum stays.
    void normalise();

    /// The double nearest to the sum; NaN or infinite in the same cases as a sum of doubles.
    double value() const;

    /// The whole state, for messages; these numbers may be added.
    std::span<std::int64_t> numbers() {
        use_all();
        return limbs_;
    }

    /// Some of the numbers. Outside of used() they are zero, if the sum is finite.
    struct Limbs {
        std::size_t begin = digits, end = 0;

        bool contains(const Limbs& other) const { return begin <= other.begin && other.end <= end; }
        std::size_t size() const { return end - begin; }
    };
    Limbs used() const { return {used_begin_, used_end_}; }
    bool is_finite() const {
        return std::all_of(limbs_.begin() + digits, limbs_.end(),
                           [](std::int64_t of_these) { return of_these == 0; });
    }
    /// These become all that are used.
    std::span<std::int64_t> numbers(const Limbs& these) {
        used_begin_ = these.begin;
        used_end_ = these.end;
        return std::span(limbs_).subspan(these.begin, these.size());
    }

    static constexpr std::size_t digits = 68;  ///< of 32 bits each; the last one has the sign

  private:
    void count_special(double x, int change) {
        limbs_[digits + (std::isnan(x) ? 0 : x > 0.0 ? 1 : 2)] += change;
    }
    void use_all() {
        used_begin_ = 0;
        used_end_ = digits;
        normalise();
    }

    std::array<std::int64_t, digits + 3>
        limbs_{};  // and the number of NaNs, infinities, -infinities
    // The others are zero.
    std::size_t used_begin_ = digits, used_end_ = 0;
};

/// Adds the partial sums of all ranks; every rank gets the result. Null: there is one rank.
void add_up(Communicator* ranks, std::span<ExactSum> sums);

/// The same for sums that are needed at every step: as long as they are of about the same size, a
/// message holds a few numbers of each.
class RepeatedSums {
  public:
    void add_up(Communicator* ranks, std::span<ExactSum> sums);

  private:
    ExactSum::Limbs sent_;  // the same on all ranks
};

/// The sum of `own` over the ranks before this one.
ExactSum sum_before(Communicator* ranks, ExactSum own);

}  // namespace beadwave::ranks
