// Random radii: normal, lognormal, or as a table says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace beadwave::packing {

enum class RadiusKind { normal, lognormal, table };

struct RadiusLaw {
    RadiusKind kind = RadiusKind::normal;
    /// Standard deviation over the mean, before the cut.
    double deviation = 0.0;
    /// Radii outside are drawn again [m].
    double lowest = 0.0, highest = std::numeric_limits<double>::infinity();
    /// Points of a table: the part of particles, by number, that is not larger than a radius [m]:
    /// from 0 to 1, linear in between. Neither decreases, and not both stay: where the radius
    /// stays, that part of the particles has it; where the fraction stays, no particle is between.
    std::vector<double> radius{}, fraction{};
};

/// `count` radii with the mean `mean` [m], which a table does not use. Number i depends on `seed`
/// and i alone. Throws ArgumentError if nearly all radii would be outside of the cut.
std::vector<double> draw_radii(const RadiusLaw& law, double mean, std::uint64_t seed,
                               std::size_t count);

}  // namespace beadwave::packing
