// The least of the stationary overlaps of two bodies on which searches from several starts end.
#pragma once

#include "shapes/vectors.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <string_view>

namespace beadwave::shapes {

template <class Found>
struct LeastOverlap {
    Found found;
    int starts;    ///< directions that were searched from
    bool certain;  ///< below `certain_below`
};

/// Searches from `guess`, then from between(), then from each of more(), until an overlap is below
/// `certain_below` [m]; both are called only if they are needed. `from`: an optional result from a
/// unit vector; `overlap_of`: that of a result [m]. Throws std::runtime_error, which names the
/// bodies, if no search has a result.
template <class From, class OverlapOf, class Between, class More>
auto least_overlap(std::string_view bodies, double certain_below, const Vector& guess,
                   const Between& between, const More& more, const From& from,
                   const OverlapOf& overlap_of) {
    decltype(from(guess)) best;
    double least = 0.0;
    int starts = 0;
    const auto search_from = [&](const Vector& start) {
        const double size = length(start);
        if (!(size > 0.0)) return;
        ++starts;
        const auto found = from(start * (1.0 / size));
        if (!found) return;
        const double overlap = overlap_of(*found);
        if (best && !(overlap < least)) return;
        best = found;
        least = overlap;
    };
    const auto done = [&] { return best && least < certain_below; };
    search_from(guess);
    if (!done()) search_from(between());
    if (!done()) {
        for (const Vector& start : more()) {
            search_from(start);
            if (done()) break;
        }
    }
    if (!best) {
        throw std::runtime_error(
            fmt::format("the common normal of two {} was not found: none of {} starts of Newton's "
                        "method ends on one",
                        bodies, starts));
    }
    return LeastOverlap<typename decltype(best)::value_type>{*best, starts, done()};
}

}  // namespace beadwave::shapes
