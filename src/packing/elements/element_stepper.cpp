#include "packing/elements/element_stepper.hpp"

#include "packing/vector_length.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace beadwave::packing {
namespace {

/// Calls visit(component) for those that the motion prescribes.
template <class Visit>
void each_driven(const PrescribedMotion& motion, Visit visit) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (motion.along[k]) visit(axes[k]);
    }
}

Vec3 elastic(const Spring& spring, const Vec3& x) {
    return (spring.stiffness + spring.cubic * dot(x, x)) * x;
}

double energy(const Spring& spring, const Vec3& x) {
    const double square = dot(x, x);
    return (0.5 * spring.stiffness + 0.25 * spring.cubic * square) * square;
}

/// The largest slope of the force.
double slope(const Spring& spring, const Vec3& x) {
    return spring.stiffness + 3.0 * std::max(spring.cubic, 0.0) * dot(x, x);
}

}  // namespace

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
    }
    for (Carrier& c : carriers_) {
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
    at.half_angular_velocity = at.predicted_angular_velocity = {};
    c.predicted_angular_velocity = {};
}

void ElementStepper::set_absent(std::span<const char> absent) {
    for (Carrier& c : carriers_) {
        c.absent = !absent.empty() && absent[c.particle] != 0;
        if (!c.absent) continue;
        for (const std::uint32_t r : c.inner)
            inner_[r].velocity = inner_[r].change = {};
    }
}

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

CarrierMotion ElementStepper::step(std::size_t carrier, const CarrierState& now, double step) {
    Carrier& c = carriers_[carrier];
    if (c.absent) {
        for (Vec3* v :
             {&c.contact_force, &c.contact_torque, &c.other_force, &c.load_force, &c.damper_force})
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
    motion.angular_change = (now.contact_torque + (drag + bonds.torque)) *
                            (0.5 * dt_ * (1.0 / packing_.inertia[c.particle]));
    motion.angular_velocity = advanced(now.half_angular_velocity, motion.angular_change);
    double drive = 0.0;
    if (c.motion != none) {
        const Vec3& prescribed = present_[c.motion].velocity;
        each_driven(packing_.elements.motions[c.motion], [&](double Vec3::*k) {
            motion.velocity.*k = prescribed.*k;
            motion.change.*k = step > 0.0 ? prescribed.*k - now.half.*k : 0.0;
            drive -= force.*k * prescribed.*k;
        });
        if (!c.turns) motion.angular_velocity = motion.angular_change = {};
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
    limits.damping = std::max(damping / mass, c.rotational_damping / packing_.inertia[c.particle]);
    return limits;
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
