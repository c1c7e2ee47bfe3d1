// Stress and structure of a packing at present, in its region (packing/build/region.hpp).
//
// Stress is that of Love and Weber with the kinetic part (Christoffersen, Mehrabadi and
// Nemat-Nasser, J. Appl. Mech. 48 (1981) 339-344):
//
//     sigma_ij = 1/V [ sum over particles, their contacts and bonds f_i l_j
//                      - sum over particles m v_i v_j ]
//
// f: force on the particle; l: from its centre to the point where it acts; v: velocity relative to
// that of the centre of mass; V: volume of the region, in the plane its area. Compression is
// negative. The sum is over the particles whose centres are in the region; over all particles l of
// a pair adds up to the branch between the centres.
//
// Bonds have moments too, which are not in this sum: they make a couple stress. Of a particle that
// does not begin to turn, the moments of its forces f x l are balanced by those of its bonds, so
// that the stress of contacts and bonds may have an antisymmetric part: it is the moments that act
// on the region from outside, over its volume.
#pragma once

#include "packing/build/region.hpp"
#include "packing/packing_engine.hpp"

#include <array>
#include <vector>

namespace beadwave::observers {

/// Row by row.
using Tensor = std::array<double, 9>;

/// An intact bond.
struct BondState {
    std::size_t first, second;  ///< particles
    packing::Vec3 point;        ///< where the forces act, relative to the centre of `first` [m]
    packing::Vec3 branch;       ///< from the centre of `first` to that of `second` [m]
    packing::Vec3 force;        ///< on `first` [N]
};

struct MovingParticle {
    packing::Vec3 displacement, velocity;  ///< [m], [m/s]
};

/// Those of PackingEngine::own_numbers(), in their order. On all ranks together.
std::vector<MovingParticle> moving_particles(const packing::PackingEngine& engine);

/// In the order of Elements::bonds. On all ranks together.
std::vector<BondState> intact_bonds(const packing::Packing& packing,
                                    const packing::PackingEngine& engine);

std::vector<packing::Vec3> displacements(const std::vector<packing::WallMotion>& walls);  ///< [m]

/// Sums over the contacts of the particles in a region, where one of two of them counts twice, in
/// the order of the contacts.
struct ContactSums {
    Tensor forces{};                   ///< of f_i l_j [J]
    Tensor normals{};                  ///< of n_i n_j
    double sides = 0.0;                ///< their number
    std::vector<packing::Vec3> walls;  ///< force on each wall, by all its contacts [N]
};

/// What is summed of a packing in its region, in the order of one process: motion and contacts come
/// to the first rank piece by piece. No rank has all of them at once.
struct RegionSums {
    /// On all ranks together; the sums are on the first one. Null: there is one rank.
    RegionSums(const packing::Packing& packing, const packing::PackingEngine& engine,
               ranks::Communicator* ranks = nullptr);

    const packing::Packing& packing;
    std::vector<packing::WallMotion> walls;
    std::vector<BondState> bonds;  ///< those that are intact
    packing::RegionBounds region;
    double volume;  ///< [m^3]; in the plane [m^2]
    /// Of each particle of PackingEngine::own_numbers(): it is in the region.
    std::vector<char> own_inside;
    packing::ParticleColumn<char> inside;  ///< the same of all
    double particles = 0.0;                ///< in the region
    double solid = 0.0;                    ///< their volume; in the plane their area
    Tensor kinetic{};                      ///< of -m v_i v_j [J]
    ContactSums contacts;
    packing::Vec3 low, high;  ///< the corners of the box around these particles [m]
};

/// What the measures are computed from.
struct MeasuredState : RegionSums {
    /// As RegionSums.
    MeasuredState(const packing::Packing& packing, const packing::PackingEngine& engine,
                  ranks::Communicator* ranks = nullptr);

    std::vector<shapes::Quaternion> orientation;  ///< empty: all particles are spheres
    double rattlers;
};

/// Stress by contacts alone, not symmetrised [Pa]; in the plane [N/m], like the next three.
Tensor contact_stress(const RegionSums& sums);
/// Stress by the forces of bonds alone, not symmetrised.
Tensor bond_stress(const RegionSums& sums);
Tensor kinetic_stress(const RegionSums& sums);
/// The symmetric part of the sum of these three stresses.
Tensor stress(const RegionSums& sums);

/// Volume of the particles over that of the region; in the plane of their circles. Overlaps count
/// twice, and a particle counts as a whole.
double volume_fraction(const RegionSums& sums);

/// Contacts per particle; one with a wall counts for its particle. Bonds are no contacts, here and
/// in the fabric.
double coordination_number(const RegionSums& sums);

/// Mean of n_i n_j over the contacts of the particles; of trace 1, zero without contacts.
Tensor fabric(const RegionSums& sums);

/// Number of particles, not fixed, that carry no force: with fewer than two contacts in the plane,
/// three in space, where contacts with rattlers do not count. A bond holds as many contacts do.
double rattlers(const MeasuredState& state);

/// The measures in the summary of a run. Along axes without bounds its region reaches from the
/// lowest to the highest point of any particle. NaN without particles.
struct EndMeasures {
    Tensor stress{};  ///< [Pa]; in the plane [N/m]
    double coordination = 0.0, volume_fraction = 0.0;
};
/// The measures at the end of a run. On all ranks together; the first one gets them.
EndMeasures end_measures(const packing::Packing& packing, const packing::PackingEngine& engine,
                         ranks::Communicator* ranks = nullptr);

/// Position, velocity and force of each wall.
struct WallMeasures {
    std::vector<packing::Vec3> position;  ///< its point [m]
    std::vector<packing::Vec3> velocity;  ///< of this point [m/s]
    std::vector<packing::Vec3> force;     ///< of the particles on the wall [N]
};
WallMeasures wall_measures(const RegionSums& sums);

}  // namespace beadwave::observers
