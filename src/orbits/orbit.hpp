// One periodic orbit, with its accuracy: the orbits of N, 2N, 4N ... steps per period, extrapolated
// to infinitely many (Richardson), because the error of velocity Verlet is c h^2 + higher orders.
#pragma once

#include "orbits/find.hpp"
#include "orbits/multipliers.hpp"
#include "orbits/problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::orbits {

struct Accuracy {
    /// Steps of one period: the orbit is that of these steps, as `run` makes them; 0: as many as
    /// `relative` needs.
    std::int64_t steps = 0;
    /// Extrapolation ends when it changes the state by less than this, relative to the largest
    /// displacement.
    double relative = 1e-9;
};

/// A change of the state at the start of the period that grows by a multiplier per period; of a
/// complex one real and imaginary part turn into each other. The largest displacement of a bead
/// is 1.
struct Direction {
    std::vector<Complex> displacement, velocity;  ///< of the freedoms [1], [1/s]
};

struct Orbit {
    double frequency = 0.0;  ///< [Hz]
    State state{};           ///< at the start of the period; conservative: a turning point
    double energy = 0.0;     ///< see PeriodMap::energy() [J]
    double amplitude = 0.0;  ///< the largest displacement of a bead [m]
    double periodicity_error = 0.0;
    double least_overlap = 0.0;  ///< [m]
    bool crossed_jump = false;   ///< see PeriodMap::crossed_jump()
    Stability stability{};
    std::vector<Direction> unstable{};  ///< of each instability; empty: not all are known
    std::vector<double> newton{};       ///< errors of the steps of Newton's method [1]
    std::int64_t steps = 0;             ///< of a period, the most that were taken
    bool extrapolated = false;
    double change = 0.0;  ///< by the last doubling of the steps, after extrapolation [1]
};

/// Solves for an orbit from a guess of x. Throws InputError that starts with the name.
Orbit solve_orbit(const Problem::Family& family, double parameter, std::vector<double> guess,
                  std::int64_t guess_steps, double least, const Accuracy& accuracy,
                  const Search& search);

/// How many multiplier pairs of a conservative chain are 1 in any orbit.
std::size_t trivial_pairs(const PeriodMap& map);

/// Extremes of the motion in one period.
struct Extent {
    double amplitude = 0.0;      ///< the largest displacement of a bead [m]
    double least_overlap = 0.0;  ///< see PeriodMap::least_overlap() [m]
    bool crossed_jump = false;   ///< see PeriodMap::crossed_jump()
};
Extent extent_of(const Problem& problem, const std::vector<double>& x, double parameter);

}  // namespace beadwave::orbits
