// The root of a function of one number, to the last digits.
#pragma once

#include <boost/math/tools/toms748_solve.hpp>

#include <cstdint>
#include <utility>

namespace beadwave::laws {

/// A root between `low` and `high`, where the function has opposite signs: the closest numbers on
/// either side of it.
template <class Function>
std::pair<double, double> bracket_between(Function function, double low, double high) {
    std::uintmax_t evaluations = 300;
    return boost::math::tools::toms748_solve(
        function, low, high, boost::math::tools::eps_tolerance<double>(52), evaluations);
}

/// The root as one number, the middle of bracket_between().
template <class Function>
double root_between(Function function, double low, double high) {
    const auto bracket = bracket_between(function, low, high);
    return 0.5 * (bracket.first + bracket.second);
}

}  // namespace beadwave::laws
