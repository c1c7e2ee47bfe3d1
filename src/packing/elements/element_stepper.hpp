// Steps what particles carry (elements.hpp), in both engines of packings. An engine calls, per
// step,
//
//     begin(step)                 once
//     pull_bonds()                once, when all particles are at the end of the step
//     predict(), place()          for each carrier, when it moves to the end of the step
//     step()                      for each carrier, when the forces of its contacts are known
//
// A carrier is a particle that carries something; carriers are in the order of their particles.
// Springs and dashpots see the predicted velocity at the end of the step, as contacts do. After
// pull_bonds() nothing depends on other carriers, so threads may share the carriers.
#pragma once

#include "packing/elements/bond_stepper.hpp"
#include "packing/packing.hpp"
#include "shapes/inertia.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::packing {

/// A particle at the end of a step, before its elements act.
struct CarrierState {
    Vec3 displacement;  ///< from the start [m]
    Vec3 half;          ///< velocity in the middle of the step [m/s]
    /// [rad/s]; with shapes that of the momentum in the middle of the step, in the body as it is
    /// turned at the end.
    Vec3 half_angular_velocity;
    Vec3 contact_force;   ///< [N]
    Vec3 contact_torque;  ///< [N m]
    /// Of the principal axes, in a packing with shapes.
    shapes::Quaternion axes{};
};

/// The resulting motion: velocities at the end of the step, and their changes in half a step.
struct CarrierMotion {
    Vec3 velocity, angular_velocity;
    Vec3 change, angular_change;
    double contact_power;  ///< of the contacts on the particle [W]
    Vec3 torque;           ///< of all that acts on it, where it may turn [N m]
};

/// Displacement, and the velocities that contacts see.
struct CarrierPlace {
    Vec3 displacement, half, predicted;
    Vec3 half_angular_velocity, predicted_angular_velocity;
};

struct ElementTotals {
    double kinetic = 0.0;        ///< of the masses inside [J]
    double stored = 0.0;         ///< in springs [J]
    double dissipated = 0.0;     ///< by dashpots, drag and broken bonds, since the start [J]
    double broken = 0.0;         ///< the part of that by broken bonds [J]
    double external_work = 0.0;  ///< by loads, drives, and gravity on masses inside [J]
    Vec3 momentum{};             ///< of the masses inside [kg m/s]
    Vec3 angular_momentum{};     ///< about the origin [kg m^2/s]

    void add(const ElementTotals& other) {
        kinetic += other.kinetic;
        stored += other.stored;
        dissipated += other.dissipated;
        broken += other.broken;
        external_work += other.external_work;
        momentum += other.momentum;
        angular_momentum += other.angular_momentum;
    }
    static constexpr std::size_t numbers = 11;
    /// Calls visit(number) for all of them.
    template <class Visit>
    void each_number(Visit visit) {
        visit(kinetic), visit(stored), visit(dissipated), visit(broken), visit(external_work);
        for (Vec3* v : {&momentum, &angular_momentum})
            visit(v->x), visit(v->y), visit(v->z);
    }
};

class ElementStepper {
  public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    /// `packing` must outlive it.
    ElementStepper(const Packing& packing, double time_step);

    bool any() const { return !carriers_.empty(); }
    std::size_t carriers() const { return carriers_.size(); }
    std::size_t particle(std::size_t carrier) const { return carriers_[carrier].particle; }
    /// none: the particle carries nothing.
    std::uint32_t carrier_of(std::size_t particle) const {
        return any() ? carrier_of_[particle] : none;
    }

    /// Takes forces and motions at the end of this step.
    void begin(std::int64_t step);
    /// Sets the predicted velocities at the end of a step.
    void predict(std::size_t carrier, const Vec3& velocity, const Vec3& angular_velocity);
    /// Puts a driven particle where it is at the end of the present step, or of the next one.
    enum class Step { present, next };
    void place(std::size_t carrier, Step step, CarrierPlace& at);
    bool is_driven(std::size_t carrier) const { return carriers_[carrier].motion != none; }

