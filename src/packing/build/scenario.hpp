// The scenario of a packing in SI units: what to build and how to run it. Plain data; io reads it
// from TOML, build_packing() makes particles of it.
#pragma once

#include "laws/wear.hpp"
#include "packing/build/field_grid.hpp"
#include "packing/build/lattices.hpp"
#include "packing/build/press.hpp"
#include "packing/build/radius_law.hpp"
#include "packing/elements/element_plans.hpp"
#include "packing/packing.hpp"
#include "scenario/common.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::packing {

/// Places on the sites of a lattice.
struct CrystalPlaces {
    Lattice lattice = Lattice::fcc;
    std::array<std::int64_t, 3> cells{1, 1, 1};
    Vec3 origin{};
    double overlap = 0.0;  ///< of touching neighbours [m]
};

struct OnePlace {
    Vec3 position{};
};

/// particles.N.pour: they come during the run.
struct PourPlan {
    double rate = 0.0;                                     ///< [1/s]; 0: as fast as there is room
    double start = 0.0;                                    ///< [s]
    double end = std::numeric_limits<double>::infinity();  ///< [s]
};

/// Places at random between two corners; no two of the group touch.
struct RandomPlaces {
    std::int64_t particles = 0;
    Vec3 lower{}, upper{};
    std::optional<PourPlan> pour{};
};

/// One row of a particle file.
struct ListedParticle {
    Vec3 position, velocity, angular_velocity;
    double radius;      ///< [m]; of an ellipsoid the largest semi-axis, of others farthest()
    double mass = 0.0;  ///< [kg]; 0: from the density of the material
    Vec3 semi_axes{};   ///< of an ellipsoid [m]
    /// Orientation of an ellipsoid, body to space; none: that of its group.
    std::optional<shapes::Quaternion> orientation{};
    /// Exponents of a superellipsoid; none: those of its group.
    std::optional<shapes::Exponents> exponents{};
};
struct ListedPlaces {
    std::vector<ListedParticle> particles;
};

enum class GroupShape : std::uint8_t { sphere, ellipsoid, superellipsoid, clump };

/// One [[particles]].
struct Group {
    std::variant<CrystalPlaces, OnePlace, RandomPlaces, ListedPlaces> places;
    GroupShape shape = GroupShape::sphere;
    /// [m]; of an ellipsoid the largest semi-axis, of others the radius of the sphere around the
    /// centre that holds them. Listed particles have their own.
    double radius = 0.0;
    Vec3 semi_axes{};  ///< of an ellipsoid or superellipsoid [m]; listed particles have their own
    shapes::Exponents exponents{};  ///< of a superellipsoid; listed particles may have their own
    std::shared_ptr<const shapes::Clump> clump{};
    shapes::Quaternion orientation{};  ///< unit, body to space
    bool random_orientation = false;   ///< of each particle, in place of `orientation`
    std::optional<double>
        mass;  ///< of a particle with that radius [kg]; without it, from the density
    std::optional<double> length;  ///< of cylinders along z [m]; none: spheres
    std::string material;
    double disorder = 0.0;             ///< relative standard deviation of the radius
    std::optional<RadiusLaw> radii{};  ///< of random places; `radius` is the mean
    std::uint64_t seed = 0;
    Vec3 velocity{};                      ///< [m/s]; added to that of a listed particle
    Vec3 angular_velocity{};              ///< [rad/s]; added likewise
    bool fixed = false;                   ///< held in place
    std::optional<double> temperature{};  ///< at the start [K]; none: that of the scenario

    /// A double, because the product of the given cells may exceed any integer type.
    double particles() const;
    /// Volume over that of a sphere of this radius [-]; of listed particles 1.
    double filled_part() const {
        if (shape == GroupShape::sphere || !(radius > 0.0)) return 1.0;
        if (clump)
            return clump->volume / (std::numbers::pi * (4.0 / 3.0) * radius * radius * radius);
        if (exponents != shapes::Exponents{}) {
            const Vec3 over = semi_axes * (1.0 / radius);
            return volume(shapes::Superellipsoid{{.semi_axes = over}, exponents}) /
                   (std::numbers::pi * (4.0 / 3.0));
        }
        return semi_axes.x / radius * (semi_axes.y / radius) * (semi_axes.z / radius);
    }
};

