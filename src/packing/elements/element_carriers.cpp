// One carrier of elements: its step, its energy, its limits.

#include "packing/build/particle_shapes.hpp"
#include "packing/elements/driven_axes.hpp"
#include "packing/elements/element_stepper.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {
namespace {

Vec3 elastic(const Spring& spring, const Vec3& x) {
    return (spring.stiffness + spring.cubic * dot(x, x)) * x;
}

double energy(const Spring& spring, const Vec3& x) {
    const double square = dot(x, x);
    return (0.5 * spring.stiffness + 0.25 * spring.cubic * square) * square;
}

/// The change of the angular velocity by a torque in `time`; `body`: one whose moments differ, else
/// its moment is `inertia`.
Vec3 turned_by(const Vec3& torque, double time, const std::optional<shapes::Inertia>& body,
               double inertia) {
    return body ? body->spin(time * torque) : torque * (time * (1.0 / inertia));
}

/// The largest slope of the force.
double slope(const Spring& spring, const Vec3& x) {
    return spring.stiffness + 3.0 * std::max(spring.cubic, 0.0) * dot(x, x);
}

}  // namespace

void ElementStepper::enter(std::size_t carrier, const Vec3& displacement, const Vec3& velocity) {
    carriers_[carrier].anchor = displacement;
    for (const std::uint32_t r : carriers_[carrier].inner)
        inner_[r] = {.displacement = displacement, .velocity = velocity};
}

ElementTotals ElementStepper::carried(std::size_t carrier, const Vec3& displacement) const {
    const Carrier& c = carriers_[carrier];
    ElementTotals t;
    t.stored = energy(c.ground, displacement - c.anchor);
    for (const std::uint32_t r : c.inner) {
        const Resonator& resonator = packing_.elements.resonators[r];
        const InnerMass& inner = inner_[r];
        const Vec3 momentum = resonator.mass * inner.velocity;
        t.kinetic += 0.5 * dot(momentum, inner.velocity);
        t.stored += energy(resonator.spring, displacement - inner.displacement);
        t.momentum += momentum;
        t.angular_momentum += cross(packing_.position[c.particle] + inner.displacement, momentum);
        t.external_work += resonator.mass * dot(packing_.gravity, inner.displacement);
    }
    return t;
}

CarrierMotion ElementStepper::step(std::size_t carrier, const CarrierState& now, double step) {
    Carrier& c = carriers_[carrier];
    if (c.absent) {
        for (Vec3* v : {&c.contact_force, &c.contact_torque, &c.other_force, &c.load_force,
                        &c.damper_force, &c.other_torque})
            *v = {};
        c.contact_power = 0.0;
        for (PowerSum* sum : {&c.loads_work, &c.dampers_work, &c.drive_work})
            sum->add(0.0, step);
        return {};
    }
    const double mass = packing_.mass[c.particle];
    const Vec3 &v = c.predicted, &u = now.displacement;
    const auto advanced = [&](const Vec3& half, const Vec3& change) {
        return step > 0.0 ? half + change : half;
    };
    Vec3 springs = -elastic(c.ground, u - c.anchor), dampers = -c.ground.damping * v;
    const Vec3 drag = -c.rotational_damping * c.predicted_angular_velocity;
    double by_masses = 0.0;  // power of dashpots inside on their masses, negative
    for (const std::uint32_t r : c.inner) {
        const Resonator& resonator = packing_.elements.resonators[r];
        InnerMass& inner = inner_[r];
        const Vec3 half = advanced(inner.velocity, inner.change);
        inner.displacement += step * half;
        const Vec3 viscous = resonator.spring.damping * (v - advanced(half, inner.change));
        const Vec3 pull = elastic(resonator.spring, u - inner.displacement);
        inner.change = (0.5 * dt_) * ((pull + viscous) * (1.0 / resonator.mass) + packing_.gravity);
        inner.velocity = advanced(half, inner.change);
        springs -= pull;
        dampers -= viscous;
        by_masses -= dot(viscous, inner.velocity);
    }
    Vec3 loads{};
    for (const std::uint32_t load : c.loads)
        loads += force_[load];

    BondStepper::Load bonds{};
    if (!bond_load_.empty()) bonds = bond_load_[carrier];
    springs += bonds.force;
    c.contact_force = now.contact_force;
    c.contact_torque = now.contact_torque;
    c.load_force = loads;
    c.damper_force = dampers;
    c.other_force = springs + dampers + loads + mass * packing_.gravity;
    const Vec3 force = now.contact_force + c.other_force;
    CarrierMotion motion{};
    motion.change = force * (0.5 * dt_ * (1.0 / mass));
    motion.velocity = advanced(now.half, motion.change);
    const Vec3 torque = now.contact_torque + (drag + bonds.torque);
    if (c.body) c.body->axes = now.axes;
    motion.torque = torque;
    motion.angular_change = turned_by(torque, 0.5 * dt_, c.body, packing_.inertia[c.particle]);
    motion.angular_velocity = advanced(now.half_angular_velocity, motion.angular_change);
    double drive = 0.0;
    if (c.motion != none) {
        const Vec3& prescribed = present_[c.motion].velocity;
        each_driven(packing_.elements.motions[c.motion], [&](double Vec3::*k) {
            motion.velocity.*k = prescribed.*k;
            motion.change.*k = step > 0.0 ? prescribed.*k - now.half.*k : 0.0;
            drive -= force.*k * prescribed.*k;
        });
        if (!c.turns) motion.angular_velocity = motion.angular_change = motion.torque = {};
        if (c.turned) {
            const Vec3& turns = present_[c.motion].angular_velocity;
            motion.angular_velocity = turns;
            if (step > 0.0) motion.angular_change = turns - now.half_angular_velocity;
            drive -= dot(torque, turns);
            c.other_torque = drag + bonds.torque;
        }
    }
    c.contact_power =
        dot(now.contact_force, motion.velocity) + dot(now.contact_torque, motion.angular_velocity);
    motion.contact_power = c.contact_power;
    c.loads_work.add(dot(loads, motion.velocity), step);
    c.dampers_work.add(
        -dot(dampers, motion.velocity) - dot(drag, motion.angular_velocity) + by_masses, step);
    c.drive_work.add(drive, step);
    return motion;
}

