// Random numbers that are the same on every machine: SplitMix64 [Steele, Lea and Flood 2014].
#pragma once

#include <cstdint>

namespace beadwave {

inline constexpr std::uint64_t splitmix64_step = 0x9E3779B97F4A7C15U;

/// The number of SplitMix64 whose state was `x` before it.
constexpr std::uint64_t splitmix64(std::uint64_t x) {
    x += splitmix64_step;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
}

/// Number `number` of the random bits of a seed.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t number) {
    return splitmix64(splitmix64(seed) ^ splitmix64(~number));
}

/// From the 53 upper bits a number in [-1, 1).
constexpr double from_minus_one_to_one(std::uint64_t bits) {
    return static_cast<double>(bits >> 11U) * 0x1p-52 - 1.0;
}

/// A stream of numbers in [-1, 1).
class Uniform {
  public:
    explicit Uniform(std::uint64_t seed) : state_(seed) {}
    double operator()() {
        const double number = from_minus_one_to_one(splitmix64(state_));
        state_ += splitmix64_step;
        return number;
    }

  private:
    std::uint64_t state_;
};

}  // namespace beadwave
