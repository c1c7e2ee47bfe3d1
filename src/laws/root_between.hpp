// The root of a function of one number, to the last digits.
#pragma once

#include <boost/math/tools/toms748_solve.hpp>

#include <cstdint>

namespace beadwave::laws {

/// A root between `low` and `high`, where the function has opposite signs.
template <class Function>
double root_between(Function function, double low, double high) {
    std::uintmax_t evaluations = 300;
    const auto bracket = boost::math::tools::toms748_solve(
        function, low, high, boost::math::tools::eps_tolerance<double>(52), evaluations);
    return 0.5 * (bracket.first + bracket.second);
}

}  // namespace beadwave::laws
