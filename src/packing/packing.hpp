// Spheres in the plane or in space, or parallel cylinders in the plane, walls, and what acts
// between them, ready to run.
//
// A pair is two particles, or a particle and a wall. The normal law of a pair is made from its two
// bodies (laws::make of their laws::Contact) when it first enters the neighbour list. If there are
// few kinds of particles (same species, radius and mass), laws are stored per pair of kinds;
// otherwise per pair. Only PairLaws (pair_laws.hpp) knows which. Contact memory is stored per pair
// and is kept when the list is rebuilt. A pair that leaves the list, because its gap exceeds the
// skin, loses its memory.
//
// In the plane (dimension 2) everything is as in space with z = 0: positions, velocities and forces
// have no z component, angular velocities have only that.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/settings.hpp"
#include "laws/rigid_law.hpp"
#include "laws/tangential/friction.hpp"
#include "packing/elements/elements.hpp"
#include "packing/flow/openings.hpp"
#include "packing/heat/heat_bodies.hpp"
#include "packing/particle_column.hpp"
#include "packing/precision.hpp"
#include "packing/walls/wall.hpp"
#include "shapes/clump.hpp"
#include "shapes/quaternion.hpp"
#include "shapes/superellipsoid.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::packing {

/// A material: its name and what contacts need of it.
struct Species {
    std::string name;
    laws::Elasticity elasticity;
};

/// How the edges of a periodic box change; see box_motion.hpp. The lower corner stays.
struct Straining {
    Vec3 rate{};        ///< of each edge over the edge at the start [1/s]; positive: longer
    Vec3 shear_rate{};  ///< of the tilts xy, xz, yz over the edge y, z, z at the start [1/s]
    /// Axes whose edge moves like a piston, so that the stress along it becomes the given one.
    std::array<bool, 3> has_piston{false, false, false};
    Vec3 stress{};  ///< along axes with a piston, positive: compression [Pa]; in the plane [N/m]
    double mass = 0.0;     ///< of each piston [kg]
    double damping = 0.0;  ///< of each piston [N s/m]
    double start = 0.0;    ///< until then the box stays as it is [s]

    bool has_pistons() const { return has_piston[0] || has_piston[1] || has_piston[2]; }
};

/// The periodic box. Axes that are not periodic have no bounds.
struct Box {
    Vec3 lower{}, upper{};  ///< at the start [m]
    std::array<bool, 3> periodic{false, false, false};
    std::optional<Straining> strain{};

    bool repeats() const { return periodic[0] || periodic[1] || periodic[2]; }
};

/// The laws of contacts of two species, in place of those of the packing. The types of the laws are
/// the same.
struct PairSettings {
    std::array<std::size_t, 2> species{};
    laws::Settings law;
    laws::Friction friction;
    laws::Rolling rolling;
};

struct Packing {
    int dimension = 3;  ///< 2 or 3
    /// Length of cylinders along z, which touch along lines and need a line law [m]; 0: spheres.
    double length = 0.0;

    // One value per particle; all arrays have the same length.
    ParticleColumn<double> radius;  ///< [m], above 0
    ParticleColumn<double> mass;    ///< [kg], above 0
    /// About a diameter of a sphere, (2/5) m R^2; about the axis of a cylinder, m R^2 / 2 [kg m^2].
    ParticleColumn<double> inertia;
    ParticleColumn<Vec3> position;  ///< of the centre at the start [m]
    /// At the start [m/s]; in a box that strains relative to the affine motion (box_motion.hpp).
    ParticleColumn<Vec3> velocity;
    ParticleColumn<Vec3> angular_velocity;  ///< at the start [rad/s]
    ParticleColumn<std::uint16_t> species;  ///< index into species_list
    /// Held in place: these particles neither move nor rotate. Empty: no particle is fixed.
    std::vector<char> fixed;
    /// Semi-axes of solid ellipsoids along x, y and z of the body [m]; empty: only spheres. With
    /// them a particle's `radius` is its largest semi-axis, and its `inertia` does not count.
    std::vector<Vec3> semi_axes;
    /// Unit quaternions from the body to space, at the start; as many as semi_axes.
    std::vector<shapes::Quaternion> orientation;

