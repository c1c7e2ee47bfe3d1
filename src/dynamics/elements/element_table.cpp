#include "element_table.hpp"

#include "ranks/communicator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace beadwave::dynamics {
namespace {

SpringColumns columns(std::size_t count) {
    return {simd::Column(count), simd::Column(count), simd::Column(count)};
}

BondColumns bond_columns(std::size_t count) {
    return {simd::Column(count), simd::Column(count), simd::Column(count),
            simd::Column(count, std::numeric_limits<double>::infinity()), simd::Column(count, 1.0)};
}

/// Whether it is so on any rank of the chain.
bool any_of(const chain::Chain& chain, bool own) {
    return chain.partition ? chain.partition->ranks->any(own) : own;
}

}  // namespace

ElementTable::ElementTable(const chain::Chain& chain, double time_step, std::size_t count)
    : time_step_(time_step),
      grounded_(any_of(chain, !chain.elements.foundations.empty())),
      bonded_(any_of(chain, !chain.elements.bonds.empty())),
      ground_(columns(count)),
      bonds_(bond_columns(bonded_ ? count : 0)),
      pairs_(chain, count) {
    const auto add = [&](SpringColumns& to, std::size_t bead, const chain::Spring& spring) {
        to.stiffness[bead] += spring.stiffness;
        to.cubic[bead] += spring.cubic;
        to.damping[bead] += spring.damping;
        cubic_ = cubic_ || spring.cubic != 0.0;
        damped_ = damped_ || spring.damping != 0.0;
    };
    for (const chain::Foundation& each : chain.elements.foundations)
        add(ground_, each.bead, each.spring);
    ground_damped_ = any_of(chain, damped_);
    std::vector<std::size_t> used(chain.elements.resonators.empty() ? 0 : chain.beads());
    for (const chain::Resonator& each : chain.elements.resonators) {
        const std::size_t k = used[each.bead]++;
        if (k == slots_.size())
            slots_.push_back({columns(count), simd::Column(count), simd::Column(count)});
        add(slots_[k].spring, each.bead, each.spring);
        slots_[k].mass[each.bead] = each.mass;
        slots_[k].kick[each.bead] = 0.5 * time_step * (1.0 / each.mass);
        slot_of_.push_back(k);
    }
    for (const chain::Bond& each : chain.elements.bonds) {
        const std::size_t c = each.contact;
        bonds_.stiffness[c] = each.stiffness;
        bonds_.damping[c] = each.damping;
        bonds_.stretch[c] = each.stretch;
        bonds_.strength[c] = each.strength;
        bonds_.pushes[c] = each.tension_only ? 0.0 : 1.0;
        damped_ = damped_ || each.damping != 0.0 || std::isfinite(each.strength);
    }
    share(chain, count);
    std::vector<simd::Column*> all{&ground_.stiffness, &ground_.cubic, &ground_.damping};
    for (Slot& slot : slots_) {
        for (simd::Column* column :
             {&slot.spring.stiffness, &slot.spring.cubic, &slot.spring.damping, &slot.kick})
            all.push_back(column);
    }
    const std::size_t beads = chain.beads();
    for (simd::Column* column : all)
        std::fill(column->data() + beads, column->data() + count, (*column)[beads - 1]);
    for (std::size_t i = 1; i < beads; ++i) {
        if (std::ranges::any_of(
                all, [&](const simd::Column* column) { return (*column)[i] != (*column)[i - 1]; }))
            changes_.push_back(i);
    }
}

void ElementTable::share(const chain::Chain& chain, std::size_t count) {
    if (!chain.partition) return;
    std::array of_all{static_cast<double>(slots_.size()), cubic_ ? 1.0 : 0.0, damped_ ? 1.0 : 0.0};
    chain.partition->ranks->largest(of_all);
    while (static_cast<double>(slots_.size()) < of_all[0])
        slots_.push_back({columns(count), simd::Column(count), simd::Column(count)});
    cubic_ = of_all[1] > 0.0;
    damped_ = of_all[2] > 0.0;
}

bool ElementTable::alike(std::size_t begin, std::size_t end) const {
    const auto next = std::ranges::upper_bound(changes_, begin);
    return next == changes_.end() || *next >= end;
}

ElementSums ElementTable::sums(const ElementPointers& state, const double* displacement,
                               const double* velocity, std::size_t begin, std::size_t end) const {
    ElementSums sums;
    if (!pairs_.empty()) sums.stored += pairs_.energy(displacement, begin, end);
    for (std::size_t i = begin; i < end; ++i) {
        sums.stored += ground_.energy(i, displacement[i]);
        sums.power += state.force[i] * velocity[i];
        if (state.power != nullptr) sums.power_sum += state.power[i];
    }
    if (bonded_) add_bonds(sums, state, displacement, begin, end);
    double half_power = 0.0;  // times dt
    for (std::size_t k = 0; k < slots_.size(); ++k) {
        const Slot& slot = slots_[k];
        const ResonatorPointers& at = state.slots[k];
        for (std::size_t i = begin; i < end; ++i) {
            const double mass = slot.mass[i], w = at.velocity[i];
            if (mass == 0.0) continue;
            sums.kinetic += 0.5 * mass * w * w;
            sums.momentum += mass * w;
            sums.stored += slot.spring.energy(i, displacement[i] - at.displacement[i]);
            half_power += mass * at.velocity_change[i] * w;
        }
    }
    sums.power += half_power * (2.0 / time_step_);
    return sums;
}

void ElementTable::add_bonds(ElementSums& sums, const ElementPointers& state,
                             const double* displacement, std::size_t begin, std::size_t end) const {
    for (std::size_t c = std::max<std::size_t>(begin, 1); c < end; ++c) {
        sums.broken += state.broken_energy[c];
        if (state.broken_at[c] > 0.0) continue;
        const double x = bonds_.elongation(c, displacement[c] - displacement[c - 1]);
        sums.stored += 0.5 * bonds_.stiffness[c] * x * x;
    }
}

}  // namespace beadwave::dynamics
