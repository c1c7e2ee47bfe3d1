#include "element_accounting.hpp"

#include <cmath>
#include <string>

namespace beadwave::dynamics {

ElementAccounting::ElementAccounting(const chain::Chain& chain, double time_step)
    : time_step_(time_step), reach_(chain::reach_of(chain.elements)) {
    for (const chain::TimedLoad& each : chain.elements.loads)
        loads_.push_back({each.bead, each.force});
    for (const chain::DrivenBead& each : chain.elements.driven) {
        driven_.push_back({each.bead, each.motion});
        driven_mass_.push_back(chain.mass[each.bead]);
        double load = chain.mass[each.bead] * chain.gravity;
        for (const chain::Load& constant : chain.loads) {
            if (constant.bead == each.bead) load += constant.force;
        }
        driven_load_.push_back(load);
    }
}

double ElementAccounting::contact_power_on_driven(const double* force,
                                                  const double* velocity) const {
    double power = 0.0;
    for (const Driven& each : driven_)
        power += (force[each.bead] - force[each.bead + 1]) * velocity[each.bead];
    return power;
}

double ElementAccounting::power_without_driven(const ElementSums& now,
                                               const double* velocity) const {
    double power = now.power;
    for (const Driven& each : driven_)
        power -= state_.force[each.bead] * velocity[each.bead];
    return power;
}

void ElementAccounting::start(const ElementSums& now, const double* velocity) {
    stored_ = now.stored;
    power_ = power_without_driven(now, velocity);
    driven_kinetic_ = 0.0;
    for (std::size_t k = 0; k < driven_.size(); ++k) {
        const double v = velocity[driven_[k].bead];
        driven_kinetic_ += 0.5 * driven_mass_[k] * v * v;
    }
}

double ElementAccounting::work_on_contacts() const {
    double work = 0.0;
    for (const Driven& each : driven_)
        work += each.on_contacts.value();
    return work;
}

void ElementAccounting::add_to(Totals& totals, const ElementSums& now, const double* displacement,
                               const double* velocity) const {
    double on_elements = 0.0, kinetic = 0.0;
    for (std::size_t k = 0; k < driven_.size(); ++k) {
        const std::size_t bead = driven_[k].bead;
        on_elements += driven_[k].on_elements.value();
        kinetic += 0.5 * driven_mass_[k] * velocity[bead] * velocity[bead];
        totals.external_work -= driven_load_[k] * displacement[bead];
    }
    totals.external_work += work_on_contacts() + on_elements + (kinetic - driven_kinetic_);
    // A drive gives back what a load does on its bead.
    for (const Load& each : loads_) {
        if (!drives(each.bead)) totals.external_work += each.work.value();
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

void ElementAccounting::add_columns(std::vector<StateColumn>& columns, std::size_t beads) {
    const auto of_beads = [&](std::string name, double* column) {
        columns.push_back({std::move(name), {column, beads}});
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
    for (std::size_t k = 0; k < loads_.size(); ++k)
        columns.push_back({"load_" + std::to_string(k) + "_work", loads_[k].work.numbers()});
    for (std::size_t k = 0; k < driven_.size(); ++k) {
        const std::string name = "driven_" + std::to_string(k);
        columns.push_back({name + "_work_on_contacts", driven_[k].on_contacts.numbers()});
        columns.push_back({name + "_work_on_elements", driven_[k].on_elements.numbers()});
    }
}

}  // namespace beadwave::dynamics
