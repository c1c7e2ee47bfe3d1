// What is measured of a packing, from its engine; readers of files, which have none, need only the
// rest of packing_measures.hpp.

#include "packing_system/measure_sums.hpp"
#include "ranks/in_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace beadwave::observers {
namespace {

using packing::ContactState;
using packing::Vec3;

/// In a box that strains relative to the affine motion [m/s].
Vec3 relative_velocity(const packing::Packing& packing, const packing::BoxState& box,
                       std::size_t particle, const MovingParticle& now) {
    if (!packing.box.strain) return now.velocity;
    const Vec3 from_lower = (packing.position[particle] - packing.box.lower) + now.displacement;
    return now.velocity - box.affine_velocity(from_lower);
}

/// The sum of -m v_i v_j over particles, with velocities relative to that of their centre of mass
/// [J]. each(visit) calls visit(mass, velocity) for each of them; it is called twice.
template <class Each>
Tensor kinetic_sum(const Each& each) {
    double mass = 0.0;
    Vec3 momentum{};
    each([&](double m, const Vec3& v) { mass += m, momentum += m * v; });
    const Vec3 mean = mass > 0.0 ? (1.0 / mass) * momentum : Vec3{};
    Tensor sum{};
    each([&](double m, const Vec3& v) { add(sum, v - mean, v - mean, -m); });
    return sum;
}

void include(ContactSums& sums, const packing::ParticleColumn<char>& inside,
             std::span<const ContactState> contacts) {
    each_side(inside, contacts, [&](const ContactState& c, const Vec3& arm, double sign) {
        add(sums.forces, c.normal_force + c.tangential_force, arm, sign);
        add(sums.normals, c.branch, c.branch, 1.0 / dot(c.branch, c.branch));
        sums.sides += 1.0;
    });
    for (const ContactState& c : contacts) {
        if (c.second >= inside.size())
            sums.walls[c.second - inside.size()] -= c.normal_force + c.tangential_force;
    }
}

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

std::vector<MovingParticle> moving_particles(const packing::PackingEngine& engine) {
    const std::vector<Vec3> displacement = engine.own_displacements(),
                            velocity = engine.own_velocities();
    std::vector<MovingParticle> own(displacement.size());
    for (std::size_t i = 0; i < own.size(); ++i)
        own[i] = {displacement[i], velocity[i]};
    return own;
}

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

RegionSums::RegionSums(const packing::Packing& of, const packing::PackingEngine& engine,
                       ranks::Communicator* ranks)
    : packing(of),
      walls(engine.walls()),
      bonds(intact_bonds(of, engine)),
      region(packing::region_bounds(of, displacements(walls), engine.box().edges)),
      volume(region.volume(of.dimension)),
      low{infinite, infinite, infinite},
      high{-infinite, -infinite, -infinite} {
    {
        const std::vector<MovingParticle> own = moving_particles(engine);
        const std::size_t begin = engine.own_numbers().begin;
        const auto is_inside = [&](std::size_t i, const MovingParticle& now) {
            return packing::is_in(region, of, of.position[i] + now.displacement) &&
                   !engine.population().is_absent(i);
        };
        for (const MovingParticle& each : own)
            own_inside.push_back(is_inside(begin + own_inside.size(), each) ? 1 : 0);
        const auto each_inside = [&](const auto& visit) {
            std::size_t i = 0;
            const auto see = [&](std::span<const MovingParticle> some) {
                for (const MovingParticle& each : some) {
                    if (is_inside(i, each)) visit(i, each);
                    ++i;
                }
            };
            ranks::visit_in_order<MovingParticle>(ranks, own, see);
            return i;
        };
        const packing::BoxState box = engine.box();
        bool again = false;
        kinetic = kinetic_sum([&](const auto& visit) {
            const std::size_t seen = each_inside([&](std::size_t i, const MovingParticle& each) {
                visit(of.mass[i], relative_velocity(of, box, i, each));
                if (again) return;
                particles += 1.0;
                solid += of.solid(i);
                const Vec3 at = of.position[i] + each.displacement;
                const double r = of.radius[i];
                low = {std::min(low.x, at.x - r), std::min(low.y, at.y - r),
                       std::min(low.z, at.z - r)};
                high = {std::max(high.x, at.x + r), std::max(high.y, at.y + r),
                        std::max(high.z, at.z + r)};
                inside.resize(i);
                inside.push_back(1);
            });
            if (!std::exchange(again, true)) inside.resize(seen);
        });
    }
    contacts.walls.resize(of.walls.size());
    engine.visit_contacts([&](const auto& some) { include(contacts, inside, some); });
}

MeasuredState::MeasuredState(const packing::Packing& of, const packing::PackingEngine& engine,
                             ranks::Communicator* ranks)
    : RegionSums(of, engine, ranks),
      orientation(of.has_shapes() ? engine.orientation() : std::vector<shapes::Quaternion>()),
      rattlers(count_rattlers(*this, engine, ranks)) {}

EndMeasures end_measures(const packing::Packing& packing, const packing::PackingEngine& engine,
                         ranks::Communicator* ranks) {
    RegionSums sums(packing, engine, ranks);
    if (!std::isfinite(sums.volume)) {
        const auto side = [](double& of, double by) { of = std::isfinite(of) ? of : by; };
        packing::RegionBounds& region = sums.region;
        side(region.lower.x, sums.low.x), side(region.upper.x, sums.high.x);
        side(region.lower.y, sums.low.y), side(region.upper.y, sums.high.y);
        side(region.lower.z, sums.low.z), side(region.upper.z, sums.high.z);
        sums.volume = region.volume(packing.dimension);
    }
    // Ranks except the first know no particle.
    if (sums.inside.empty() || !(sums.volume > 0.0) || !std::isfinite(sums.volume)) {
        EndMeasures nothing;
        nothing.stress.fill(std::numeric_limits<double>::quiet_NaN());
        nothing.volume_fraction = std::numeric_limits<double>::quiet_NaN();
        return nothing;
    }
    return {.stress = stress(sums),
            .coordination = coordination_number(sums),
            .volume_fraction = volume_fraction(sums)};
}

}  // namespace beadwave::observers
