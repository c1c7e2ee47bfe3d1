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

}  // namespace

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
