// The part of Dynamics that reads a state: energies, and what is recorded.
#include "mechanism/dynamics.hpp"

namespace beadwave::mechanism {

double Dynamics::kinetic_energy() const {
    double twice = 0.0;
    for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
        const BodyState& body = multibody.bodies()[i];
        twice += mechanism.bodies[i].mass * dot(body.velocity, body.velocity) +
                 mechanism.bodies[i].inertia * body.angular_velocity * body.angular_velocity;
    }
    return 0.5 * twice;
}

Dynamics::ContactEnergies Dynamics::contact_energies(std::size_t point,
                                                     const ContactKinematics& kinematics,
                                                     std::span<const double> y) const {
    const ContactState& state = contact_states[point];
    const double in_law = state.has_force() ? state.force->stored_energy(kinematics.overlap,
                                                                         kinematics.approach_speed)
                                            : 0.0;
    const double in_spring = spring_energy(point, kinematics, y);
    return {.stored = in_law + in_spring,
            .dissipated = {.normal = y[2 * n_ + point] - in_law,
                           .sliding = y[2 * n_ + contact_states.size() + point] - in_spring}};
}

Ledger Dynamics::ledger(double time, std::span<const double> y) {
    multibody.set(time, y.first(n_), y.subspan(n_, n_));
    Ledger ledger;
    ledger.kinetic = kinetic_energy();
    for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
        const Body& body = mechanism.bodies[i];
        ledger.potential -=
            body.mass * dot(mechanism.gravity, multibody.bodies()[i].centre - body.centre);
    }
    for (std::size_t i = 0; i < contact_states.size(); ++i) {
        const ContactEnergies of =
            contact_energies(i, contact_states[i].point.kinematics(multibody.bodies()), y);
        ledger.stored += of.stored;
        ledger.normal_dissipation += of.dissipated.normal;
        ledger.friction_dissipation += of.dissipated.sliding;
    }
    ledger.stored += force_elements.stored_energy(multibody.bodies());
    ledger.damper_dissipation = y[first_sum()];
    if (!joint_frictions.empty()) ledger.friction_dissipation += y[joint_friction_sum()];
    ledger.dissipated =
        ledger.normal_dissipation + ledger.friction_dissipation + ledger.damper_dissipation;
    ledger.external_work = y[numbers() - 1];
    return ledger;
}

Sample Dynamics::sample(double time, std::span<const double> y) {
    dydt_.resize(numbers());
    derivatives(time, y, dydt_);
    Sample sample{.time = time,
                  .bodies = {multibody.bodies().begin(), multibody.bodies().end()},
                  .contact_points = {},
                  .springs = force_elements.samples(multibody.bodies()),
                  .joints = multibody.joint_reactions(),
                  .joint_frictions = joint_frictions,
                  .ledger = {}};
    for (std::size_t i = 0; i < contact_states.size(); ++i) {
        const ContactState& state = contact_states[i];
        const ContactKinematics kinematics = state.point.kinematics(multibody.bodies());
        const double normal_force = force(state, kinematics);
        sample.contact_points.push_back(
            {.overlap = kinematics.overlap,
             .approach_speed = kinematics.approach_speed,
             .force = normal_force,
             .friction = friction(i, kinematics, normal_force, y),
             .position = kinematics.position,
             .normal = kinematics.normal,
             .journal_displacement = kinematics.journal_displacement,
             .dissipation = contact_energies(i, kinematics, y).dissipated});
    }
    add_worn(time, y, sample);
    sample.ledger = ledger(time, y);
    return sample;
}

}  // namespace beadwave::mechanism
