// What is measured of a packing, from its engine; readers of files, which have none, need only the
// rest of packing_measures.hpp.

#include "packing_system/measure_sums.hpp"

namespace beadwave::observers {
namespace {

using packing::Vec3;

std::vector<Vec3> relative_velocities(const packing::Packing& packing,
                                      const packing::PackingEngine& engine) {
    std::vector<Vec3> velocity = engine.velocity();
    if (!packing.box.strain) return velocity;
    const packing::BoxState box = engine.box();
    const std::vector<Vec3> moved = engine.displacement();
    for (std::size_t i = 0; i < velocity.size(); ++i)
        velocity[i] = relative_velocity(packing, box, i, moved[i], velocity[i]);
    return velocity;
}

}  // namespace

std::vector<Vec3> displacements(const std::vector<packing::WallMotion>& walls) {
    std::vector<Vec3> moved;
    moved.reserve(walls.size());
    for (const packing::WallMotion& wall : walls)
        moved.push_back(wall.displacement);
    return moved;
}

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
      velocity(relative_velocities(of, engine)),
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

}  // namespace beadwave::observers
