#include "mechanism/dynamics.hpp"

#include "mechanism/finite_numbers.hpp"
#include "mechanism/sliding_friction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::mechanism {
namespace {

using Phase = ContactState::Phase;

}  // namespace

void make_force(ContactState& state, const Mechanism& mechanism, double mass, double impact_speed,
                const std::array<double, 2>& radii) {
    const std::size_t number = state.point.contact;
    const Contact& contact = mechanism.contacts[number];
    try {
        state.force = make_force(contact, mass, impact_speed, radii);
    } catch (const ArgumentError& error) {
        throw PartError(
            fmt::format("contact.{}.law", number),
            fmt::format(
                "contact \"{}\", with an effective mass of {:.6g} kg that closes at {:.6g} m/s: {}",
                contact.name, mass, impact_speed, error.what()));
    }
    state.force_mass = mass;
    state.force_speed = impact_speed;
    state.force_radii = radii;
}

Dynamics::Dynamics(const Mechanism& given)
    : mechanism(given), multibody(given), force_elements(given), n_(multibody.coordinates()) {
    for (const ContactPoint& point : contact_points_of(mechanism))
        contact_states.push_back({.point = point});
    slipped_ = 2 * n_ + 2 * contact_states.size();
    for (const ContactState& state : contact_states) {
        const auto& friction = mechanism.contacts[state.point.contact].friction;
        const bool spring = friction && friction->law == Friction::Law::linear;
        slip_of_.push_back(spring ? slipped_ + springs_++ : none);
    }
    for (std::size_t i = 0; i < contact_states.size(); ++i) {
        const ContactPoint& point = contact_states[i].point;
        const bool journal = point.kind == ContactPoint::Kind::journal;
        const std::optional<Wear>& wear = mechanism.contacts[point.contact].wear;
        if (!wear) continue;
        const std::size_t bins = journal ? mechanism.wear_bins : 0;
        rubbings_.push_back({i, Rubbing({bins, wear->pin_hardness ? bins : 0})});
    }
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
        if (mechanism.joints[j].friction) joint_frictions.push_back({.joint = j});
    }
    size = size_of(mechanism, contact_points_of(mechanism));
    loads_.resize(mechanism.bodies.size());
}

std::vector<double> Dynamics::first_state() {
    const std::vector<double> u = multibody.initial_speeds();
    std::vector<double> y(numbers(), 0.0);
    std::ranges::copy(u, y.begin() + static_cast<std::ptrdiff_t>(n_));
    return y;
}

double Dynamics::force(const ContactState& state, const ContactKinematics& kinematics) const {
    if (state.phase == Phase::open) return 0.0;
    if (state.phase == Phase::resting) return state.normal_reaction;
    return state.force->force(kinematics.overlap, kinematics.approach_speed);
}

double Dynamics::friction(std::size_t point, const ContactKinematics& kinematics,
                          double normal_force, std::span<const double> y) const {
    const auto& given = mechanism.contacts[contact_states[point].point.contact].friction;
    if (!given) return 0.0;
    if (given->law == Friction::Law::coulomb) {
        const ContactState& state = contact_states[point];
        return state.phase == Phase::resting ? state.tangential_reaction : 0.0;
    }
    if (given->law == Friction::Law::linear) {
        const double limit =
            spring_coefficient(point, kinematics.slip_speed) * std::max(normal_force, 0.0);
        return -std::clamp(
            given->stiffness * spring_length(point, y) + given->damping * kinematics.slip_speed,
            -limit, limit);
    }
    return -std::copysign(
        sliding_force(*given, std::max(normal_force, 0.0), std::abs(kinematics.slip_speed)),
        kinematics.slip_speed);
}

void Dynamics::add_contact_load(const ContactState& state, const ContactKinematics& kinematics,
                                const Vector& contact_force, std::vector<Load>& loads) const {
    const auto [a, b] = state.point.bodies;
    const auto bodies = multibody.bodies();
    if (a != ground) loads[a].add(contact_force, kinematics.position, bodies[a].centre);
    if (b != ground) loads[b].add(-contact_force, kinematics.position, bodies[b].centre);
}

