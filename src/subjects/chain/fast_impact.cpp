#include "subjects/chain/fast_impact.hpp"

#include "beadwave/laws/impact_limit.hpp"
#include "chain/bead_places.hpp"
#include "ranks/collective.hpp"
#include "scenario/usual_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace beadwave::jobs {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// [m/s]; chains from arrays may have no materials.
double limit_of(const chain::Scenario& scenario, const chain::BeadPlaces& places,
                const chain::Chain& chain, std::size_t bead) {
    const auto found = scenario.materials.find(chain.species_names[chain.species[bead]]);
    if (found == scenario.materials.end()) return no_limit;
    const double density = found->second.density.value_or(
        scenario::sphere_density(chain.mass[bead], chain.radius[bead]) * chain::BeadShape().volume /
        places.shape(chain.first() + bead).volume);
    return laws::elastic_impact_speed(found->second.elasticity.youngs_modulus, density);
}

double speed_of(const std::optional<stepping::Drive>& drive) {
    return drive ? drive->largest_speed() : 0.0;
}

struct Fastest {
    double speed = 0.0, limit = no_limit;
    std::size_t contact = 0;
};

Fastest fastest_of(const chain::Scenario& scenario, const chain::Chain& chain) {
    const std::size_t n = chain.beads();
    std::vector<double> driven(n, 0.0);
    for (const chain::DrivenBead& each : chain.elements.driven) {
        if (each.bead < n) driven[each.bead] = each.motion.largest_speed();
    }
    Fastest fastest;
    const chain::BeadPlaces places(scenario);
    for (std::size_t c = 0; c <= n; ++c) {
        if (!std::isfinite(chain.gap[c])) continue;  // it never closes
        const bool left = c > 0, right = c < n;
        const double from = left ? chain.velocity[c - 1] : 0.0;
        const double to = right ? chain.velocity[c] : 0.0;
        const double drive = left && right ? std::max(driven[c - 1], driven[c])
                             : left        ? speed_of(chain.right_drive)
                                           : speed_of(chain.left_drive);
        const double approach = std::max(from - to, 0.0) + drive;
        const double fall = 2.0 * std::abs(chain.gravity) * std::max(chain.gap[c], 0.0);
        const double speed = std::sqrt(approach * approach + fall);
        const double limit = std::min(left ? limit_of(scenario, places, chain, c - 1) : no_limit,
                                      right ? limit_of(scenario, places, chain, c) : no_limit);
        if (speed / limit > fastest.speed / fastest.limit) fastest = {speed, limit, c};
    }
    return fastest;
}

/// "beads 0 and 1", "bead 3 and the wall".
std::string names_of(const chain::Chain& chain, std::size_t contact) {
    const std::size_t bead = chain.first() + contact;
    if (contact == 0) return fmt::format("bead {} and the wall", bead);
    if (contact == chain.beads()) return fmt::format("bead {} and the wall", bead - 1);
    return fmt::format("beads {} and {}", bead - 1, bead);
}

}  // namespace

std::optional<std::string> fast_impact(const chain::Scenario& scenario, const chain::Chain& chain) {
    const Fastest fastest = fastest_of(scenario, chain);
    const bool line = std::ranges::any_of(scenario.segments, [](const chain::Segment& segment) {
        return segment.length.has_value();
    });
    std::optional<std::string> own;
    if (fastest.speed > 0.0) {
        own = laws::beyond_impact_limit(
            scenario.law.name, line,
            fmt::format("{} meet: an impact at", names_of(chain, fastest.contact)), fastest.speed,
            fastest.limit);
    }
    std::string first = ranks::first_text(chain.ranks(), own.value_or(""));
    if (first.empty()) return std::nullopt;
    return first;
}

}  // namespace beadwave::jobs
