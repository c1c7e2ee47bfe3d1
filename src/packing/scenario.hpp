// A packing as a person describes it, in SI units: what to build and how to run it. Plain data; io
// reads it from TOML, build_packing() turns it into particles.
#pragma once

#include "packing/lattices.hpp"
#include "packing/packing.hpp"
#include "scenario/common.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace beadwave::packing {

/// At the places of a lattice.
struct CrystalPlaces {
    Lattice lattice = Lattice::fcc;
    std::array<std::int64_t, 3> cells{1, 1, 1};
    Vec3 origin{};
    double overlap = 0.0;  ///< of touching neighbours [m]
};

struct OnePlace {
    Vec3 position{};
};

/// At random between two corners, none touching another of the group.
struct RandomPlaces {
    std::int64_t particles = 0;
    Vec3 lower{}, upper{};
};

/// As a file lists them.
struct ListedParticle {
    Vec3 position, velocity, spin;
    double radius;
};
struct ListedPlaces {
    std::vector<ListedParticle> particles;
};

/// One [[particles]].
struct Group {
    std::variant<CrystalPlaces, OnePlace, RandomPlaces, ListedPlaces> places;
    double radius = 0.0;         ///< [m]; of a listed one its own
    std::optional<double> mass;  ///< of a particle with that radius [kg]; else by density
    std::string material;
    double disorder = 0.0;  ///< relative standard deviation of the radius
    std::uint64_t seed = 0;
    Vec3 velocity{};     ///< [m/s]; of a listed one added to its own
    Vec3 spin{};         ///< [rad/s]; likewise
    bool fixed = false;  ///< held in place

    /// A double: cells may be given whose product no integer holds.
    double particles() const;
};

struct WallPlan {
    Vec3 point{};
    Vec3 normal{};  ///< of any length above 0
    Vec3 velocity{};
    std::string material;
    std::optional<chain::Drive> drive;
};

struct Scenario : scenario::Common {
    int dimension = 3;
    std::vector<Group> groups;
    std::vector<WallPlan> walls;
    Box box;
    Vec3 gravity{};
    laws::Friction friction;
    laws::Rolling rolling;

    double particle_count() const;
};

/// What a run of the scenario takes at most, packing and engine [bytes]; of the packing, which may
/// be a smaller one of the same groups, it asks the laws.
double memory_needed(const Scenario& scenario, const Packing& packing);

/// Throws InputError, with the place in the file, for what cannot be built; also for more particles
/// than this machine's memory can hold.
Packing build_packing(const Scenario& scenario);

}  // namespace beadwave::packing
