// What is measured of a packing, from its engine; readers of files, which have none, need only the
// rest of packing_measures.hpp.

#include "packing_system/packing_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::observers {
namespace {

using packing::Vec3;

/// Relative to the affine motion of a box that strains.
std::vector<Vec3> own_velocities(const packing::Packing& packing,
                                 const packing::PackingEngine& engine) {
    std::vector<Vec3> velocity = engine.velocity();
    if (!packing.box.strain) return velocity;
    const packing::BoxState box = engine.box();
    const std::vector<Vec3> moved = engine.displacement();
    for (std::size_t i = 0; i < velocity.size(); ++i) {
        const Vec3 from_lower = (packing.position[i] - packing.box.lower) + moved[i];
        velocity[i] -= box.affine_velocity(from_lower);
    }
    return velocity;
}

std::vector<Vec3> displacements(const std::vector<packing::WallMotion>& walls) {
    std::vector<Vec3> moved;
    moved.reserve(walls.size());
    for (const packing::WallMotion& wall : walls)
        moved.push_back(wall.displacement);
    return moved;
}

}  // namespace

std::vector<BondState> intact_bonds(const packing::Packing& packing,
                                    const packing::PackingEngine& engine) {
    const packing::BondStepper& bonds = engine.elements().bonds();
    std::vector<BondState> all;
    for (std::size_t k = 0; k < bonds.states().size(); ++k) {
        if (!bonds.states()[k].intact()) continue;
        all.push_back({.first = packing.elements.bonds[k].first,
                       .second = packing.elements.bonds[k].second,
                       .point = bonds.point(k),
                       .branch = bonds.between_centres(k),
                       .force = -bonds.force(k)});
    }
    return all;
}

MeasuredState::MeasuredState(const packing::Packing& of, const packing::PackingEngine& engine)
    : packing(of),
      walls(engine.walls()),
      velocity(own_velocities(of, engine)),
      contacts(engine.contacts()),
      bonds(intact_bonds(of, engine)),
      orientation(of.has_shapes() ? engine.orientation() : std::vector<shapes::Quaternion>()),
      region(packing::region_bounds(of, displacements(walls), engine.box().edges)),
      inside(packing::particles_in(region, of, engine.displacement())),
      volume(region.volume(of.dimension)) {
    for (std::size_t i = 0; i < inside.size(); ++i)
        inside[i] = inside[i] != 0 && !engine.population().is_absent(i);
    for (const char is_inside : inside)
        particles += is_inside;
}

EndMeasures end_measures(const packing::Packing& packing, const packing::PackingEngine& engine) {
    MeasuredState now(packing, engine);
    if (!std::isfinite(now.volume)) {
        constexpr double none = std::numeric_limits<double>::infinity();
        Vec3 low{none, none, none}, high{-none, -none, -none};
        const std::vector<Vec3> moved = engine.displacement();
        for (std::size_t i = 0; i < moved.size(); ++i) {
            if (!now.inside[i]) continue;
            const double r = packing.radius[i];
            const Vec3 at = packing.position[i] + moved[i];
            low = {std::min(low.x, at.x - r), std::min(low.y, at.y - r), std::min(low.z, at.z - r)};
            high = {std::max(high.x, at.x + r), std::max(high.y, at.y + r),
                    std::max(high.z, at.z + r)};
        }
        const auto bound = [](double& side, double by) { side = std::isfinite(side) ? side : by; };
        bound(now.region.lower.x, low.x), bound(now.region.upper.x, high.x);
        bound(now.region.lower.y, low.y), bound(now.region.upper.y, high.y);
        bound(now.region.lower.z, low.z), bound(now.region.upper.z, high.z);
        now.volume = now.region.volume(packing.dimension);
    }
    // Ranks except the first know no particle.
    const bool known = now.inside.size() == packing.particles();
    if (!known || !(now.volume > 0.0) || !std::isfinite(now.volume)) {
        EndMeasures nothing;
        nothing.stress.fill(std::numeric_limits<double>::quiet_NaN());
        nothing.volume_fraction = std::numeric_limits<double>::quiet_NaN();
        return nothing;
    }
    return {.stress = stress(now),
            .coordination = coordination_number(now),
            .volume_fraction = volume_fraction(now)};
}

}  // namespace beadwave::observers