void Dynamics::include_acceleration(const ContactState& state, const ContactKinematics& kinematics,
                                    const Vector& contact_force) {
    for (const std::size_t body : state.point.bodies) {
        if (body == ground) continue;
        Load load;
        load.add(contact_force, kinematics.position, multibody.bodies()[body].centre);
        include_acceleration(body, load);
    }
}

void Dynamics::include_acceleration(std::size_t body, const Load& load) {
    largest_acceleration_ =
        std::max({largest_acceleration_, length(load.force) / mechanism.bodies[body].mass,
                  size * std::abs(load.torque) / mechanism.bodies[body].inertia});
    largest_energy_rate_ =
        std::max({largest_energy_rate_, dot(load.force, load.force) / mechanism.bodies[body].mass,
                  load.torque * load.torque / mechanism.bodies[body].inertia});
}

double Dynamics::energy_of_weight() const {
    double mass = 0.0;
    for (const Body& body : mechanism.bodies)
        mass += body.mass;
    return mass * length(mechanism.gravity) * size;
}

void Dynamics::derivatives(double time, std::span<const double> y, std::span<double> dydt) {
    ++evaluations;
    // Simbody accepts no NaN. A step that produces one is too long.
    const auto reject = [&] { std::ranges::fill(dydt, std::nan("")); };
    if (!is_finite(y)) return reject();
    const auto q = y.first(n_), u = y.subspan(n_, n_);
    multibody.set(time, q, u);
    std::ranges::fill(loads_, Load{});
    const ForceElements::Power power = force_elements.add_loads(time, multibody.bodies(), loads_);
    largest_acceleration_ = length(mechanism.gravity);
    largest_energy_rate_ = 0.0;
    for (std::size_t k = 0; k < rubbings_.size(); ++k)
        rubbing_rate(dydt, k) = 0.0;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
        include_acceleration(i, loads_[i]);
        loads_[i].force = loads_[i].force + mechanism.bodies[i].mass * mechanism.gravity;
    }
    for (std::size_t i = 0; i < contact_states.size(); ++i) {
        double& normal_power = dydt[2 * n_ + i];
        double& friction_power = dydt[2 * n_ + contact_states.size() + i];
        normal_power = friction_power = 0.0;
        double& normal_rate = dydt[slipped_ + springs_ + i];
        normal_rate = 0.0;
        if (has_tangential_spring(i)) dydt[slip_of_[i]] = 0.0;
        const ContactState& state = contact_states[i];
        if (!state.has_force()) continue;
        const ContactKinematics kinematics = state.point.kinematics(multibody.bodies());
        if (has_tangential_spring(i)) dydt[slip_of_[i]] = kinematics.slip_speed;
        const double normal_force = force(state, kinematics);
        if (!std::isfinite(normal_force)) return reject();
        if (normal_force == 0.0) continue;
        normal_rate = normal_force;
        add_rubbing_rate(dydt, i, normal_force, kinematics);
        const double along = friction(i, kinematics, normal_force, y);
        const Vector contact_force =
            normal_force * kinematics.normal + along * left_of(kinematics.normal);
        add_contact_load(state, kinematics, contact_force, loads_);
        include_acceleration(state, kinematics, contact_force);
        normal_power = normal_force * kinematics.approach_speed;
        friction_power = -along * kinematics.slip_speed;
    }
    multibody.accelerate(loads_, dydt.subspan(n_, n_));
    if (reactions != Reactions::none) apply_reactions(dydt);
    if (!apply_joint_friction(dydt)) return reject();
    std::ranges::copy(u, dydt.begin());
    dydt[first_sum()] = power.damping;
    dydt.back() = multibody.motor_power() + power.external;
}

bool Dynamics::project_constraints(double time, std::vector<double>& y, double tolerance) {
    const auto q = std::span(y).first(n_), u = std::span(y).subspan(n_, n_);
    if (!multibody.project_constraints(time, q, u, tolerance)) return false;
    project_resting(time, q, u);
    project_held_joints(time, q, u);
    return true;
}

