#include "base/long_run.hpp"

#include <fmt/format.h>

namespace beadwave {

std::string wall_time_text(double seconds) {
    constexpr double day = 86400.0, year = 365.25 * day;
    return seconds < 2.0 * year ? fmt::format("{:.0f} days", seconds / day)
                                : fmt::format("{:.2g} years", seconds / year);
}

std::string too_long_text(double seconds) {
    return fmt::format(
        "takes at least {}; expected at most {}. An earlier time.end, a longer time.step or "
        "another "
        "number that is far too large or too small may be the cause; --yes (in Python yes=True) "
        "starts it all the same",
        wall_time_text(seconds), wall_time_text(longest_unasked_run));
}

}  // namespace beadwave
