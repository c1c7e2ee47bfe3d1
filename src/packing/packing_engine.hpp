// The engine that steps a packing: a back end (packing_backend.hpp), and around it external forces,
// the temperatures of particles, and particles that come and leave. Particles have their number in
// the Packing, whatever their order in memory.
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

#include "packing/packing_backend.hpp"
#include "packing/walls/wall_motion.hpp"
#include "stepping/external_forces.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::packing {

class DissipationFollower;
class Heat;

class PackingEngine final {
  public:
    explicit PackingEngine(std::unique_ptr<PackingBackend> backend);
    PackingEngine(PackingEngine&&) noexcept;
    PackingEngine& operator=(PackingEngine&&) noexcept;
    ~PackingEngine();

    /// Follows what contacts dissipate step by step: it warms the particles of a packing that has
    /// Packing::heat, and `triangles` of meshes get their share. The back end knows dissipation().
    /// `packing` must outlive the engine.
    void follow_dissipation(const Packing& packing, bool triangles);

    /// Advances by `steps` steps. Row k of the trace is the state after step k + 1 of this call.
    void advance(std::int64_t steps, ParticleTrace& trace);
    void advance(std::int64_t steps) {
        ParticleTrace none;
        advance(steps, none);
    }
    /// Fills one row of the trace from the present state.
    void sample(ParticleTrace& trace) const { backend_->sample(trace); }

    // External forces on the centres of particles; they and their work are not part of the state().

    /// Calls the function of the force, and so may throw what that throws. Throws ArgumentError if
    /// the box strains, or particles come or leave.
    void add_force(stepping::ExternalForce<Vec3> force);
    /// `index`: in the order in which the present forces were added.
    void remove_force(std::size_t index) { forces_.remove(index); }
    /// To be called when the state has been changed from outside.
    void evaluate_forces();
    /// Copies the forces of another engine with their present values and work.
    void copy_forces(const PackingEngine& other) { forces_.copy_from(other.forces_); }
    double work_of_forces() const { return forces_.work(); }  ///< since the start [J]
    /// Energy that writing the state has added since the start, which is external work [J].
    double written_energy() const { return forces_.written(); }
    void add_written_energy(double energy) { forces_.add_written(energy); }
    void set_energies(double work, double written) { forces_.set_energies(work, written); }

    /// Half a step of external forces on the centres of particles: before an advance(1) those at
    /// the present step, as the first half, and after it those at the new step, as the second half
    /// (external_force.hpp). Fixed particles do not move. totals() does not count their work.
    void kick(std::span<const stepping::BodyForce<Vec3>> forces, stepping::HalfStep half);

    /// Replaces the velocities of a particle that is not fixed. The contacts' forces of the next
    /// half step are still those of the old ones, and totals() does not count the change as work.
    void set_velocities(std::size_t particle, const Vec3& velocity, const Vec3& angular_velocity) {
        backend_->set_velocities(particle, velocity, angular_velocity);
    }

    std::int64_t step() const { return around().step; }  ///< steps done
    double time_step() const { return around().dt; }     ///< [s]
    int threads() const { return backend_->threads(); }  ///< in use
    /// The name of the device that takes the steps; empty: this processor's cores take them.
    std::string device() const { return backend_->device(); }
    std::size_t particles() const { return around().particles; }

