// The interface of the engines that step a packing. Particles have their number in the Packing,
// whatever their order in memory.
//
// Velocity Verlet in displacement form, as for chains (beadwave/dynamics/engine.hpp): the normal
// law and every dashpot take the predicted full-step velocity; tangential springs grow by the
// half-step velocity times the step, which is the displacement of the step. All of this is of
// second order. A particle's state is its displacement d from a reference centre r0. With r0 and d
// of a pair, second minus first, its distance has changed by (2 r0.d + d.d) / (|r0 + d| + |r0|),
// which keeps the digits of small overlaps.
//
// Each particle sums its pairs' forces in the list's order, and sums over particles run in a fixed
// order: results are bitwise independent of the number of threads.
#pragma once

#include "beadwave/stepping/external_force.hpp"
#include "packing/contacts/contact_dissipation.hpp"
#include "packing/contacts/deep_contact.hpp"
#include "packing/contacts/impact.hpp"
#include "packing/edges.hpp"
#include "packing/elements/element_stepper.hpp"
#include "packing/flow/population.hpp"
#include "packing/packing.hpp"
#include "packing/rigid/rigid_report.hpp"
#include "packing/walls/wall_motion.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::packing {

class Heat;
class WallWork;

/// Force and velocity of chosen particles at every step of one advance(): rows of particles.size()
/// vectors.
struct ParticleTrace {
    std::vector<std::size_t> particles;
    std::vector<Vec3> force;     ///< net force of all contacts [N]
    std::vector<Vec3> velocity;  ///< [m/s]
};

/// Sums over particles and pairs, in a fixed order. They balance: translational + rotational +
/// stored_normal + stored_tangential + stored_elements + dissipated_normal + dissipated_tangential
/// + dissipated_elements - external_work - inflow_energy stays constant.
struct PackingTotals {
    /// Kinetic energy of the centres, of masses inside them, and of walls with a load and pistons
    /// [J]. In a box that strains, this energy and the momenta are those relative to the affine
    /// motion.
    double translational;
    double rotational;         ///< kinetic energy of the rotation [J]
    double stored_normal;      ///< recoverable, in the normal contacts [J]
    double stored_tangential;  ///< in tangential, rolling and twisting springs [J]
    double dissipated_normal;  ///< by the normal law, since the start [J]
    /// By sliding, rolling and twisting together, since the start [J].
    double dissipated_tangential;
    double dissipated_rolling;  ///< the part of that by rolling and twisting [J]
    /// By gravity, loads, drives, moving walls and the box, since the start [J].
    double external_work;
    Vec3 momentum;           ///< [kg m/s]
    Vec3 angular_momentum;   ///< about the origin, orbital and rotational [kg m^2/s]
    double stored_elements;  ///< in springs of elements [J]
    /// By their dashpots, by drag and by bonds that broke, since the start [J].
    double dissipated_elements;
    double broken_energy;  ///< the part of that by bonds [J]
    /// Brought in by particles that came, minus taken along by those that left [J].
    double inflow_energy;

    void add(const ElementTotals& of) {
        translational += of.kinetic;
        external_work += of.external_work;
        momentum += of.momentum;
        angular_momentum += of.angular_momentum;
        stored_elements = of.stored;
        dissipated_elements = of.dissipated;
        broken_energy = of.broken;
    }
    void add(const Inflow& inflow) {
        inflow_energy = inflow.energy;
        external_work -= inflow.placement_work;
    }
};

/// A closed contact (overlap above 0), with the forces that acted in the last step: those of a
/// particle add up to its net contact force.
struct ContactState {
    std::size_t first;      ///< particle
    std::size_t second;     ///< particle, or particles() + number of the wall
    double overlap;         ///< [m]
    Vec3 point;             ///< where the forces act, relative to the centre of `first` [m]
    Vec3 branch;            ///< from the centre of `first` to that of `second`, or to the wall [m]
    Vec3 normal_force;      ///< on `first` [N]
    Vec3 tangential_force;  ///< on `first` [N]
    /// Triangle of the surface of a mesh, from the plain engine if it knows dissipation().
    std::uint32_t triangle = 0;
    /// The product of the half axes of the contact over its overlap [m]; 0: two spheres.
    double spot = 0.0;
};

/// The fastest vibration and damping of a particle, from the slopes of its contacts' laws: they
/// limit the time step.
struct StabilityLimits {
    double frequency = 0.0;  ///< [rad/s]
    double damping = 0.0;    ///< [1/s]
};

/// The periodic box at present.
struct BoxState {
    Edges edges;  ///< [m]
    Edges rate;   ///< [m/s]
    bool strains = false;

