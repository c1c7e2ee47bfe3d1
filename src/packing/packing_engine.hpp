// The stepper of packings as the rest of the program sees it. Particles are named by their number
// in the Packing, whatever their order in memory.
//
// Velocity Verlet in displacement form, as for chains (beadwave/dynamics/engine.hpp): the normal
// law and every dashpot see the predicted full-step velocity; tangential springs grow by the
// half-step velocity times the step, which is the displacement of the step. All of second order.
// A particle's state is its displacement d from a reference centre r0; with r0 and d those of a
// pair relative to each other, its distance has changed by (2 r0.d + d.d) / (|r0 + d| + |r0|),
// which keeps the digits of small overlaps.
//
// Each particle sums its pairs' forces in the list's order, and sums over particles run in a fixed
// order: the bits do not depend on threads.
#pragma once

#include "packing/packing.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::packing {

/// Chosen particles at every step of one advance(): rows of particles.size() vectors.
struct ParticleTrace {
    std::vector<std::size_t> particles;
    std::vector<Vec3> force;     ///< net force of all contacts [N]
    std::vector<Vec3> velocity;  ///< [m/s]
};

/// Sums over particles and pairs, in a fixed order. They balance: kinetic + rotational +
/// stored_normal + stored_tangential + dissipated_normal + dissipated_friction - external_work
/// keeps its first value.
struct PackingTotals {
    double kinetic;            ///< of the centres [J]
    double rotational;         ///< of the spins [J]
    double stored_normal;      ///< recoverable, by the normal law [J]
    double stored_tangential;  ///< in tangential, rolling and twisting springs [J]
    double dissipated_normal;  ///< by the normal law, since the start [J]
    double
        dissipated_friction;  ///< by the tangential, rolling and twisting law, since the start [J]
    double external_work;     ///< by gravity and moving walls, since the start [J]
    Vec3 momentum;            ///< [kg m/s]
    Vec3 angular_momentum;    ///< about the origin, orbital and of the spins [kg m^2/s]
};

/// A closed contact (overlap above 0).
struct ContactState {
    std::size_t first;      ///< particle
    std::size_t second;     ///< particle, or particles() + number of the wall
    double overlap;         ///< [m]
    Vec3 point;             ///< where the forces act, as seen from `first` [m]
    Vec3 branch;            ///< from the centre of `first` to that of `second`, or to the wall [m]
    Vec3 normal_force;      ///< on `first` [N]
    Vec3 tangential_force;  ///< on `first` [N]
};

/// Fastest vibration and damping of a particle by the slopes of its contacts' laws.
struct PackingRates {
    double frequency = 0.0;  ///< [rad/s]
    double damping = 0.0;    ///< [1/s]
};

/// A named column of an engine's state; valid until the engine steps.
struct PackingColumn {
    std::string name;
    std::span<const double> values;
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
    /// The trace's one row for the state as it is now.
    virtual void sample(ParticleTrace& trace) const = 0;

    virtual std::int64_t step() const = 0;  ///< steps done
    virtual double time_step() const = 0;   ///< [s]
    virtual int threads() const = 0;        ///< in use
    virtual std::size_t particles() const = 0;

    // By particle, in the packing's order; copies.
    virtual std::vector<Vec3> displacement() const = 0;  ///< from the start [m]
    virtual std::vector<Vec3> velocity() const = 0;      ///< [m/s]
    virtual std::vector<Vec3> spin() const = 0;          ///< [rad/s]
    /// Closed contacts, by first particle, then second.
    virtual std::vector<ContactState> contacts() const = 0;
    /// How many these are: without the memory that they take.
    virtual std::size_t closed_contacts() const = 0;

    virtual PackingTotals totals() const = 0;
    /// Of all contacts as they are; `speed` [m/s] above 0 as in laws::slopes.
    virtual PackingRates rates(double speed) const = 0;

    /// The first particle whose motion or contact's memory is not finite.
    virtual std::optional<std::size_t> first_non_finite() const = 0;

    virtual std::int64_t list_renewals() const = 0;  ///< since the start
    virtual std::size_t listed_pairs() const = 0;
    /// Renews the list of neighbours now. The state is the same, but for rounding.
    virtual void renew_list() = 0;

    /// All that the future depends on beside the packing and the time step, for checkpoints. Sizes
    /// differ from time to time: the list of neighbours is part of it.
    virtual std::vector<PackingColumn> state() const = 0;
    /// Takes up an earlier state() of an engine of the same packing and step, as that after `step`
    /// steps: column(name) is what was saved under that name. The run goes on to the bit. Throws
    /// std::invalid_argument where a column has the wrong size or holds what no engine saves.
    virtual void restore(
        std::int64_t step,
        const std::function<std::span<const double>(const std::string&)>& column) = 0;
};

/// The page to read, on one thread. Throws std::invalid_argument with what_is_wrong(), InputError
/// where the law cannot be made for a pair.
std::unique_ptr<PackingEngine> make_plain_packing_engine(const Packing& packing, double time_step);

/// The one to use: vectors and threads. The same results to rounding.
std::unique_ptr<PackingEngine> make_packing_engine(const Packing& packing, double time_step,
                                                   int threads);

}  // namespace beadwave::packing
