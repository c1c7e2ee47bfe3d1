// Four rows of Skrinjar2018 Table 2 lie above their laws, even where the law is elastic.
#pragma once

#include <string>

namespace beadwave::validation {

/// The c_r that replaces 0 in laws that divide by c_r. It gives the printed numbers of the column
/// c_r = 0, except flores'.
constexpr double lowest_input = 0.01;

/// The one curve through all four rows: the printed number where a law returns e. Its constants and
/// its power are fitted to these rows. The text does not give the cause.
constexpr double printed_high(double e) {
    return e + 0.0085 + 0.0095 * (1.0 - e * e * e);
}

/// Two numbers from which the curve differs by more than half a printed digit.
inline bool beyond_the_curve(const std::string& law, double input) {
    return (law == "gonthier" && input == 0.5) || (law == "flores" && input == 0.0);
}

}  // namespace beadwave::validation
