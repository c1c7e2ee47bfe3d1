#include "packing/elements/element_stepper.hpp"

#include "packing/build/particle_shapes.hpp"
#include "packing/elements/driven_axes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace beadwave::packing {

ElementStepper::ElementStepper(const Packing& packing, double time_step)
    : packing_(packing), dt_(time_step), bonds_(packing) {
    const Elements& elements = packing.elements;
    if (elements.empty()) return;
    std::vector<char> carries(packing.particles());
    const auto mark = [&](const auto& list) {
        for (const auto& each : list)
            carries[each.particle] = 1;
    };
    mark(elements.foundations), mark(elements.resonators);
    mark(elements.loads), mark(elements.driven);
    for (const Bond& bond : elements.bonds) {
        for (const std::size_t particle : {bond.first, bond.second}) {
            if (!packing.is_fixed(particle)) carries[particle] = 1;
        }
    }
    carrier_of_.assign(packing.particles(), none);
    for (std::size_t i = 0; i < carries.size(); ++i) {
        if (carries[i] == 0) continue;
        carrier_of_[i] = static_cast<std::uint32_t>(carriers_.size());
        carriers_.emplace_back().particle = i;
    }
    const auto carrier = [&](std::size_t particle) -> Carrier& {
        return carriers_[carrier_of_[particle]];
    };
    for (const Foundation& each : elements.foundations) {
        Carrier& c = carrier(each.particle);
        c.ground.stiffness += each.spring.stiffness;
        c.ground.cubic += each.spring.cubic;
        c.ground.damping += each.spring.damping;
        c.rotational_damping += each.rotational_damping;
    }
    for (const Resonator& each : elements.resonators) {
        carrier(each.particle).inner.push_back(static_cast<std::uint32_t>(inner_.size()));
        inner_.push_back({.velocity = packing.velocity[each.particle]});
    }
    for (const LoadedParticle& each : elements.loads)
        carrier(each.particle).loads.push_back(static_cast<std::uint32_t>(each.force));
    for (const DrivenParticle& each : elements.driven) {
        Carrier& c = carrier(each.particle);
        c.motion = static_cast<std::uint32_t>(each.motion);
        c.turns = elements.motions[each.motion].rotates;
        c.turned = elements.motions[each.motion].turning.has_value();
    }
    for (Carrier& c : carriers_) {
        if (packing.has_shapes()) c.body = inertia_of(packing, c.particle);
        c.least_moment = least_moment(packing, c.particle);
        c.predicted = packing.velocity[c.particle];
        c.predicted_angular_velocity = packing.angular_velocity[c.particle];
    }
    if (bonds_.any()) bond_limit_.assign(carriers_.size(), 0.0);
    for (const Bond& bond : elements.bonds) {
        for (const std::size_t particle : {bond.first, bond.second}) {
            if (const std::uint32_t c = carrier_of_[particle]; c != none)
                bond_limit_[c] += bond_limit(packing, bond, particle);
        }
    }
    if (bonds_.any()) list_bonds();
    force_.resize(elements.forces.size());
    for (std::vector<At>* each : {&before_, &present_, &next_})
        each->resize(elements.motions.size());
    begin(0);
}

void ElementStepper::list_bonds() {
    const std::vector<Bond>& bonds = packing_.elements.bonds;
    first_begin_.assign(packing_.particles() + 1, 0);
    for (const Bond& bond : bonds)
        ++first_begin_[bond.first + 1];
    std::partial_sum(first_begin_.begin(), first_begin_.end(), first_begin_.begin());
    std::vector<std::uint32_t> at(first_begin_.begin(), first_begin_.end() - 1);
    bonds_of_first_.resize(bonds.size());
    for (std::size_t k = 0; k < bonds.size(); ++k)
        bonds_of_first_[at[bonds[k].first]++] = static_cast<std::uint32_t>(k);
    std::vector<std::uint32_t> all(bonds.size());
    std::iota(all.begin(), all.end(), 0U);
    pull_only(std::move(all));
}

void ElementStepper::pull_only(std::vector<std::uint32_t> bonds) {
    pulled_ = std::move(bonds);
    pulled_carriers_.clear();
    for (const std::uint32_t k : pulled_) {
        const Bond& bond = packing_.elements.bonds[k];
        for (const std::size_t particle : {bond.first, bond.second}) {
            const std::uint32_t c = carrier_of_[particle];
            if (c != none) pulled_carriers_.push_back(c);
        }
    }
    std::ranges::sort(pulled_carriers_);
    pulled_carriers_.erase(std::unique(pulled_carriers_.begin(), pulled_carriers_.end()),
                           pulled_carriers_.end());
    bond_load_.assign(carriers_.size() + 1, {});
}

ElementStepper::At ElementStepper::at(const PrescribedMotion& motion, std::int64_t step) const {
    At at;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!motion.along[k]) continue;
        at.displacement.*axes[k] = motion.along[k]->displacement(time(step));
        at.velocity.*axes[k] = motion.along[k]->velocity(time(step));
    }
    for (std::size_t k = 0; motion.turning && k < 3; ++k)
        at.angle.*axes[k] = (*motion.turning)[k].displacement(time(step));
    at.angular_velocity = driven_angular_velocity(motion, time(step));
    return at;
}