    std::vector<Species> species_list;
    std::vector<Wall> walls;
    Box box;
    Vec3 gravity{};  ///< [m/s^2]

    laws::Settings law;               ///< normal law of every pair; checked, see laws::make
    laws::Friction friction;          ///< tangential law of every pair
    laws::Rolling rolling;            ///< resistance to rolling and twisting of every pair
    std::vector<PairSettings> pairs;  ///< of species that differ from these three

    Precision precision = Precision::full;
    Place place = Place::host;

    /// The neighbour list holds all pairs with a gap below this [m]; 0: three tenths of the
    /// smallest radius, or one tenth where steps may not leave pairs out.
    double skin = 0.0;

    /// In which stress and structure are measured; none: the whole packing.
    std::optional<Region> region{};

    /// A particle of a pour waits until it comes: its position is the centre of the region, its
    /// velocities are those with which it comes.
    std::vector<Pour> pours{};
    std::vector<Exit> exits{};

    Elements elements{};
    /// Particles whose motion elements prescribe along all axes, without rotation. Empty: none.
    std::vector<char> prescribed{};

    /// As many as semi_axes, or empty: no particle is a clump. Null: this one is none. The
    /// `position` of a clump is its centroid; its `radius` and all its semi-axes are those of the
    /// sphere around it.
    std::vector<std::shared_ptr<const shapes::Clump>> clumps{};

    /// As many as semi_axes, or empty: no particle is a superellipsoid. Exponents of 2: this one is
    /// none. The `radius` of a superellipsoid is the largest distance of a point from its centre.
    std::vector<shapes::Exponents> exponents{};

    std::optional<HeatBodies> heat{};  ///< none: temperatures are not followed

    std::size_t particles() const { return radius.size(); }
    /// Volume of a particle [m^3]; in the plane its area [m^2].
    double solid(std::size_t particle) const {
        if (is_clump(particle)) return clumps[particle]->volume;
        if (is_superellipsoid(particle)) {
            return volume(
                shapes::Superellipsoid{{.semi_axes = semi_axes[particle]}, exponents[particle]});
        }
        if (has_shapes()) {
            const Vec3& a = semi_axes[particle];
            return std::numbers::pi * (4.0 / 3.0) * a.x * a.y * a.z;
        }
        const double r = radius[particle];
        return std::numbers::pi * r * r * (dimension == 3 ? 4.0 / 3.0 * r : 1.0);
    }
    bool has_line_contacts() const { return length > 0.0; }
    bool has_shapes() const { return !semi_axes.empty(); }
    /// Whether bodies neither overlap nor yield: rigid/rigid_backend.hpp.
    bool is_rigid() const { return laws::is_rigid(law); }
    bool is_clump(std::size_t particle) const { return !clumps.empty() && clumps[particle]; }
    bool is_superellipsoid(std::size_t particle) const {
        return !exponents.empty() && exponents[particle] != shapes::Exponents{};
    }
    bool is_fixed(std::size_t particle) const { return !fixed.empty() && fixed[particle] != 0; }
    /// Fixed, or with a motion that is prescribed altogether: as if infinitely heavy. Such
    /// particles do not touch each other.
    bool is_held(std::size_t particle) const {
        return is_fixed(particle) || (!prescribed.empty() && prescribed[particle] != 0);
    }
    /// False: no particle is held.
    bool may_be_held() const { return !fixed.empty() || !prescribed.empty(); }
    /// is_held() of all; empty: none.
    std::vector<char> held() const {
        if (prescribed.empty()) return fixed;
        std::vector<char> all(particles());
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = is_held(i) ? 1 : 0;
        return all;
    }
    /// Whether the particle is not there at the start.
    bool waits(std::size_t particle) const {
        for (const Pour& pour : pours)
            if (pour.holds(particle)) return true;
        return false;
    }
    /// Adds a particle to Elements::driven, with the velocity of its motion at the start.
    void drive(std::size_t particle, std::size_t motion) {
        elements.driven.push_back({particle, motion});
        const PrescribedMotion& prescribes = elements.motions[motion];
        velocity[particle] = driven_velocity(prescribes, velocity[particle], 0.0);
        if (prescribes.turning)
            angular_velocity[particle] = driven_angular_velocity(prescribes, 0.0);
        if (!prescribes.is_complete(dimension)) return;
        prescribed.resize(particles());
        prescribed[particle] = 1;
    }

