#include "packing_system/measure_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace beadwave::observers {
namespace {

using packing::ContactState;
using packing::Vec3;

}  // namespace

Tensor contact_stress(const MeasuredState& state) {
    ContactSums sums;
    sums.include(state.inside, state.contacts);
    return scaled(sums.forces, 1.0 / state.volume);
}

Tensor bond_stress(const MeasuredState& state) {
    return scaled(bond_sum(state.inside, std::span(state.bonds)), 1.0 / state.volume);
}

Tensor kinetic_stress(const MeasuredState& state) {
    const auto each = [&](const auto& visit) {
        for (std::size_t i = 0; i < state.packing.particles(); ++i) {
            if (state.inside[i]) visit(state.packing.mass[i], state.velocity[i]);
        }
    };
    return scaled(kinetic_sum(each), 1.0 / state.volume);
}

Tensor stress(const MeasuredState& state) {
    return symmetric_sum(contact_stress(state), bond_stress(state), kinetic_stress(state));
}

double volume_fraction(const MeasuredState& state) {
    double solid = 0.0;
    for (std::size_t i = 0; i < state.packing.particles(); ++i) {
        if (state.inside[i]) solid += state.packing.solid(i);
    }
    return solid / state.volume;
}

double coordination_number(const MeasuredState& state) {
    ContactSums sums;
    sums.include(state.inside, state.contacts);
    return state.particles > 0.0 ? sums.sides / state.particles : 0.0;
}

Tensor fabric(const MeasuredState& state) {
    Tensor sum{};
    double sides = 0.0;
    const std::span<const ContactState> contacts = state.contacts;
    each_side(state.inside, contacts, [&](const ContactState& contact, const Vec3&, double) {
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