    /// Particles that come and leave (flow/population.hpp). What an absent one carries does
    /// nothing, and masses inside it have no velocity. One flag per particle; empty: all are there.
    void set_absent(std::span<const char> absent);
    /// A particle comes: its foundation holds it where it is, masses inside it move as it does.
    /// `displacement`: from the start [m].
    void enter(std::size_t carrier, const Vec3& displacement, const Vec3& velocity);
    /// What a carrier brings along when it comes, and takes when it leaves: kinetic and stored
    /// energy, momenta, and as external work that of gravity from the start positions. Bonds are
    /// not in it.
    ElementTotals carried(std::size_t carrier, const Vec3& displacement) const;
    /// The intact bonds of the particles with a flag.
    std::vector<std::uint32_t> bonds_of(const std::vector<char>& particles) const;
    const BondStepper& bonds() const { return bonds_; }
    BondStepper& bonds() { return bonds_; }
    /// From now on pull_bonds() knows these bonds only, which ascend; at the start it knows all.
    void pull_only(std::vector<std::uint32_t> bonds);
    /// The forces of the bonds after a step of `step` [s]: 0 at the start. end(particle) gives its
    /// BondStepper::End.
    template <class EndOf>
    void pull_bonds(const EndOf& end, double step) {
        if (!bonds_.any()) return;
        for (const std::uint32_t c : pulled_carriers_)
            bond_load_[c] = {};
        bond_load_.back() = {};
        bonds_.step(
            pulled_, end,
            [&](std::size_t particle) -> BondStepper::Load& {
                return bond_load_[std::min<std::size_t>(carrier_of_[particle], carriers_.size())];
            },
            step, step_);
    }
    /// After a step of `step` [s]: 0 at the start, and where forces are computed anew.
    CarrierMotion step(std::size_t carrier, const CarrierState& now, double step);

    /// Half a step of an external force on a particle whose velocity is given: returns the part of
    /// it that the particle is free to follow. The drive takes the rest.
    Vec3 external(std::size_t carrier, const Vec3& force, const Vec3& velocity);
    /// Counts a change of the velocity from outside at the present step.
    void change_velocity(std::size_t carrier, const Vec3& change);
    /// Counts the change of a velocity that is set: the sums have half of this step before it.
    void set_velocity(std::size_t carrier, const Vec3& change, const Vec3& angular_before,
                      const Vec3& angular_change);
    /// The components of a new velocity that are free, and those that are driven.
    Vec3 allowed(std::size_t carrier, const Vec3& velocity, const Vec3& present) const;
    /// Whether the rotation of the particle is free.
    bool may_turn(std::size_t carrier) const;

    /// Forces, torques and power of the contacts at the last step.
    const Vec3& contact_force(std::size_t c) const { return carriers_[c].contact_force; }
    const Vec3& contact_torque(std::size_t c) const { return carriers_[c].contact_torque; }
    double contact_power(std::size_t c) const { return carriers_[c].contact_power; }

    /// The totals of what a particle carries, and of the bonds whose first particle it is;
    /// `displacement` [m] of the particle.
    ElementTotals totals_of(std::size_t particle, const Vec3& displacement) const;
    struct Limits {
        double stiffness = 0.0;        ///< over mass, of the particle [1/s^2]
        double damping = 0.0;          ///< over mass, of the particle [1/s]
        double inner_stiffness = 0.0;  ///< of the stiffest mass inside, over its mass
        double inner_damping = 0.0;
    };
    Limits limits(std::size_t carrier, const Vec3& displacement) const;
    /// A carrier with a number that is not finite.
    std::optional<std::size_t> first_non_finite() const;

    /// The force of each drive on its particle now, in the order of Elements::driven: 0 along free
    /// axes [N].
    std::vector<Vec3> drive_forces() const;
    /// The torque of each drive that turns its particle; 0 of others [N m].
    std::vector<Vec3> drive_torques() const;
    struct InnerMass {
        Vec3 displacement{};  ///< from the start [m]
        Vec3 velocity{};      ///< [m/s]
        Vec3 change{};        ///< in half a step [m/s]
    };
    /// In the order of Elements::resonators.
    const std::vector<InnerMass>& inner() const { return inner_; }

    /// Calls visit(number) for all of the state of a carrier, also what it has during a step.
    template <class Visit>
    void each_number(std::size_t carrier, Visit visit) {
        Carrier& c = carriers_[carrier];
        each_number_of(c, visit);
        for (const std::uint32_t r : c.inner)
            each_number_of(inner_[r], visit);
        for (Vec3* v : {&c.predicted, &c.predicted_angular_velocity})
            visit(v->x), visit(v->y), visit(v->z);
    }
    /// All of the state.
    std::vector<double> numbers() const;
    void restore(std::int64_t step, std::span<const double> numbers);

