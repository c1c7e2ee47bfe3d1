// How the motion of a chain changes with its start, near the diagonal: within a period a change of
// one bead reaches some neighbours only. Beads that are far enough apart share a column of the
// tangent, so that a long chain needs no more columns than a short one (Curtis, Powell, Reid 1974).
#pragma once

#include "orbits/matrix.hpp"
#include "orbits/period_map.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::orbits {

/// A square matrix that is zero farther than `width` from its diagonal, by rows of 2 width + 1.
struct Band {
    Band() = default;
    Band(std::size_t n, std::size_t half) : size(n), width(half), numbers(n * (2 * half + 1)) {}

    double& operator()(std::size_t i, std::size_t j) {
        return numbers[i * (2 * width + 1) + j + width - i];
    }
    double operator()(std::size_t i, std::size_t j) const {
        return numbers[i * (2 * width + 1) + j + width - i];
    }
    std::size_t first(std::size_t row) const { return row < width ? 0 : row - width; }
    std::size_t end(std::size_t row) const { return std::min(row + width + 1, size); }

    std::size_t size = 0, width = 0;
    std::vector<double> numbers{};
};

std::vector<double> multiply(const Band& band, const std::vector<double>& x);
Matrix full(const Band& band);

/// The part of the state whose derivative is wanted, and by what.
enum class Derivative {
    velocity_by_displacement,
    displacement_by_displacement,
    state_by_state,  ///< displacement and velocity of each freedom next to each other
};

/// A motion from a state; velocities count in units of a length over `time` [s].
struct Motion {
    PeriodMap& map;
    State start;
    double time_step;
    std::int64_t steps;
    Derivative derivative;
    double time;
};

/// The derivative up to the distance along the chain at which changes have fallen below `relative`,
/// in the order of PeriodMap::along_chain().
Band derivative_to(const Motion& motion, double relative);

}  // namespace beadwave::orbits
