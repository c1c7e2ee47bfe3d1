// Which particles are in the packing. All particles that ever exist have a number and memory from
// the start; those that still wait to be poured, and those that left through an exit, are absent:
// at rest, without weight and in no pair.
//
// An engine asks exchange_at() before the steps whose number is a multiple of check_steps. What
// comes and goes depends on the state alone, so it is the same for any number of threads and after
// any interruption. The places of poured particles come from a generator that is counted by
// particle, step and attempt, and has no state.
#pragma once

#include "packing/edges.hpp"
#include "packing/packing.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::packing {

class FreePlaces;
struct ElementTotals;

enum class Presence : char { waiting, inside, left };

struct Entering {
    std::size_t particle;
    Vec3 position;  ///< of its centre [m]
};

struct Leaving {
    std::size_t particle, exit;
};

/// The particles that come and leave between two steps. A particle is in one list at most.
struct Exchange {
    std::vector<Entering> entering;
    std::vector<Leaving> leaving;

    bool empty() const { return entering.empty() && leaving.empty(); }
};

/// What all particles brought in minus what they took along, since the start.
struct Inflow {
    double energy = 0.0;      ///< kinetic, and stored in contacts of those that left [J]
    Vec3 momentum{};          ///< [kg m/s]
    Vec3 angular_momentum{};  ///< about the origin [kg m^2/s]
    /// Work of gravity from the start positions of poured particles to the places where they came:
    /// it is part of mass times displacement, but was never done [J].
    double placement_work = 0.0;
};

/// The particles of a process, in any order. Those of all ranks that share a packing are all
/// particles; `ranks` null: so are these.
struct OwnParticles {
    std::span<const std::uint32_t> particles;
    std::span<const Vec3> position;  ///< of these [m]
    ranks::Communicator* ranks = nullptr;
};

class Population {
  public:
    /// Particles come and leave before steps whose number is a multiple of this.
    static constexpr std::int64_t check_steps = 20;
    /// A particle that found no room tries again after this number of steps, at `attempts` places.
    static constexpr std::int64_t retry_steps = 100;
    static constexpr std::uint64_t attempts = 100;

    /// `packing` must outlive it; its velocities are copied.
    Population(const Packing& packing, double time_step);

    /// Whether any particle may come or leave.
    bool changes() const { return !entry_step_.empty(); }

    Presence presence(std::size_t particle) const;
    bool is_absent(std::size_t particle) const {
        return changes() && presence(particle) != Presence::inside;
    }
    std::size_t count(Presence presence) const;
    /// The number of particles that left through an exit.
    std::size_t left_through(std::size_t exit) const;
    /// Steps done when it came, and when it left: -1: it has not. For those there from the start 0.
    std::int64_t entry_step(std::size_t particle) const { return entry_step_[particle]; }
    std::int64_t leave_step(std::size_t particle) const { return leave_step_[particle]; }
    std::size_t exit_of(std::size_t particle) const { return exit_[particle]; }  ///< if it left
    const Inflow& inflow() const { return inflow_; }
    /// One flag per particle, empty if none may come or leave: absent, or fixed in the packing.
    std::vector<char> held() const;
    std::vector<char> absent() const;  ///< as held(), without the fixed ones

    /// The particles that come and leave after `step` steps; enter() and leave() then do it. moved
    /// [m]: of the walls. `box`: its present edges. All ranks get the same.
    Exchange exchange_at(std::int64_t step, const OwnParticles& own, std::span<const Vec3> moved,
                         const Edges& box);
    void enter(std::int64_t step, const Entering& entering);
    void leave(std::int64_t step, const Leaving& leaving, const Vec3& position,
               const Vec3& velocity, const Vec3& angular_velocity);
    /// The energy stored in the contacts and bonds of those that leave [J].
    void take_stored(double energy) { inflow_.energy -= energy; }
    /// ElementStepper::carried() of those that come, and of those that leave.
    void bring(const ElementTotals& carried);
    void take(const ElementTotals& carried);

    /// When they come; in a box that strains relative to the affine motion.
    Vec3 velocity(std::size_t particle) const { return velocity_[particle]; }  ///< [m/s]
    Vec3 angular_velocity(std::size_t particle) const {                        ///< [rad/s]
        return angular_velocity_[particle];
    }

    /// The state, for checkpoints; empty without pours and exits.
    std::vector<double> numbers() const;
    /// Throws std::invalid_argument if these are not numbers of such a packing.
    void restore(std::span<const double> numbers);

  private:
    void find_leaving(const OwnParticles& own, const Edges& box, Exchange& exchange) const;
    void find_entering(std::int64_t step, const OwnParticles& own, std::span<const Vec3> moved,
                       const Edges& box, Exchange& exchange);
    /// All particles inside that one in the region of a pour may touch.
    void occupy(FreePlaces& places, const OwnParticles& own) const;

    /// The rotation of bodies that are no spheres is a matter of their engine: bring(), take().
    double counted_inertia(std::size_t particle) const {
        return packing_.has_shapes() ? 0.0 : packing_.inertia[particle];
    }

    const Packing& packing_;
    double time_step_;
    std::vector<char> fixed_;                           // empty: none
    std::vector<char> stays_;                           // fixed or driven: no exit takes it
    ParticleColumn<Vec3> velocity_, angular_velocity_;  // of poured particles; empty: none
    ParticleColumn<std::int64_t> entry_step_, leave_step_;
    ParticleColumn<std::uint32_t> exit_;
    std::vector<std::int64_t> came_, next_attempt_;  // of each pour: particles, and a step
    Inflow inflow_;
};

}  // namespace beadwave::packing
