// The measures at the end of a run, piece by piece: no rank has all particles or contacts.

#include "packing_system/measure_sums.hpp"
#include "ranks/in_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::observers {
namespace {

using packing::Vec3;

/// What the region becomes where it has no bounds: around all particles.
struct Around {
    Vec3 low{infinite, infinite, infinite}, high{-infinite, -infinite, -infinite};

    static constexpr double infinite = std::numeric_limits<double>::infinity();
    void include(const Vec3& at, double r) {
        low = {std::min(low.x, at.x - r), std::min(low.y, at.y - r), std::min(low.z, at.z - r)};
        high = {std::max(high.x, at.x + r), std::max(high.y, at.y + r), std::max(high.z, at.z + r)};
    }
    void bound(packing::RegionBounds& region) const {
        const auto side = [](double& of, double by) { of = std::isfinite(of) ? of : by; };
        side(region.lower.x, low.x), side(region.upper.x, high.x);
        side(region.lower.y, low.y), side(region.upper.y, high.y);
        side(region.lower.z, low.z), side(region.upper.z, high.z);
    }
};

struct Moving {
    Vec3 displacement, velocity;
};

std::vector<Moving> own_particles(const packing::PackingEngine& engine) {
    const std::vector<Vec3> displacement = engine.own_displacements(),
                            velocity = engine.own_velocities();
    std::vector<Moving> own(displacement.size());
    for (std::size_t i = 0; i < own.size(); ++i)
        own[i] = {displacement[i], velocity[i]};
    return own;
}

}  // namespace

EndMeasures end_measures(const packing::Packing& packing, const packing::PackingEngine& engine,
                         ranks::Communicator* ranks) {
    const packing::BoxState box = engine.box();
    packing::RegionBounds region =
        packing::region_bounds(packing, displacements(engine.walls()), box.edges);
    const std::vector<BondState> bonds = intact_bonds(packing, engine);
    packing::ParticleColumn<char> inside;
    Around around;
    double count = 0.0, solid = 0.0;
    Tensor kinetic{};
    {
        const std::vector<Moving> own = own_particles(engine);
        const auto each_particle = [&](const auto& visit) {
            std::size_t particle = 0;
            ranks::visit_in_order<Moving>(ranks, own, [&](std::span<const Moving> some) {
                for (const Moving& each : some)
                    visit(particle++, each);
            });
        };
        each_particle([&](std::size_t i, const Moving& each) {
            const Vec3 at = packing.position[i] + each.displacement;
            const bool is_inside =
                packing::is_in(region, packing, at) && !engine.population().is_absent(i);
            inside.push_back(is_inside);
            if (!is_inside) return;
            count += 1.0;
            solid += packing.solid(i);
            around.include(at, packing.radius[i]);
        });
        kinetic = kinetic_sum([&](const auto& visit) {
            each_particle([&](std::size_t i, const Moving& each) {
                if (!std::as_const(inside)[i]) return;
                visit(packing.mass[i],
                      relative_velocity(packing, box, i, each.displacement, each.velocity));
            });
        });
    }
    ContactSums contacts;
    engine.visit_contacts([&](const auto& some) { contacts.include(inside, some); });
    if (!std::isfinite(region.volume(packing.dimension))) around.bound(region);
    const double volume = region.volume(packing.dimension);
    // Ranks except the first know no particle.
    if (inside.empty() || !(volume > 0.0) || !std::isfinite(volume)) {
        EndMeasures nothing;
        nothing.stress.fill(std::numeric_limits<double>::quiet_NaN());
        nothing.volume_fraction = std::numeric_limits<double>::quiet_NaN();
        return nothing;
    }
    const auto per_volume = [&](const Tensor& sum) { return scaled(sum, 1.0 / volume); };
    return {.stress =
                symmetric_sum(per_volume(contacts.forces),
                              per_volume(bond_sum(inside, std::span(bonds))), per_volume(kinetic)),
            .coordination = count > 0.0 ? contacts.sides / count : 0.0,
            .volume_fraction = solid / volume};
}

}  // namespace beadwave::observers
