// What an engine of packings tells of its state, as data.
#pragma once

#include "packing/contacts/deep_contact.hpp"
#include "packing/edges.hpp"
#include "packing/elements/element_stepper.hpp"
#include "packing/flow/population.hpp"
#include "packing/packing.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::packing {

/// Force and velocity of chosen particles at every step of one advance(): rows of particles.size()
/// vectors.
struct ParticleTrace {
    std::vector<std::size_t> particles;
    std::vector<Vec3> force;     ///< net force of all contacts [N]
    std::vector<Vec3> velocity;  ///< [m/s]

    void make_rows(std::int64_t rows) {
        force.resize(static_cast<std::size_t>(rows) * particles.size());
        velocity.resize(force.size());
    }
    /// Fills a row with these, indexed by particle.
    template <class Forces, class Velocities>
    void fill(std::int64_t row, const Forces& forces, const Velocities& velocities) {
        std::size_t at = static_cast<std::size_t>(row) * particles.size();
        for (const std::size_t particle : particles) {
            force[at] = forces[particle];
            velocity[at++] = velocities[particle];
        }
    }
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

/// A closed contact as one of its particles has it.
struct ContactSide {
    std::uint32_t particle;
    std::uint32_t other;  ///< particle, or particles() + number of the wall
};

using ContactVisitor = std::function<void(std::span<const ContactState> some)>;

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

/// Particles begin, ..., end - 1.
struct NumberRange {
    std::size_t begin, end;
};

/// Those that one of so many ranks records: about as many on each.
inline NumberRange numbers_of_rank(std::size_t particles, int rank, int ranks) {
    const auto border = [&](int r) {
        return static_cast<std::size_t>(r) * particles / static_cast<std::size_t>(ranks);
    };
    return {border(rank), border(rank + 1)};
}

/// The motion of one particle.
struct Motion {
    Vec3 displacement;      ///< from the start [m]
    Vec3 velocity;          ///< [m/s]
    Vec3 angular_velocity;  ///< [rad/s]
};

/// A particle of this rank.
struct OwnParticle {
    std::uint32_t number;
    Vec3 position;  ///< of its centre [m]
    Motion motion;
};

/// What an engine knows of each contact: nothing; wall_rubbing(); also dissipation(); also
/// take_impacts(), which the plain engine alone knows.
enum class ContactRecords { none, rubbing, dissipation, impacts };

}  // namespace beadwave::packing
