#include "pair_overlaps.hpp"

#include "packing/contacts/pair_kinematics.hpp"
#include "packing/walls/wall_motion.hpp"
#include "simd/clones.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {
namespace {

/// Second bodies minus first ones.
struct PairPlaces {
    double reference[3][pairs_at_a_time], displacement[3][pairs_at_a_time];  // [m]
    double radii[pairs_at_a_time], gap[pairs_at_a_time];                     // [m]
};

void put_column(double (&columns)[3][pairs_at_a_time], std::size_t k, const Vec3& v) {
    columns[0][k] = v.x;
    columns[1][k] = v.y;
    columns[2][k] = v.z;
}

BEADWAVE_CLONES void overlaps_of(const PairPlaces& p, std::size_t count,
                                 double* __restrict overlap) {
    for (std::size_t k = 0; k < count; ++k) {
        overlap[k] =
            pair_geometry<double>(
                {.reference = {p.reference[0][k], p.reference[1][k], p.reference[2][k]},
                 .displacement = {p.displacement[0][k], p.displacement[1][k], p.displacement[2][k]},
                 .radii = p.radii[k],
                 .gap = p.gap[k]})
                .overlap;
    }
}

BEADWAVE_CLONES void first_gaps_of(const PairPlaces& p, std::size_t count, double* __restrict gap) {
    for (std::size_t k = 0; k < count; ++k) {
        const Vec3 r{p.reference[0][k], p.reference[1][k], p.reference[2][k]};
        gap[k] = first_gap(std::sqrt(dot(r, r)), p.radii[k]);
    }
}

}  // namespace

void find_overlaps(const Bodies& bodies, const PairEntries& entries,
                   std::span<const std::uint32_t> some, double* overlap) {
    PairPlaces places;
    for (std::size_t k = 0; k < some.size(); ++k) {
        const std::uint32_t e = some[k], a = entries.first[e], b = entries.second[e];
        put_column(places.reference, k, bodies.reference(b) - bodies.reference(a));
        put_column(places.displacement, k, bodies.displacement(b) - bodies.displacement(a));
        places.radii[k] = bodies.radius(a) + bodies.radius(b);
        places.gap[k] = entries.gap[e];
    }
    overlaps_of(places, some.size(), overlap);
}

void find_first_gaps(const Bodies& bodies, PairEntries& entries, std::size_t begin,
                     std::size_t end) {
    PairPlaces places;
    for (std::size_t from = begin; from < end; from += pairs_at_a_time) {
        const std::size_t count = std::min(pairs_at_a_time, end - from);
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint32_t a = entries.first[from + k], b = entries.second[from + k];
            put_column(places.reference, k, bodies.reference(b) - bodies.reference(a));
            places.radii[k] = bodies.radius(a) + bodies.radius(b);
        }
        first_gaps_of(places, count, entries.gap.data() + from);
    }
}

}  // namespace beadwave::packing
