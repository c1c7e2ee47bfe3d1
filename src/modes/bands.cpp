#include "modes/modes.hpp"

#include <algorithm>

namespace beadwave::modes {

std::vector<Band> gaps_of(std::span<const Band> bands) {
    double highest = 0.0;
    for (const Band& band : bands)
        highest = std::max(highest, band.upper);
    std::vector<Band> gaps;
    double top = 0.0;
    for (const Band& band : bands) {
        if (band.lower - top > 1e-6 * highest) gaps.push_back({top, band.lower});
        top = std::max(top, band.upper);
    }
    return gaps;
}

}  // namespace beadwave::modes
