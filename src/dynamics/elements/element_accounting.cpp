#include "element_accounting.hpp"

#include "ranks/from_owners.hpp"

#include <cmath>
#include <numeric>
#include <span>
#include <string>

namespace beadwave::dynamics {

ElementAccounting::ElementAccounting(const chain::Chain& chain, double time_step)
    : time_step_(time_step),
      reach_(chain::reach_of(chain.elements)),
      own_begin_(chain.own_begin()),
      own_end_(chain.own_end()),
      ranks_(chain.ranks()) {
    for (const chain::TimedLoad& each : chain.elements.loads)
        loads_.push_back({each.bead, each.force});
    for (const chain::DrivenBead& each : chain.elements.driven) {
        driven_.push_back({each.bead, each.motion});
        const double mass = owns(each.bead) ? chain.mass[each.bead] : 0.0;
        driven_mass_.push_back(mass);
        double load = mass * chain.gravity;
        for (const chain::Load& constant : chain.loads) {
            if (constant.bead == each.bead) load += constant.force;
        }
        driven_load_.push_back(load);
    }
}

template <class Number>
std::vector<double> ElementAccounting::of_driven(const Number& number) const {
    std::vector<std::size_t> all(driven_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return ranks::from_owners(
        ranks_, all, [&](std::size_t k) { return owns(driven_[k].bead); }, number);
}

double ElementAccounting::contact_power_on_driven(const double* force,
                                                  const double* velocity) const {
    double sum = 0.0;
    const auto power = [&](std::size_t k) {
        const std::size_t bead = driven_[k].bead;
        return (force[bead] - force[bead + 1]) * velocity[bead];
    };
    for (const double each : of_driven(power))
        sum += each;
    return sum;
}

double ElementAccounting::power_without_driven(const ElementSums& now,
                                               const double* velocity) const {
    double rest = now.power;
    const auto power = [&](std::size_t k) {
        return state_.force[driven_[k].bead] * velocity[driven_[k].bead];
    };
    for (const double each : of_driven(power))
        rest -= each;
    return rest;
}

double ElementAccounting::driven_kinetic(const double* velocity) const {
    double sum = 0.0;
    const auto kinetic = [&](std::size_t k) {
        const double v = velocity[driven_[k].bead];
        return 0.5 * driven_mass_[k] * v * v;
    };
    for (const double each : of_driven(kinetic))
        sum += each;
    return sum;
}

void ElementAccounting::start(const ElementSums& now, const double* velocity) {
    stored_ = now.stored;
    power_ = power_without_driven(now, velocity);
    driven_kinetic_ = driven_kinetic(velocity);
}

double ElementAccounting::work_on_contacts() const {
    double work = 0.0;
    for (const double each :
         of_driven([&](std::size_t k) { return driven_[k].on_contacts.value(); }))
        work += each;
    return work;
}

void ElementAccounting::add_to(Totals& totals, const ElementSums& now, const double* displacement,
                               const double* velocity) const {
    double on_elements = 0.0;
    for (const double each :
         of_driven([&](std::size_t k) { return driven_[k].on_elements.value(); }))
        on_elements += each;
    const auto by_load = [&](std::size_t k) {
        return driven_load_[k] * displacement[driven_[k].bead];
    };
    for (const double each : of_driven(by_load))
        totals.external_work -= each;
    totals.external_work +=
        work_on_contacts() + on_elements + (driven_kinetic(velocity) - driven_kinetic_);
    const std::vector<double> works = ranks::from_owners(
        ranks_, loads_, [&](const Load& each) { return owns(each.bead); },
        [](const Load& each) { return each.work.value(); });
    // A drive gives back what a load does on its bead.
    for (std::size_t k = 0; k < works.size(); ++k) {
        if (!drives(loads_[k].bead)) totals.external_work += works[k];
    }
    totals.kinetic += now.kinetic;
    totals.momentum += now.momentum;
    totals.stored += now.stored;
    totals.broken_energy += now.broken;
    if (state_.power == nullptr) return;
    const double work =
        time_step_ * (now.power_sum - 0.5 * power_without_driven(now, velocity) + 0.5 * power_);
    totals.dissipated += on_elements - work - (now.stored - stored_);
}

bool ElementAccounting::finite(std::size_t bead) const {
    bool finite = std::isfinite(state_.force[bead]) &&
                  (state_.power == nullptr || std::isfinite(state_.power[bead]));
    for (const ResonatorPointers& slot : state_.slots) {
        finite = finite && std::isfinite(slot.displacement[bead]) &&
                 std::isfinite(slot.velocity[bead]) && std::isfinite(slot.velocity_change[bead]);
    }
    return finite;
}

std::vector<double*> ElementAccounting::columns() const {
    std::vector<double*> all{state_.force};
    for (double* const column : {state_.power, state_.broken_at, state_.broken_energy})
        if (column != nullptr) all.push_back(column);
    for (const ResonatorPointers& slot : state_.slots)
        all.insert(all.end(), {slot.displacement, slot.velocity, slot.velocity_change});
    return all;
}

void ElementAccounting::add_columns(std::vector<StateColumn>& columns, std::size_t first,
                                    std::size_t total) {
    const auto of_beads = [&](std::string name, double* column) {
        const std::span<double> own{column + own_begin_, own_end_ - own_begin_};
        columns.push_back({std::move(name), own, first, total});
    };
    of_beads("element_force", state_.force);
    if (state_.power != nullptr) of_beads("element_power", state_.power);
    if (state_.half_rounding != nullptr) of_beads("half_rounding", state_.half_rounding);
    if (state_.broken_at != nullptr) {
        of_beads("bond_broken_at", state_.broken_at);
        of_beads("bond_broken_energy", state_.broken_energy);
    }
    for (std::size_t k = 0; k < state_.slots.size(); ++k) {
        const std::string name = "resonator_" + std::to_string(k);
        of_beads(name + "_displacement", state_.slots[k].displacement);
        of_beads(name + "_velocity", state_.slots[k].velocity);
        of_beads(name + "_velocity_change", state_.slots[k].velocity_change);
    }
    columns.push_back({"initial_element_stored", {&stored_, 1}});
    columns.push_back({"initial_element_power", {&power_, 1}});
    columns.push_back({"initial_driven_kinetic", {&driven_kinetic_, 1}});
    const auto work = [&](std::string name, std::size_t bead, WorkSum& sum) {
        const std::span<double> numbers = sum.numbers();
        columns.push_back(
            {std::move(name), owns(bead) ? numbers : std::span<double>(), 0, numbers.size()});
    };
    for (std::size_t k = 0; k < loads_.size(); ++k)
        work("load_" + std::to_string(k) + "_work", loads_[k].bead, loads_[k].work);
    for (std::size_t k = 0; k < driven_.size(); ++k) {
        const std::string name = "driven_" + std::to_string(k);
        work(name + "_work_on_contacts", driven_[k].bead, driven_[k].on_contacts);
        work(name + "_work_on_elements", driven_[k].bead, driven_[k].on_elements);
    }
}

}  // namespace beadwave::dynamics