    Motion motion(std::size_t particle) const { return backend_->motion(particle); }
    /// The particles of this rank that are there, by their numbers; without a message.
    std::vector<OwnParticle> own() const;
    // One per particle, in the packing's order; copies. With ranks the first one gets them.
    std::vector<Vec3> displacement() const { return backend_->displacement(); }  ///< [m]
    std::vector<Vec3> velocity() const { return backend_->velocity(); }          ///< [m/s]
    std::vector<Vec3> angular_velocity() const {
        return backend_->angular_velocity();
    }  ///< [rad/s]
    /// Unit quaternions from the body to space; empty: the particles are spheres.
    std::vector<shapes::Quaternion> orientation() const { return backend_->orientation(); }
    /// Closed contacts, by first particle, then second.
    std::vector<ContactState> contacts() const { return backend_->contacts(); }
    /// Calls visit(some) for all contacts() in their order, with ranks piece by piece on the first
    /// one. Collective.
    void visit_contacts(const ContactVisitor& visit) const { backend_->visit_contacts(visit); }
    // The same of a part of the particles, whose numbers follow each other: on one process of all,
    // with ranks of about as many on each, whichever particles it steps. A contact is where its
    // first particle is.
    NumberRange own_numbers() const { return backend_->own_numbers(); }
    std::vector<Vec3> own_displacements() const { return backend_->own_displacements(); }  ///< [m]
    std::vector<Vec3> own_velocities() const { return backend_->own_velocities(); }  ///< [m/s]
    /// Calls visit(number, velocity [m/s]) for the particles of this rank that are there, in any
    /// order. Sends no messages.
    void visit_velocities(
        const std::function<void(std::size_t number, const Vec3& velocity)>& visit) const;
    std::vector<Vec3> own_angular_velocities() const {
        return backend_->own_angular_velocities();
    }  ///< [rad/s]
    std::vector<ContactState> own_contacts() const { return backend_->own_contacts(); }
    /// Both sides of closed contacts, where the particle is one of own_numbers(), in any order.
    std::vector<ContactSide> own_sides() const { return backend_->own_sides(); }
    /// The number of closed contacts, without building the list of them.
    std::size_t closed_contacts() const { return backend_->closed_contacts(); }
    std::vector<WallMotion> walls() const { return around().loads.motions(); }
    BoxState box() const;
    /// The elements that particles carry.
    const ElementStepper& elements() const { return backend_->elements(); }
    /// The force of each drive, see ElementStepper [N].
    std::vector<Vec3> drive_forces() const { return backend_->drive_forces(); }
    /// ElementStepper::drive_torques() of all ranks [N m].
    std::vector<Vec3> drive_torques() const { return backend_->drive_torques(); }
    /// The bonds that broke after a step, in the order of Elements::bonds; with ranks the first one
    /// gets them.
    std::vector<BrokenBond> broken_bonds(double after) const {
        return backend_->broken_bonds(after);
    }
    /// Which particles are there.
    const Population& population() const { return around().population; }

    /// With the work of external forces.
    PackingTotals totals() const;
    /// The dissipation of all contacts since the start, by first body, then second; empty: the
    /// back end does not know it.
    std::vector<ContactDissipation> dissipation() const { return backend_->dissipation(); }
    /// The impacts whose bodies parted since the last call, in the order in which they did; those
    /// of one step by when their bodies first touched. Empty: the back end does not know them.
    std::vector<Impact> take_impacts() { return backend_->take_impacts(); }
    /// Contacts that are no impacts yet. Together with all impacts they dissipated dissipation().
    OpenImpacts open_impacts() const { return backend_->open_impacts(); }
    /// The rubbing of each wall since the start: normal force times sliding distance, summed over
    /// its contacts [J]. Empty: the back end does not know it.
    std::vector<double> wall_rubbing() const { return backend_->wall_rubbing(); }
    /// The rubbing of walls and triangles, and what impacts cut; null: the back end does not know
    /// it.
    const WallWork* wall_work() const { return backend_->wall_work(); }
    /// The temperatures of particles; null: the packing has none.
    const Heat* heat() const;
    /// The part of dissipation() that each triangle of all meshes got (triangle_numbers.hpp)
    /// since the start [J]. Empty: it is not followed.
    std::span<const double> triangle_dissipation() const;
    /// The stability limits of all contacts at present; `speed` [m/s] above 0, see laws::slopes.
    StabilityLimits stability_limits(double speed) const {
        return backend_->stability_limits(speed);
    }

    /// The deepest contact of all steps since the engine was made or restored, the present step
    /// included; contacts below large_depth do not count.
    DeepContact deepest() const { return backend_->deepest(); }
    /// Two bodies have moved relative to each other by more than this in one step [m]; at least 0.
    /// Below a radius, no particle passes through another unseen.
    double largest_leap() const { return backend_->report().largest_leap; }

