// What particles carry besides their contacts: springs to the ground, masses on springs inside
// them, forces over time and prescribed motions, which act on the centre of a particle, and bonds
// between two particles (bond_stepper.hpp).
//
// All displacements count from the start, where every spring is unstretched. The force of a spring
// on what it pulls back is
//
//     F = -((k + k_3 |x|^2) x + c x')
//
// where x is the displacement of a particle (spring to the ground), or of a mass relative to its
// particle. Along a line this is the spring of chains (beadwave/chain/elements.hpp).
#pragma once

#include "beadwave/chain/elements.hpp"
#include "beadwave/stepping/drive.hpp"
#include "beadwave/stepping/force_signal.hpp"
#include "laws/triple.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace beadwave::packing {

using chain::Spring;

/// A spring between a particle and the ground. With damping alone: viscous drag.
struct Foundation {
    std::size_t particle = 0;
    Spring spring{};
    double rotational_damping = 0.0;  ///< torque over angular velocity, from 0 [N m s]
};

/// A mass on a spring inside a particle, which gravity acts on too. It starts with the velocity of
/// its particle.
struct Resonator {
    std::size_t particle = 0;
    double mass = 0.0;  ///< [kg], above 0
    Spring spring{};
};

/// The components of a force over time.
using ForceOverTime = std::array<stepping::ForceSignal, 3>;

struct LoadedParticle {
    std::size_t particle = 0;
    std::size_t force = 0;  ///< index into Elements::forces
};

/// Prescribed components of the displacement; the others are free.
struct PrescribedMotion {
    std::array<std::optional<stepping::Drive>, 3> along{};
    bool rotates = false;  ///< else the particle does not turn, or turns as `turning` says
    /// The angular velocity about x, y and z is the rate of these angles [rad]. About one axis the
    /// angle is that by which the particle has turned.
    std::optional<std::array<stepping::Drive, 3>> turning{};

    /// Whether nothing is free in a packing of this dimension.
    bool is_complete(int dimension) const {
        return !rotates && along[0] && along[1] && (dimension == 2 || along[2]);
    }
};

struct DrivenParticle {
    std::size_t particle = 0;
    std::size_t motion = 0;  ///< index into Elements::motions
};

/// One end of the cement in a particle of another shape, at the start.
struct CementEnd {
    laws::Triple<double> place{};  ///< from the centre of the particle [m]
    double depth = 0.0;            ///< below the surface, along the cement [m], above 0
    double radius = 0.0;           ///< of the cement at a radius factor of 1 [m], above 0
};

/// Cement between two particles.
struct Bond {
    std::size_t first = 0, second = 0;  ///< particles
    double radius_factor = 1.0;         ///< radius of the cement over the smaller one, above 0
    double youngs_modulus = 0.0;        ///< of the cement [Pa], above 0
    double stiffness_ratio = 1.0;       ///< normal over shear, above 0
    double tensile_strength = std::numeric_limits<double>::infinity();  ///< [Pa], above 0
    double shear_strength = std::numeric_limits<double>::infinity();    ///< [Pa], above 0
    /// Of the first and of the second particle of a packing with shapes. None: the centres of
    /// spheres, at a depth of their radii, which are those of the cement too.
    std::optional<std::array<CementEnd, 2>> ends{};
};

struct Elements {
    std::vector<Foundation> foundations{};
    std::vector<Resonator> resonators{};
    std::vector<ForceOverTime> forces{};
    std::vector<LoadedParticle> loads{};
    std::vector<PrescribedMotion> motions{};
    std::vector<DrivenParticle> driven{};
    std::vector<Bond> bonds{};

    bool empty() const {
        return foundations.empty() && resonators.empty() && loads.empty() && driven.empty() &&
               bonds.empty();
    }
    /// Whether a drive does.
    bool turns_particles() const {
        return std::ranges::any_of(driven, [&](const DrivenParticle& each) {
            return motions[each.motion].turning.has_value();
        });
    }
};

/// The velocity of a drive at the start where it prescribes one, else `velocity` [m/s].
laws::Triple<double> driven_velocity(const PrescribedMotion& motion,
                                     const laws::Triple<double>& velocity, double time);
/// 0 where the motion does not turn the particle [rad/s].
laws::Triple<double> driven_angular_velocity(const PrescribedMotion& motion, double time);

}  // namespace beadwave::packing
