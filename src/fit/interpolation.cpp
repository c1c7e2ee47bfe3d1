#include "fit/interpolation.hpp"

#include <algorithm>

namespace beadwave::fit {

Place place_of(std::span<const double> times, double time) {
    const auto after = std::ranges::upper_bound(times, time) - times.begin();
    const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(times.size()) - 4;
    Place place;
    place.first = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(after - 2, 0, last));
    const auto t = times.subspan(place.first, 4);
    for (std::size_t i = 0; i < 4; ++i) {
        double product = 1.0, slope = 0.0;  // of the Lagrange polynomial of sample i
        for (std::size_t j = 0; j < 4; ++j) {
            if (j == i) continue;
            const double span = t[i] - t[j];
            slope = slope * ((time - t[j]) / span) + product / span;
            product *= (time - t[j]) / span;
        }
        place.value[i] = product;
        place.slope[i] = slope;
    }
    return place;
}

}  // namespace beadwave::fit