void Dynamics::contact_kinematics(double time, std::span<const double> y,
                                  std::vector<ContactKinematics>& kinematics) {
    multibody.set(time, y.first(n_), y.subspan(n_, n_));
    kinematics.resize(contact_states.size());
    for (std::size_t i = 0; i < contact_states.size(); ++i)
        kinematics[i] = contact_states[i].point.kinematics(multibody.bodies());
}

std::vector<Load> Dynamics::contact_loads(std::size_t point, const ContactKinematics& kinematics,
                                          double normal, double tangential) const {
    std::vector<Load> loads(mechanism.bodies.size());
    add_contact_load(contact_states[point], kinematics,
                     normal * kinematics.normal + tangential * left_of(kinematics.normal), loads);
    return loads;
}

double Dynamics::approach_acceleration(std::size_t point) const {
    return contact_states[point].point.approach_acceleration(multibody.bodies());
}

Matrix Dynamics::delassus_matrix(const std::vector<std::size_t>& points,
                                 const std::vector<ContactKinematics>& kinematics) {
    Matrix matrix(points.size());
    for (std::size_t column = 0; column < points.size(); ++column) {
        const std::vector<double> du =
            multibody.impulse_response(unit_loads(points[column], kinematics[points[column]]));
        for (std::size_t row = 0; row < points.size(); ++row)
            matrix(row, column) =
                multibody.projected_speed(unit_loads(points[row], kinematics[points[row]]), du);
    }
    return matrix;
}

double Dynamics::effective_mass(std::size_t point, const ContactKinematics& kinematics) {
    const std::vector<Load> loads = unit_loads(point, kinematics);
    return 1.0 / multibody.projected_speed(loads, multibody.impulse_response(loads));
}

void Dynamics::apply_impulse(std::size_t point, const ContactKinematics& kinematics, double normal,
                             double tangential, std::span<double> y) {
    const std::vector<double> du =
        multibody.impulse_response(contact_loads(point, kinematics, normal, tangential));
    for (std::size_t k = 0; k < n_; ++k)
        y[n_ + k] += du[k];
}

void Dynamics::serialize(Archive& archive) {
    archive(evaluations);
    for (ContactState& state : contact_states) {
        int phase = static_cast<int>(state.phase);
        bool has_law = state.force != nullptr;
        archive(phase), archive(has_law), archive(state.loading);
        if (phase < 0 || phase > static_cast<int>(Phase::resting))
            throw std::length_error("the saved state is damaged");
        state.phase = static_cast<Phase>(phase);
        for (double* number :
             {&state.work_at_start, &state.impact_speed, &state.largest_overlap, &state.force_mass,
              &state.force_speed, &state.normal_reaction, &state.tangential_reaction,
              &state.slip_direction, &state.compression_impulse, &state.compression_work,
              &state.impulse_at_start, &state.impulse_before, &state.work_before,
              &state.spring_origin})
            archive(*number);
        const auto& friction = mechanism.contacts[state.point.contact].friction;
        if (friction && friction->law == Friction::Law::linear && has_two_states(*friction))
            archive(state.slides);
        if (std::holds_alternative<Shapes>(mechanism.contacts[state.point.contact].geometry)) {
            for (double& radius : state.force_radii)
                archive(radius);
        }
        if (!has_law) state.force.reset();
        if (has_law && !state.force)
            make_force(state, mechanism, state.force_mass, state.force_speed, state.force_radii);
        if (state.force) state.force->serialize(archive);
        if (state.has_force() && !state.force)
            throw std::length_error("the saved state is damaged");
    }
    for (JointFrictionState& state : joint_frictions)
        archive(state.direction);
    if (mechanism.wear_update_depth > 0.0) archive(wear_updates_);
    for (RubbingPoint& each : rubbings_) {
        each.rubbing.serialize(archive);
        if (mechanism.wear_update_depth > 0.0) serialize_worn(archive, each);
    }
}

}  // namespace beadwave::mechanism
