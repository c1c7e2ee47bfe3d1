#include "packing/build/radius_law.hpp"

#include "beadwave/argument_error.hpp"

#include <Random123/boxmuller.hpp>
#include <Random123/philox.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::packing {
namespace {

struct Draw {
    double uniform;  ///< in (0, 1)
    double normal;   ///< of deviation 1
};

Draw draw(std::uint64_t seed, std::uint64_t number, std::uint64_t attempt) {
    const r123::Philox2x64 generator;
    const auto bits = generator({{number, attempt}}, {{seed}});
    return {(static_cast<double>(bits[0] >> 11) + 0.5) * 0x1p-53,
            r123::boxmuller(bits[0], bits[1]).x};
}

double from_table(const RadiusLaw& law, double fraction) {
    const auto above = std::ranges::upper_bound(law.fraction, fraction);
    const auto k = static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(above - law.fraction.begin(), 1, std::ssize(law.fraction) - 1));
    const double part = (fraction - law.fraction[k - 1]) / (law.fraction[k] - law.fraction[k - 1]);
    return law.radius[k - 1] + part * (law.radius[k] - law.radius[k - 1]);
}

double radius_of(const RadiusLaw& law, double mean, const Draw& draw) {
    switch (law.kind) {
        case RadiusKind::lognormal: {
            const double variance = std::log1p(law.deviation * law.deviation);
            return mean * std::exp(std::sqrt(variance) * draw.normal - 0.5 * variance);
        }
        case RadiusKind::table:
            return from_table(law, draw.uniform);
        default:
            return mean * (1.0 + law.deviation * draw.normal);
    }
}

}  // namespace

std::vector<double> draw_radii(const RadiusLaw& law, double mean, std::uint64_t seed,
                               std::size_t count) {
    constexpr std::uint64_t most_attempts = 10'000;
    std::vector<double> radii(count);
    for (std::size_t i = 0; i < count; ++i) {
        double& radius = radii[i];
        std::uint64_t attempt = 0;
        do {
            if (attempt == most_attempts) {
                throw ArgumentError(fmt::format(
                    "10,000 draws gave no radius from {:g} to {:g} m; expected a wider range",
                    law.lowest, law.highest));
            }
            radius = radius_of(law, mean, draw(seed, i, attempt++));
        } while (!(radius > 0.0 && radius >= law.lowest && radius <= law.highest));
    }
    return radii;
}

}  // namespace beadwave::packing