    /// The velocity of the affine motion at a place from the lower corner [m/s].
    Vec3 affine_velocity(const Vec3& from_lower) const {
        return strains ? rate.times(edges.fractions(from_lower)) : Vec3{};
    }
};

/// A named column of an engine's state; valid until the engine steps. With ranks `values` are this
/// rank's numbers, from `first` on, of all `total`; where all ranks have the same, those of the
/// first rank.
struct PackingColumn {
    std::string name;
    std::span<const double> values;
    std::size_t first = 0;
    std::size_t total = values.size();
};

/// The columns of a saved state().
class SavedColumns {
  public:
    using Whole = std::function<std::span<const double>(const std::string& name)>;
    using Part = std::function<std::vector<double>(const std::string& name, std::size_t first,
                                                   std::size_t count, std::size_t total)>;

    /// whole(name) returns the column saved under that name; `part` reads numbers of it only,
    /// without holding the others.
    template <std::convertible_to<Whole> Function>
    SavedColumns(Function whole, Part part = {})
        : whole_(std::move(whole)), part_(std::move(part)) {}

    std::span<const double> operator()(const std::string& name) const { return whole_(name); }
    /// `count` numbers from `first` on. Throws std::invalid_argument if the column has not `total`.
    std::vector<double> part(const std::string& name, std::size_t first, std::size_t count,
                             std::size_t total) const;

  private:
    Whole whole_;
    Part part_;
};

/// The motion of one particle.
struct Motion {
    Vec3 displacement;      ///< from the start [m]
    Vec3 velocity;          ///< [m/s]
    Vec3 angular_velocity;  ///< [rad/s]
};

class PackingEngine {
  public:
    virtual ~PackingEngine() = default;

    /// Advances by `steps` steps. Row k of the trace is the state after step k + 1 of this call.
    virtual void advance(std::int64_t steps, ParticleTrace& trace) = 0;
    void advance(std::int64_t steps) {
        ParticleTrace none;
        advance(steps, none);
    }
    /// Fills one row of the trace from the present state.
    virtual void sample(ParticleTrace& trace) const = 0;

    /// Half a step of external forces on the centres of particles: before an advance(1) those at
    /// the present step, as the first half, and after it those at the new step, as the second half
    /// (external_force.hpp). Fixed particles do not move. totals() does not count their work.
    virtual void kick(std::span<const stepping::BodyForce<Vec3>> forces,
                      stepping::HalfStep half) = 0;

    /// Replaces the velocities of a particle that is not fixed. The contacts' forces of the next
    /// half step are still those of the old ones, and totals() does not count the change as work.
    virtual void set_velocities(std::size_t particle, const Vec3& velocity,
                                const Vec3& angular_velocity) = 0;

    virtual std::int64_t step() const = 0;  ///< steps done
    virtual double time_step() const = 0;   ///< [s]
    virtual int threads() const = 0;        ///< in use
    /// The name of the device that takes the steps; empty: this processor's cores take them.
    virtual std::string device() const { return {}; }
    virtual std::size_t particles() const = 0;

    virtual Motion motion(std::size_t particle) const = 0;
    // One per particle, in the packing's order; copies. With ranks the first one gets them.
    virtual std::vector<Vec3> displacement() const = 0;      ///< from the start [m]
    virtual std::vector<Vec3> velocity() const = 0;          ///< [m/s]
    virtual std::vector<Vec3> angular_velocity() const = 0;  ///< [rad/s]
    /// Unit quaternions from the body to space; empty: the particles are spheres.
    virtual std::vector<shapes::Quaternion> orientation() const { return {}; }
    /// Closed contacts, by first particle, then second.
    virtual std::vector<ContactState> contacts() const = 0;
    /// The number of closed contacts, without building the list of them.
    virtual std::size_t closed_contacts() const = 0;
    virtual std::vector<WallMotion> walls() const = 0;
    virtual BoxState box() const = 0;
    /// The elements that particles carry.
    virtual const ElementStepper& elements() const = 0;
    /// The force of each drive, see ElementStepper [N].
    virtual std::vector<Vec3> drive_forces() const { return elements().drive_forces(); }
    /// ElementStepper::drive_torques() of all ranks [N m].
    virtual std::vector<Vec3> drive_torques() const { return elements().drive_torques(); }
    /// The bonds that broke after a step, in the order of Elements::bonds; with ranks the first one
    /// gets them.
    virtual std::vector<BrokenBond> broken_bonds(double after) const {
        return elements().bonds().broken(after);
    }
    /// Which particles are there.
    virtual const Population& population() const = 0;

