#include "gradients/carried.hpp"

namespace beadwave::gradients {
namespace {

double force_of(const chain::Spring& spring, double x, double speed) {
    return (spring.stiffness + spring.cubic * x * x) * x + spring.damping * speed;
}

double slope_of(const chain::Spring& spring, double x) {
    return spring.stiffness + 3.0 * spring.cubic * x * x;
}

/// Adds the derivatives by the numbers of a spring from that by its force.
void add_to(chain::Spring& bar, double force_bar, double x, double speed) {
    bar.stiffness += force_bar * x;
    bar.cubic += force_bar * x * x * x;
    bar.damping += force_bar * speed;
}

/// Whether a bond has a force at this elongation.
bool pulls(const chain::Bond& bond, double elongation) {
    return !bond.tension_only || elongation > 0.0;
}

}  // namespace

Carried::Carried(const chain::Chain& chain, const MotionNumbers& numbers, double time_step)
    : elements_(numbers.elements),
      dt_(time_step),
      empty_(elements_.foundations.empty() && elements_.resonators.empty() &&
             elements_.loads.empty() && elements_.driven.empty() && elements_.bonds.empty() &&
             elements_.pair_forces.empty()) {
    for (std::size_t k = 0; k < elements_.pair_forces.size(); ++k) {
        const chain::PairForce& own = chain.elements.pair_forces[k];
        for (std::size_t n = 1; n <= own.neighbours; ++n) {
            for (std::size_t i = own.first; i + n <= own.last; ++i) {
                const double strength = own.strength(i, i + n);
                if (strength == 0.0) continue;
                double spacing = 0.0;
                for (std::size_t c = i + 1; c <= i + n; ++c)
                    spacing += numbers.spacing[c];
                pairs_.push_back({i, i + n, k, strength / own.force, spacing});
            }
        }
    }
}

InnerState Carried::inner_state() const {
    const std::vector<double> zeros(elements_.resonators.size(), 0.0);
    return {zeros, zeros, zeros};
}

void Carried::add_forces(std::span<const double> u, std::span<const double> speed, double time,
                         std::span<double> force) const {
    for (const chain::Foundation& each : elements_.foundations)
        force[each.bead] -= force_of(each.spring, u[each.bead], speed[each.bead]);
    for (const chain::Bond& each : elements_.bonds) {
        const std::size_t c = each.contact;
        const double x = u[c] - u[c - 1] + each.stretch;
        if (!pulls(each, x)) continue;
        const double tension = each.stiffness * x + each.damping * (speed[c] - speed[c - 1]);
        force[c - 1] += tension;
        force[c] -= tension;
    }
    for (const Pair& each : pairs_) {
        const chain::PairForce& of = elements_.pair_forces[each.of];
        const double push =
            of.force * each.share * of.law.force(each.spacing + (u[each.right] - u[each.left]));
        force[each.left] -= push;
        force[each.right] += push;
    }
    for (const chain::TimedLoad& each : elements_.loads)
        force[each.bead] += each.force.at(time);
}

void Carried::start(InnerState& inner, std::span<const double> velocity,
                    std::span<double> force) const {
    inner = inner_state();
    for (std::size_t k = 0; k < elements_.resonators.size(); ++k)
        inner.velocity[k] = velocity[elements_.resonators[k].bead];
    const std::vector<double> rest(velocity.size(), 0.0);
    add_forces(rest, velocity, 0.0, force);
}

void Carried::step(InnerState& inner, std::span<const double> u, std::span<const double> predicted,
                   std::int64_t step, std::span<double> force, CarriedRecord* record) const {
    add_forces(u, predicted, static_cast<double>(step) * dt_, force);
    if (record != nullptr) {
        record->displacement.assign(u.begin(), u.end());
        record->predicted.assign(predicted.begin(), predicted.end());
        record->inner_displacement.resize(elements_.resonators.size());
        record->inner_predicted.resize(elements_.resonators.size());
    }
    for (std::size_t k = 0; k < elements_.resonators.size(); ++k) {
        const chain::Resonator& each = elements_.resonators[k];
        const double half = inner.velocity[k] + inner.velocity_change[k];
        inner.displacement[k] += dt_ * half;
        const double own = half + inner.velocity_change[k];
        const double pull =
            force_of(each.spring, u[each.bead] - inner.displacement[k], predicted[each.bead] - own);
        inner.velocity_change[k] = pull * (0.5 * dt_ / each.mass);
        inner.velocity[k] = half + inner.velocity_change[k];
        force[each.bead] -= pull;
        if (record == nullptr) continue;
        record->inner_displacement[k] = inner.displacement[k];
        record->inner_predicted[k] = own;
    }
}

void Carried::reverse_pairs(std::span<const double> u, std::span<const double> force_bar,
                            std::span<double> displacement_bar, MotionNumbers& bars) const {
    for (const Pair& each : pairs_) {
        const chain::PairForce& of = elements_.pair_forces[each.of];
        const double r = each.spacing + (u[each.right] - u[each.left]);
        const double push_bar = force_bar[each.right] - force_bar[each.left];
        bars.elements.pair_forces[each.of].force += push_bar * each.share * of.law.force(r);
        const double r_bar = push_bar * of.force * each.share * of.law.slope(r);
        displacement_bar[each.right] += r_bar;
        displacement_bar[each.left] -= r_bar;
        for (std::size_t c = each.left + 1; c <= each.right; ++c)
            bars.spacing[c] += r_bar;
    }
}

void Carried::reverse_forces(std::span<const double> u, std::span<const double> speed,
                             std::int64_t step, std::span<const double> force_bar,
                             std::span<double> displacement_bar, std::span<double> speed_bar,
                             MotionNumbers& bars) const {
    for (std::size_t k = 0; k < elements_.foundations.size(); ++k) {
        const auto& [bead, spring] = elements_.foundations[k];
        const double bar = -force_bar[bead];
        add_to(bars.elements.foundations[k].spring, bar, u[bead], speed[bead]);
        displacement_bar[bead] += bar * slope_of(spring, u[bead]);
        speed_bar[bead] += bar * spring.damping;
    }
    for (std::size_t k = 0; k < elements_.bonds.size(); ++k) {
        const chain::Bond& each = elements_.bonds[k];
        const std::size_t c = each.contact;
        const double x = u[c] - u[c - 1] + each.stretch, apart = speed[c] - speed[c - 1];
        if (!pulls(each, x)) continue;
        const double bar = force_bar[c - 1] - force_bar[c];
        chain::Bond& numbers = bars.elements.bonds[k];
        numbers.stiffness += bar * x;
        numbers.damping += bar * apart;
        numbers.stretch += bar * each.stiffness;
        displacement_bar[c] += bar * each.stiffness;
        displacement_bar[c - 1] -= bar * each.stiffness;
        speed_bar[c] += bar * each.damping;
        speed_bar[c - 1] -= bar * each.damping;
    }
    reverse_pairs(u, force_bar, displacement_bar, bars);
    for (std::size_t k = 0; k < elements_.loads.size(); ++k)
        bars.load_over_time[k][static_cast<std::size_t>(step)] +=
            force_bar[elements_.loads[k].bead];
}

void Carried::reverse(const CarriedRecord& record, std::int64_t step,
                      std::span<const double> force_bar, std::span<double> displacement_bar,
                      std::span<double> predicted_bar, InnerState& inner_bar,
                      MotionNumbers& bars) const {
    for (std::size_t k = 0; k < elements_.resonators.size(); ++k) {
        const chain::Resonator& each = elements_.resonators[k];
        const double x = record.displacement[each.bead] - record.inner_displacement[k];
        const double speed = record.predicted[each.bead] - record.inner_predicted[k];
        const double kick = 0.5 * dt_ / each.mass;
        const double change_bar = inner_bar.velocity_change[k] + inner_bar.velocity[k];
        const double pull_bar = kick * change_bar - force_bar[each.bead];
        chain::Resonator& numbers = bars.elements.resonators[k];
        numbers.mass -= change_bar * force_of(each.spring, x, speed) * kick / each.mass;
        add_to(numbers.spring, pull_bar, x, speed);
        const double x_bar = pull_bar * slope_of(each.spring, x);
        const double speed_bar = pull_bar * each.spring.damping;
        displacement_bar[each.bead] += x_bar;
        predicted_bar[each.bead] += speed_bar;
        inner_bar.displacement[k] -= x_bar;
        const double half_bar = inner_bar.velocity[k] - speed_bar + dt_ * inner_bar.displacement[k];
        inner_bar.velocity[k] = half_bar;
        inner_bar.velocity_change[k] = half_bar - speed_bar;
    }
    reverse_forces(record.displacement, record.predicted, step, force_bar, displacement_bar,
                   predicted_bar, bars);
}

/// At the start masses move with their beads, and pull at nothing.
void Carried::reverse_start(std::span<const double> velocity, std::span<const double> force_bar,
                            std::span<double> velocity_bar, InnerState& inner_bar,
                            MotionNumbers& bars) const {
    for (std::size_t k = 0; k < elements_.resonators.size(); ++k)
        velocity_bar[elements_.resonators[k].bead] += inner_bar.velocity[k];
    const std::vector<double> rest(velocity.size(), 0.0);
    std::vector<double> unused(velocity.size(), 0.0);
    reverse_forces(rest, velocity, 0, force_bar, unused, velocity_bar, bars);
}

}  // namespace beadwave::gradients
