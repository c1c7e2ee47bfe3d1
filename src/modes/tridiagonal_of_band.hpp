// A symmetric banded matrix made tridiagonal, by work that a caller may end.
#pragma once

#include "modes/interruptible.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::modes {

/// The tridiagonal matrix with the same eigenvalues, to the rounding of the largest one: rotations
/// remove the numbers farther from the diagonal column by column and chase what each of them leaves
/// down the band [Rutishauser, Schwarz]. `band`: by columns, from the diagonal downwards, width + 1
/// numbers each; the result has 2 numbers each, if `width` is at least 1. The work grows as n^2
/// (width + 10); asks `stop` after each part of it.
std::vector<double> tridiagonal_of_band(const std::vector<double>& band, std::size_t n,
                                        std::size_t width, const Stop& stop = {});

}  // namespace beadwave::modes