  private:
    /// `part`: of this step that the sums have with the change.
    void change_velocity(std::size_t carrier, const Vec3& change, double part);
    /// A power summed over steps: the trapezoidal rule gives the work. Where the power jumps
    /// between two steps, also at the start, half of a step has it as it was before.
    struct PowerSum {
        double sum = 0.0, now = 0.0;  // [W]
        void add(double power, double step) {
            sum += step > 0.0 ? power : 0.5 * (power - now);
            now = power;
        }
        double work(double time_step) const { return time_step * (sum - 0.5 * now); }
    };
    struct Carrier {
        std::size_t particle = 0;
        std::uint32_t motion = none;
        bool turns = true, absent = false;
        bool turned = false;  // as its drive says
        Spring ground{};
        double rotational_damping = 0.0;
        double least_moment = 0.0;
        std::vector<std::uint32_t> inner{}, loads{};
        // During a step.
        Vec3 predicted{}, predicted_angular_velocity{};
        // The state.
        Vec3 anchor{};  // displacement where the foundation's spring has no force [m]
        Vec3 contact_force{}, contact_torque{};
        Vec3 other_force{};  // of springs, loads and gravity [N]
        Vec3 load_force{}, damper_force{};
        Vec3 other_torque{};  // of bonds and drag, where a drive turns the particle [N m]
        double contact_power = 0.0;
        std::optional<shapes::Inertia> body{};  // in a packing with shapes, as it is turned
        PowerSum loads_work{}, dampers_work{}, drive_work{};
    };
    /// A prescribed component at a time.
    struct At {
        Vec3 displacement{}, velocity{};
        Vec3 angle{}, angular_velocity{};
    };
    void list_bonds();
    At at(const PrescribedMotion& motion, std::int64_t step) const;
    template <class OneCarrier, class Visit>
    requires requires(OneCarrier& c) { c.contact_power; }
    static void each_number_of(OneCarrier& c, Visit visit) {
        for (auto* v : {&c.anchor, &c.contact_force, &c.contact_torque, &c.other_force,
                        &c.load_force, &c.damper_force})
            visit(v->x), visit(v->y), visit(v->z);
        if (auto* v = &c.other_torque; c.turned) visit(v->x), visit(v->y), visit(v->z);
        if (c.turned && c.body)
            for (auto* v : {&c.body->axes.w, &c.body->axes.x, &c.body->axes.y, &c.body->axes.z})
                visit(*v);
        visit(c.contact_power);
        for (auto* sum : {&c.loads_work, &c.dampers_work, &c.drive_work})
            visit(sum->sum), visit(sum->now);
    }
    template <class OneMass, class Visit>
    static void each_number_of(OneMass& inner, Visit visit) {
        for (auto* v : {&inner.displacement, &inner.velocity, &inner.change})
            visit(v->x), visit(v->y), visit(v->z);
    }
    template <class Self, class Visit>
    static void each_number_of_all(Self& self, Visit visit) {
        for (auto& carrier : self.carriers_)
            each_number_of(carrier, visit);
        for (auto& inner : self.inner_)
            each_number_of(inner, visit);
    }
    double time(std::int64_t step) const { return static_cast<double>(step) * dt_; }

    const Packing& packing_;
    double dt_;
    std::int64_t step_ = 0;
    BondStepper bonds_;
    // Load of the bonds on each carrier, and on particles that are fixed; empty: no bonds.
    std::vector<BondStepper::Load> bond_load_;
    std::vector<double> bond_limit_;  // of bonds on each carrier [1/s^2]
    std::vector<Carrier> carriers_;
    std::vector<std::uint32_t> carrier_of_;  // of each particle; empty: no carriers
    // Bonds by their first particle, and where those of each particle begin; empty: no bonds.
    std::vector<std::uint32_t> bonds_of_first_, first_begin_;
    std::vector<std::uint32_t> pulled_, pulled_carriers_;  // bonds, and what they pull
    std::vector<InnerMass> inner_;
    std::vector<Vec3> force_;                  // of each of Elements::forces now
    std::vector<At> before_, present_, next_;  // of each of Elements::motions
};

}  // namespace beadwave::packing