    virtual PackingTotals totals() const = 0;
    /// The dissipation of all contacts since the start, by first body, then second; empty: the
    /// engine does not know it.
    virtual std::vector<ContactDissipation> dissipation() const { return {}; }
    /// The impacts whose bodies parted since the last call, in the order in which they did; those
    /// of one step by when their bodies first touched. Empty: the engine does not know them.
    virtual std::vector<Impact> take_impacts() { return {}; }
    /// Contacts that are no impacts yet. Together with all impacts they dissipated dissipation().
    virtual OpenImpacts open_impacts() const { return {}; }
    /// The rubbing of each wall since the start: normal force times sliding distance, summed over
    /// its contacts [J]. Empty: the engine does not know it.
    virtual std::vector<double> wall_rubbing() const { return {}; }
    /// The rubbing of walls and triangles, and what impacts cut; null: the engine does not know it.
    virtual const WallWork* wall_work() const { return nullptr; }
    /// The temperatures of particles; null: the packing has none.
    virtual const Heat* heat() const { return nullptr; }
    /// The part of dissipation() that each triangle of all meshes got (triangle_numbers.hpp)
    /// since the start [J]. Empty: the engine does not know it.
    virtual std::span<const double> triangle_dissipation() const { return {}; }
    /// The stability limits of all contacts at present; `speed` [m/s] above 0, see laws::slopes.
    virtual StabilityLimits stability_limits(double speed) const = 0;

    /// The deepest contact of all steps since the engine was made or restored, the present step
    /// included; contacts below large_depth do not count.
    virtual DeepContact deepest() const = 0;
    /// Two bodies have moved relative to each other by more than this in one step [m]; at least 0.
    /// Below a radius, no particle passes through another unseen.
    virtual double largest_leap() const = 0;

    /// Steps times contacts, since the engine was made or restored, in which two ellipsoids
    /// overlapped so deeply that another direction may overlap less than their common normal
    /// (shapes/common_normal.hpp).
    virtual std::int64_t uncertain_normals() const { return 0; }

    /// Contacts that have closed since the start on flat places of superellipsoids, of laws that
    /// need a radius: they have that of shaped/flat_places.hpp.
    virtual std::int64_t flat_contacts() const { return 0; }

    /// What the solver of rigid contacts did since the start; none: the contacts are not rigid.
    virtual std::optional<RigidReport> rigid() const { return {}; }

    /// In mixed precision, about: what rounding adds to the overlaps of closed contacts, relative
    /// to them, where bodies have moved farthest since a neighbour list was built. 0 in double
    /// precision.
    virtual double overlap_rounding() const { return 0.0; }

    /// The first particle whose state or contact memory is not finite.
    virtual std::optional<std::size_t> first_non_finite() const = 0;

    /// Rebuilds of the neighbour list since the start; the first list does not count.
    virtual std::int64_t neighbour_list_builds() const = 0;
    virtual std::size_t listed_pairs() const = 0;
    /// Rebuilds the neighbour list now. The state stays the same up to rounding.
    virtual void rebuild_list() = 0;

    /// Everything that the future depends on, except the packing and the time step: for
    /// checkpoints. Column sizes change during a run, because the neighbour list is part of the
    /// state.
    virtual std::vector<PackingColumn> state() const = 0;
    /// Restores the state() of an engine with the same packing and time step, taken after `step`
    /// steps. The continued run is bitwise
    /// identical. Throws std::invalid_argument if a column has the wrong size or invalid content.
    virtual void restore(std::int64_t step, const SavedColumns& column) = 0;
};

/// What an engine knows of each contact: nothing; wall_rubbing(); also dissipation(); also
/// take_impacts(), which the plain engine alone knows.
enum class ContactRecords { none, rubbing, dissipation, impacts };

/// The reference engine, written to be read; one thread. Throws std::invalid_argument with the
/// message of validate(), InputError if the law cannot be made for a pair.
std::unique_ptr<PackingEngine> make_plain_packing_engine(
    const Packing& packing, double time_step, ContactRecords records = ContactRecords::none);

/// The engine for use: vectorised and threaded. The same results up to rounding. Ellipsoids have an
/// engine of their own (shaped/shaped_packing_engine.hpp), and rigid contacts another
/// (rigid/rigid_packing_engine.hpp), with one thread. `ranks`: that
/// share the packing, which has a thousand particles or more for each (most_ranks()); null: one
/// process. With ranks all functions that return or change something are collective, except step(),
/// time_step(), threads() and particles(); what is there per particle or per contact is empty on
/// all ranks except the first, and each rank has its own part of the state(). `records`: of
/// spheres, in double precision and one process; no impacts.
std::unique_ptr<PackingEngine> make_packing_engine(const Packing& packing, double time_step,
                                                   int threads,
                                                   ranks::Communicator* ranks = nullptr,
                                                   ContactRecords records = ContactRecords::none);

/// The number of ranks that can share so many particles.
std::size_t most_ranks(std::size_t particles);

}  // namespace beadwave::packing
