#include "gradients/stored_states.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::gradients {
namespace {

/// (places + repeats) over places: pieces that can be reversed when none is computed more often.
double reach(double places, double repeats) {
    double result = 1.0;
    for (double k = 1.0; k <= repeats; ++k)
        result = result * (places + k) / k;
    return result;
}

/// How often a piece is computed before it is computed with its records.
double repeats_of(double pieces, double places) {
    double repeats = 0.0, within = 1.0;
    while (within < pieces) {
        ++repeats;
        within = within * (places + repeats) / repeats;
    }
    return repeats;
}

}  // namespace

double pieces_computed(std::int64_t pieces, std::size_t places) {
    const auto l = static_cast<double>(pieces), s = static_cast<double>(places);
    const double r = repeats_of(l, s);
    // r l - (s + r) over (r - 1), and each piece once with its records.
    const double less = r > 0.0 ? reach(s + 1.0, r - 1.0) : 0.0;
    return r * l - less + l;
}

std::int64_t next_stored(std::int64_t pieces, std::size_t places) {
    if (pieces < 2 || places < 2) return 0;
    const auto l = static_cast<double>(pieces), s = static_cast<double>(places);
    const double r = repeats_of(l, s);
    // The rest has a place less, and may be computed as often; the pieces up to there have all
    // places, and one repeat less.
    const double most_behind = reach(s - 1.0, r);
    const double least = r >= 2.0 ? reach(s, r - 2.0) : 1.0;
    return static_cast<std::int64_t>(std::clamp(std::max(least, l - most_behind), 1.0, l - 1.0));
}

StoredStates stored_states(std::int64_t steps, std::size_t most, std::int64_t multiple) {
    const auto rounded = [&](std::int64_t piece) {
        return (piece + multiple - 1) / multiple * multiple;
    };
    const auto pieces = [&](std::int64_t piece) { return (steps + piece - 1) / piece; };
    if (steps <= 1) return {};
    StoredStates best;
    if (most == 0) {
        const auto root =
            static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(steps))));
        best.piece = std::min(rounded(root), std::max(root, steps));
        best.places = static_cast<std::size_t>(pieces(best.piece));
        return best;
    }
    double least = -1.0;
    const std::int64_t longest = std::min(static_cast<std::int64_t>(most) - 1, rounded(steps));
    for (std::int64_t piece = 1; piece <= longest; ++piece) {
        if (piece % multiple != 0 && static_cast<std::int64_t>(most) > 2 * multiple) continue;
        const std::size_t places = std::min(most - static_cast<std::size_t>(piece),
                                            static_cast<std::size_t>(pieces(piece)));
        const double cost = pieces_computed(pieces(piece), places) * static_cast<double>(piece);
        if (least >= 0.0 && cost >= least) continue;
        least = cost;
        best = {piece, places};
    }
    return best;
}

}  // namespace beadwave::gradients