    /// Calls visit(begin, end) for stretches of particles [begin, end), in their order, that are
    /// known to differ in their places at most.
    template <class Visit>
    void each_alike(Visit visit) const {
        const bool alone = may_be_held() || has_shapes();
        for (std::size_t begin = 0, end = 0; begin < particles(); begin = end) {
            end =
                alone
                    ? begin + 1
                    : std::min({radius.alike_until(begin), mass.alike_until(begin),
                                inertia.alike_until(begin), species.alike_until(begin),
                                velocity.alike_until(begin), angular_velocity.alike_until(begin)});
            visit(begin, end);
        }
    }

    /// Adds a solid sphere or cylinder at rest. radius [m], mass [kg], position [m].
    void add(double particle_radius, double particle_mass, Vec3 centre,
             std::size_t particle_species = 0) {
        add_without_positions(1, particle_radius, particle_mass, particle_species);
        position.push_back(centre);
    }
    /// Adds so many that differ in their places at most; the caller adds these to `position`.
    void add_without_positions(std::size_t count, double particle_radius, double particle_mass,
                               std::size_t particle_species, Vec3 particle_velocity = {},
                               Vec3 particle_angular_velocity = {}) {
        radius.append_alike(count, particle_radius);
        mass.append_alike(count, particle_mass);
        inertia.append_alike(
            count, (length > 0.0 ? 0.5 : 0.4) * particle_mass * particle_radius * particle_radius);
        velocity.append_alike(count, particle_velocity);
        angular_velocity.append_alike(count, particle_angular_velocity);
        species.append_alike(count, static_cast<std::uint16_t>(particle_species));
        if (!fixed.empty()) fixed.resize(particles());
    }
};

/// Returns an error message that names the particle or wall, or an empty text if the packing can
/// run. Checks array sizes, finite numbers, radii and masses above 0, that fixed particles are at
/// rest, unit normals, species in range, that periodic axes are at least two of the largest
/// diameters wide (with a skin above a diameter: one diameter and the skin), in the plane that
/// nothing leaves it, and that cylinders are in the plane, between plane walls, and without what is
/// made for contacts in points: Mindlin's friction, rolling and twisting resistance. Mixed
/// precision takes radii from 1e-9 to 1e9 m. What ellipsoids take: validate_shapes().
std::string validate(const Packing& packing);

/// Whether the box strains along each axis: the affine motion there depends on the place.
std::array<bool, 3> strained_axes(const Box& box);

/// The least width of a box along an axis that is periodic [m]: particles and their own images do
/// not touch there, and the neighbour list does not see across the whole box.
double narrowest_box(const Packing& packing);

/// Whether nothing forbids steps to leave out listed pairs that are apart: neither forces from afar
/// nor motion other than by the forces of contacts (fast/near_pairs.hpp).
bool may_leave_out_pairs(const Packing& packing);

/// The skin in use [m].
double skin_of(const Packing& packing);

/// The largest distance at which adhesion can hold a particle and another body together; 0 without
/// adhesion [m].
double longest_neck(const Packing& packing);

}  // namespace beadwave::packing