Vec3 ElementStepper::external(std::size_t carrier, const Vec3& force, const Vec3& velocity) {
    Carrier& c = carriers_[carrier];
    if (c.motion == none) return force;
    Vec3 free = force;
    each_driven(packing_.elements.motions[c.motion], [&](double Vec3::*k) {
        free.*k = 0.0;
        c.drive_work.sum -= 0.5 * force.*k * velocity.*k;  // two halves per step
    });
    return free;
}

void ElementStepper::change_velocity(std::size_t carrier, const Vec3& change) {
    change_velocity(carrier, change, 1.0);
}

void ElementStepper::set_velocity(std::size_t carrier, const Vec3& change,
                                  const Vec3& angular_before, const Vec3& angular_change) {
    change_velocity(carrier, change, 0.5);
    Carrier& c = carriers_[carrier];
    const double drag = c.rotational_damping * dot(angular_before, angular_change);
    c.dampers_work.sum += 0.5 * drag;
    c.dampers_work.now += drag;
    c.contact_power += dot(c.contact_torque, angular_change);
}

void ElementStepper::change_velocity(std::size_t carrier, const Vec3& change, double part) {
    Carrier& c = carriers_[carrier];
    const auto add = [&](PowerSum& to, double power) {
        to.sum += part * power;
        to.now += power;
    };
    add(c.loads_work, dot(c.load_force, change));
    add(c.dampers_work, -dot(c.damper_force, change));
    c.contact_power += dot(c.contact_force, change);
}

Vec3 ElementStepper::allowed(std::size_t carrier, const Vec3& velocity, const Vec3& present) const {
    const Carrier& c = carriers_[carrier];
    Vec3 result = velocity;
    if (c.motion == none) return result;
    each_driven(packing_.elements.motions[c.motion],
                [&](double Vec3::*k) { result.*k = present.*k; });
    return result;
}

bool ElementStepper::may_turn(std::size_t carrier) const {
    return carriers_[carrier].turns;
}

ElementTotals ElementStepper::totals_of(std::size_t particle, const Vec3& u) const {
    ElementTotals t;
    if (!any()) return t;
    if (!first_begin_.empty()) {
        for (std::uint32_t k = first_begin_[particle]; k < first_begin_[particle + 1]; ++k) {
            const std::uint32_t bond = bonds_of_first_[k];
            t.stored += bonds_.stored(bond);
            t.broken += bonds_.states()[bond].broken_energy;
        }
        t.dissipated = t.broken;
    }
    if (carrier_of_[particle] == none) return t;
    const Carrier& c = carriers_[carrier_of_[particle]];
    ElementTotals own = carried(carrier_of_[particle], u);
    if (c.absent) own = {.external_work = own.external_work};
    t.add(own);
    t.dissipated += c.dampers_work.work(dt_);
    t.external_work += c.loads_work.work(dt_);
    if (c.motion == none) return t;
    // The drive also accelerates the particle.
    double gained = 0.0;
    const PrescribedMotion& motion = packing_.elements.motions[c.motion];
    if (c.turned) {
        const Vec3 now = driven_angular_velocity(motion, time(step_)),
                   start = driven_angular_velocity(motion, 0.0);
        gained += c.body ? c.body->energy(now) - inertia_of(packing_, c.particle).energy(start)
                         : 0.5 * packing_.inertia[c.particle] * dot(now - start, now + start);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!motion.along[axis]) continue;
        const double now = motion.along[axis]->velocity(time(step_)),
                     start = motion.along[axis]->velocity(0.0);
        gained += 0.5 * packing_.mass[c.particle] * (now * now - start * start);
    }
    t.external_work += c.drive_work.work(dt_) + gained;
    return t;
}

ElementStepper::Limits ElementStepper::limits(std::size_t carrier, const Vec3& displacement) const {
    const Carrier& c = carriers_[carrier];
    const double mass = packing_.mass[c.particle];
    Limits limits;
    if (c.absent) return limits;
    double stiffness = slope(c.ground, displacement - c.anchor), damping = c.ground.damping;
    for (const std::uint32_t r : c.inner) {
        const Resonator& resonator = packing_.elements.resonators[r];
        const double k = slope(resonator.spring, displacement - inner_[r].displacement);
        stiffness += k;
        damping += resonator.spring.damping;
        limits.inner_stiffness = std::max(limits.inner_stiffness, k / resonator.mass);
        limits.inner_damping =
            std::max(limits.inner_damping, resonator.spring.damping / resonator.mass);
    }
    if (packing_.is_held(c.particle)) return limits;
    limits.stiffness = stiffness / mass + (bond_limit_.empty() ? 0.0 : bond_limit_[carrier]);
    limits.damping = std::max(damping / mass, c.rotational_damping / c.least_moment);
    return limits;
}

}  // namespace beadwave::packing