    /// Steps times contacts, since the engine was made or restored, in which two ellipsoids
    /// overlapped so deeply that another direction may overlap less than their common normal
    /// (shapes/common_normal.hpp).
    std::int64_t uncertain_normals() const { return backend_->report().uncertain_normals; }

    /// Contacts that have closed since the start on flat places of superellipsoids, of laws that
    /// need a radius: they have that of shaped/flat_places.hpp.
    std::int64_t flat_contacts() const { return backend_->report().flat_contacts; }

    /// What the solver of rigid contacts did since the start; none: the contacts are not rigid.
    std::optional<RigidReport> rigid() const { return backend_->report().rigid; }

    /// In mixed precision, about: what rounding adds to the overlaps of closed contacts, relative
    /// to them, where bodies have moved farthest since a neighbour list was built. 0 in double
    /// precision.
    double overlap_rounding() const { return backend_->overlap_rounding(); }

    /// The first particle whose state or contact memory is not finite.
    std::optional<std::size_t> first_non_finite() const { return backend_->first_non_finite(); }

    /// Rebuilds of the neighbour list since the start; the first list does not count.
    std::int64_t neighbour_list_builds() const { return backend_->report().list_builds; }
    std::size_t listed_pairs() const { return backend_->listed_pairs(); }
    /// Rebuilds the neighbour list now. The state stays the same up to rounding.
    void rebuild_list() { backend_->rebuild_list(); }

    /// Everything that the future depends on, except the packing and the time step: for
    /// checkpoints. Column sizes change during a run, because the neighbour list is part of the
    /// state.
    std::vector<PackingColumn> state() const;
    /// Restores the state() of an engine with the same packing and time step, taken after `step`
    /// steps. The continued run is bitwise
    /// identical. Throws std::invalid_argument if a column has the wrong size or invalid content.
    void restore(std::int64_t step, const SavedColumns& column);

    /// For what one back end alone knows.
    PackingBackend& backend() { return *backend_; }
    const PackingBackend& backend() const { return *backend_; }

  private:
    const Surroundings& around() const { return backend_->around(); }
    stepping::LinearMotion<Vec3> linear_motion(std::size_t particle) const {
        const Motion all = motion(particle);
        return {all.displacement, all.velocity};
    }
    /// Advances the back end, with particles that come and leave.
    void advance_particles(std::int64_t steps, ParticleTrace& trace);
    /// One step, and what follows from its dissipation.
    void take_step(ParticleTrace& row);

    std::unique_ptr<PackingBackend> backend_;
    stepping::ExternalForces<Vec3> forces_;
    std::unique_ptr<DissipationFollower> follower_;  // null: nothing follows
};

/// With the reference back end, written to be read; one thread. Throws std::invalid_argument with
/// the message of validate(), InputError if the law cannot be made for a pair.
std::unique_ptr<PackingEngine> make_plain_packing_engine(
    const Packing& packing, double time_step, ContactRecords records = ContactRecords::none);

/// The engine for use: vectorised and threaded. The same results up to rounding. Ellipsoids have a
/// back end of their own (shaped/shaped_backend.hpp), and rigid contacts another
/// (rigid/rigid_backend.hpp), with one thread. `ranks`: that share the packing, which has a
/// thousand particles or more for each (most_ranks()); null: one process. With ranks all functions
/// that return or change something are collective, except step(), time_step(), threads(),
/// particles(), own() and own_numbers(); what is there per particle or per contact is empty on all
/// ranks except the first, and each rank has its own part of the state(). Of ellipsoids any number
/// of ranks each have all, with the same bits, and share the search for touches; the first has the
/// state(). `records`: of spheres, in double precision and one process; no impacts.
std::unique_ptr<PackingEngine> make_packing_engine(const Packing& packing, double time_step,
                                                   int threads,
                                                   ranks::Communicator* ranks = nullptr,
                                                   ContactRecords records = ContactRecords::none);

/// The number of ranks that can share so many particles.
std::size_t most_ranks(std::size_t particles);

}  // namespace beadwave::packing