void ElementStepper::begin(std::int64_t step) {
    if (!any()) return;
    step_ = step;
    const Elements& elements = packing_.elements;
    for (std::size_t k = 0; k < force_.size(); ++k) {
        const ForceOverTime& force = elements.forces[k];
        force_[k] = {force[0].at(time(step)), force[1].at(time(step)), force[2].at(time(step))};
    }
    for (std::size_t k = 0; k < present_.size(); ++k) {
        before_[k] = at(elements.motions[k], std::max<std::int64_t>(step - 1, 0));
        present_[k] = at(elements.motions[k], step);
        next_[k] = at(elements.motions[k], step + 1);
    }
}

void ElementStepper::predict(std::size_t carrier, const Vec3& velocity,
                             const Vec3& angular_velocity) {
    carriers_[carrier].predicted = velocity;
    carriers_[carrier].predicted_angular_velocity = angular_velocity;
}

void ElementStepper::place(std::size_t carrier, Step step, CarrierPlace& at) {
    Carrier& c = carriers_[carrier];
    if (c.motion == none) return;
    const At &from = step == Step::present ? before_[c.motion] : present_[c.motion],
             &to = step == Step::present ? present_[c.motion] : next_[c.motion];
    each_driven(packing_.elements.motions[c.motion], [&](double Vec3::*k) {
        at.displacement.*k = to.displacement.*k;
        at.half.*k = (to.displacement.*k - from.displacement.*k) / dt_;
        at.predicted.*k = to.velocity.*k;
        c.predicted.*k = to.velocity.*k;
    });
    if (c.turns) return;
    at.half_angular_velocity = (to.angle - from.angle) * (1.0 / dt_);
    at.predicted_angular_velocity = c.predicted_angular_velocity = to.angular_velocity;
}

void ElementStepper::set_absent(std::span<const char> absent) {
    for (Carrier& c : carriers_) {
        c.absent = !absent.empty() && absent[c.particle] != 0;
        if (!c.absent) continue;
        for (const std::uint32_t r : c.inner)
            inner_[r].velocity = inner_[r].change = {};
    }
}

std::vector<std::uint32_t> ElementStepper::bonds_of(const std::vector<char>& particles) const {
    std::vector<std::uint32_t> all;
    for (std::size_t k = 0; k < bonds_.states().size(); ++k) {
        const Bond& bond = packing_.elements.bonds[k];
        if (bonds_.states()[k].intact() &&
            (particles[bond.first] != 0 || particles[bond.second] != 0))
            all.push_back(static_cast<std::uint32_t>(k));
    }
    return all;
}

std::optional<std::size_t> ElementStepper::first_non_finite() const {
    for (const Carrier& c : carriers_) {
        const bool finite = std::ranges::all_of(c.inner, [&](std::uint32_t r) {
            const InnerMass& m = inner_[r];
            return std::isfinite(dot(m.displacement, m.displacement) + dot(m.velocity, m.velocity) +
                                 dot(m.change, m.change));
        });
        if (!finite || !std::isfinite(dot(c.other_force, c.other_force))) return c.particle;
    }
    return std::nullopt;
}

std::vector<Vec3> ElementStepper::drive_forces() const {
    std::vector<Vec3> forces;
    for (const DrivenParticle& each : packing_.elements.driven) {
        const Carrier& c = carriers_[carrier_of_[each.particle]];
        const PrescribedMotion& motion = packing_.elements.motions[each.motion];
        Vec3 force{};
        for (std::size_t k = 0; k < 3; ++k) {
            if (!motion.along[k]) continue;
            // By differences over half steps, of second order; at the start to one side.
            const auto v = [&](double halves) {
                return motion.along[k]->velocity(time(step_) + 0.5 * dt_ * halves);
            };
            const double difference =
                step_ > 0 ? v(1) - v(-1) : 4.0 * (v(1) - v(0)) - (v(2) - v(0));
            const double acceleration = difference / dt_;
            force.*axes[k] = packing_.mass[c.particle] * acceleration -
                             (c.contact_force.*axes[k] + c.other_force.*axes[k]);
        }
        forces.push_back(force);
    }
    return forces;
}

std::vector<Vec3> ElementStepper::drive_torques() const {
    std::vector<Vec3> torques;
    for (const DrivenParticle& each : packing_.elements.driven) {
        const Carrier& c = carriers_[carrier_of_[each.particle]];
        Vec3 torque{};
        if (c.turned) {
            const PrescribedMotion& motion = packing_.elements.motions[each.motion];
            // As in drive_forces().
            const auto w = [&](double halves) {
                return driven_angular_velocity(motion, time(step_) + 0.5 * dt_ * halves);
            };
            const Vec3 difference = step_ > 0 ? w(1) - w(-1) : 4.0 * (w(1) - w(0)) - (w(2) - w(0));
            if (c.body) {  // the moments turn with the body
                torque = (1.0 / dt_) * c.body->momentum(difference) +
                         cross(w(0), c.body->momentum(w(0)));
            } else {
                torque = (packing_.inertia[c.particle] / dt_) * difference;
            }
            torque -= c.contact_torque + c.other_torque;
        }
        torques.push_back(torque);
    }
    return torques;
}

std::vector<double> ElementStepper::numbers() const {
    std::vector<double> all;
    each_number_of_all(*this, [&](double number) { all.push_back(number); });
    const std::vector<double> bonds = bonds_.numbers();
    all.insert(all.end(), bonds.begin(), bonds.end());
    return all;
}

void ElementStepper::restore(std::int64_t step, std::span<const double> numbers) {
    std::size_t at = 0;
    each_number_of_all(*this, [&](double& number) { number = numbers[at++]; });
    bonds_.restore(numbers.subspan(at));
    begin(step);
}

}  // namespace beadwave::packing
