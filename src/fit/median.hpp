// The median of numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace beadwave::fit {

/// The upper one of the two in the middle where their count is even; of at least one number.
inline double upper_median(std::vector<double> numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::ranges::nth_element(numbers, middle);
    return *middle;
}

}  // namespace beadwave::fit
