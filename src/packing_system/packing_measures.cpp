#include "packing_system/packing_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace beadwave::observers {
namespace {

using packing::ContactState;
using packing::Vec3;

void add(Tensor& sum, const Vec3& a, const Vec3& b, double factor = 1.0) {
    const double row[] = {a.x, a.y, a.z}, column[] = {b.x, b.y, b.z};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            sum[3 * i + j] += factor * row[i] * column[j];
    }
}

Tensor scaled(Tensor sum, double factor) {
    for (double& number : sum)
        number *= factor;
    return sum;
}

/// Calls visit(contact, arm, sign) for each particle of each contact, or bond, that is in the
/// region: `arm` from its centre to the point of the forces, `sign` of the forces on it.
template <class Contact, class Visit>
void each_side(const MeasuredState& state, const std::vector<Contact>& contacts, Visit visit) {
    const std::size_t n = state.packing.particles();
    for (const Contact& contact : contacts) {
        if (state.inside[contact.first]) visit(contact, contact.point, 1.0);
        if (contact.second < n && state.inside[contact.second])
            visit(contact, contact.point - contact.branch, -1.0);
    }
}

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
                       .branch = bonds.states()[k].branch,
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

Tensor contact_stress(const MeasuredState& state) {
    Tensor sum{};
    each_side(state, state.contacts,
              [&](const ContactState& contact, const Vec3& arm, double sign) {
                  add(sum, contact.normal_force + contact.tangential_force, arm, sign);
              });
    return scaled(sum, 1.0 / state.volume);
}

Tensor bond_stress(const MeasuredState& state) {
    Tensor sum{};
    each_side(state, state.bonds, [&](const BondState& bond, const Vec3& arm, double sign) {
        add(sum, bond.force, arm, sign);
    });
    return scaled(sum, 1.0 / state.volume);
}

Tensor kinetic_stress(const MeasuredState& state) {
    const auto each = [&](auto visit) {
        for (std::size_t i = 0; i < state.packing.particles(); ++i) {
            if (state.inside[i]) visit(state.packing.mass[i], state.velocity[i]);
        }
    };
    double mass = 0.0;
    Vec3 momentum{};
    each([&](double m, const Vec3& v) { mass += m, momentum += m * v; });
    if (!(mass > 0.0)) return {};
    const Vec3 mean = (1.0 / mass) * momentum;
    Tensor sum{};
    each([&](double m, const Vec3& v) { add(sum, v - mean, v - mean, -m); });
    return scaled(sum, 1.0 / state.volume);
}

Tensor stress(const MeasuredState& state) {
    Tensor contact = contact_stress(state);
    const Tensor bond = bond_stress(state), kinetic = kinetic_stress(state);
    for (std::size_t at = 0; at < contact.size(); ++at)
        contact[at] += bond[at];
    Tensor sum{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            const std::size_t at = 3 * i + j, mirrored = 3 * j + i;
            sum[at] =
                0.5 * (contact[at] + contact[mirrored]) + 0.5 * (kinetic[at] + kinetic[mirrored]);
        }
    }
    return sum;
}

double volume_fraction(const MeasuredState& state) {
    double solid = 0.0;
    for (std::size_t i = 0; i < state.packing.particles(); ++i) {
        if (state.inside[i]) solid += state.packing.solid(i);
    }
    return solid / state.volume;
}

double coordination_number(const MeasuredState& state) {
    double sides = 0.0;
    each_side(state, state.contacts,
              [&](const ContactState&, const Vec3&, double) { sides += 1.0; });
    return state.particles > 0.0 ? sides / state.particles : 0.0;
}

Tensor fabric(const MeasuredState& state) {
    Tensor sum{};
    double sides = 0.0;
    each_side(state, state.contacts, [&](const ContactState& contact, const Vec3&, double) {
        add(sum, contact.branch, contact.branch, 1.0 / dot(contact.branch, contact.branch));
        sides += 1.0;
    });
    return sides > 0.0 ? scaled(sum, 1.0 / sides) : sum;
}

double rattlers(const MeasuredState& state) {
    const packing::Packing& p = state.packing;
    const std::size_t n = p.particles();
    const std::size_t needed = p.dimension == 3 ? 3 : 2;
    std::vector<std::vector<std::size_t>> touches(n);  // particles; n: a wall
    for (const ContactState& contact : state.contacts) {
        touches[contact.first].push_back(std::min(contact.second, n));
        if (contact.second < n) touches[contact.second].push_back(contact.first);
    }
    for (const BondState& bond : state.bonds) {
        touches[bond.first].insert(touches[bond.first].end(), needed, bond.second);
        touches[bond.second].insert(touches[bond.second].end(), needed, bond.first);
    }
    std::vector<std::size_t> count(n);
    std::vector<char> rattles(n, false);
    std::vector<std::size_t> loose;
    const auto check = [&](std::size_t i) {
        if (p.is_fixed(i) || rattles[i] || count[i] >= needed) return;
        rattles[i] = true;
        loose.push_back(i);
    };
    for (std::size_t i = 0; i < n; ++i) {
        count[i] = touches[i].size();
        check(i);
    }
    while (!loose.empty()) {
        const std::size_t i = loose.back();
        loose.pop_back();
        for (const std::size_t other : touches[i]) {
            if (other == n) continue;
            --count[other];
            check(other);
        }
    }
    double found = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        found += rattles[i] && state.inside[i] ? 1.0 : 0.0;
    return found;
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

WallMeasures wall_measures(const MeasuredState& state) {
    const std::size_t n = state.packing.particles();
    WallMeasures all;
    for (std::size_t w = 0; w < state.walls.size(); ++w) {
        all.position.push_back(state.packing.walls[w].point() + state.walls[w].displacement);
        all.velocity.push_back(state.walls[w].velocity);
    }
    all.force.resize(state.walls.size());
    for (const ContactState& contact : state.contacts) {
        if (contact.second >= n)
            all.force[contact.second - n] -= contact.normal_force + contact.tangential_force;
    }
    return all;
}

}  // namespace beadwave::observers