enum class WallKind { plane, cylinder, disc, cone, mesh };

/// The triangles of a file, and how they are placed.
struct MeshPlan {
    std::vector<Corners> triangles;  ///< in the units of the file
    double scale = 1.0;              ///< [m per unit of the file]
    Vec3 rotation{};  ///< about the origin of the file, by its length, at the start [rad]
    double feature_angle = TriangleSurface::usual_feature_angle;  ///< [rad]

    /// Scaled and rotated [m].
    std::vector<Corners> placed() const;
};

/// The load that pushes a wall with a mass.
struct LoadPlan {
    double mass = 0.0;             ///< [kg]
    double force = 0.0;            ///< [N]
    double pressure = 0.0;         ///< [Pa], on `area`
    double area = 0.0;             ///< [m^2]; in the plane the length of the wall [m]
    double target_velocity = 0.0;  ///< [m/s]
    double gain = 0.0;             ///< [N s/m]
    double start = 0.0;            ///< [s]
};

struct WallPlan {
    WallKind kind = WallKind::plane;
    Vec3 point{};
    Vec3 normal{};  ///< of any length above 0; the axis of a cylinder or cone
    double radius = 0.0, inner_radius = 0.0, end_radius = 0.0;  ///< [m]
    std::optional<double> length;                               ///< [m]
    double angular_velocity = 0.0;                              ///< [rad/s]
    std::optional<LoadPlan> load;
    Vec3 velocity{};
    std::string material;
    std::optional<stepping::Drive> drive;
    std::optional<double> temperature;  ///< held [K]; none: insulated
    MeshPlan mesh;
};

/// One [[pair]]: contacts of two materials. What is not given is as in all other contacts.
struct PairPlan {
    std::array<std::string, 2> materials;
    laws::Settings law;                                 ///< complete
    std::optional<double> friction, rolling, twisting;  ///< coefficients [-]
    std::optional<double> static_friction;              ///< [-]
    /// The coefficient over the slip speed [m/s], [-], [s/m].
    std::optional<double> stribeck_speed, stribeck_exponent, viscous_friction;
    /// As in laws::Friction; one that is given replaces that of all other contacts.
    std::optional<double> damping, damping_ratio, damping_factor, normal_damping_factor;
};

WallShape shape_of(const WallPlan& plan);

/// [measure]
struct Measures {
    std::optional<double> interval;    ///< [s]; none: a thousandth of the run
    std::optional<Vec3> lower, upper;  ///< of the region [m]; none: the whole packing
    std::optional<FieldGrid> grid;
};

struct Scenario : scenario::Common {
    int dimension = 3;
    Precision precision = Precision::full;
    Place place = Place::host;
    std::vector<Group> groups;
    std::vector<WallPlan> walls;
    Box box;
    Vec3 gravity{};
    laws::Friction friction;
    laws::Rolling rolling;
    std::vector<PairPlan> pairs;
    std::vector<Exit> exits;
    ElementPlans elements;
    std::optional<Measures> measures;
    std::optional<PressPlan> press;
    bool impacts = false;            ///< the history has a row for each impact
    std::optional<laws::Wear> wear;  ///< of the walls
    std::optional<double> heat;      ///< temperature at the start [K]; none: not followed

    /// Whether something is known contact by contact.
    bool knows_contacts() const { return dissipation.any() || impacts || wear || heat; }

    /// The first table that asks for it.
    const char* asks_for_contacts() const {
        return dissipation.any() || impacts ? "dissipation" : wear ? "wear" : "heat";
    }

    double particle_count() const;

    /// Whether the particles are parallel cylinders, which touch along lines and need a line law.
    bool has_line_contacts() const { return !groups.empty() && groups.front().length; }
};

/// Memory that a run of the scenario needs at most, packing and engine [bytes]. The laws come from
/// `packing`, which may be a smaller packing of the same groups.
double memory_needed(const Scenario& scenario, const Packing& packing);

/// Throws InputError, with the place in the file, if the packing cannot be built or needs more
/// memory than this machine has. `ranks` share the checks of the particles (validate()); each
/// builds all of the packing; null: one process.
Packing build_packing(const Scenario& scenario, ranks::Communicator* ranks = nullptr);

}  // namespace beadwave::packing
