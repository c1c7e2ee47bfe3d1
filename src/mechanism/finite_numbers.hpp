// Whether numbers of a state are finite.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace beadwave::mechanism {

inline bool is_finite(std::span<const double> numbers) {
    return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

}  // namespace beadwave::mechanism
