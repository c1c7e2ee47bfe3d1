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

/// In the order of Elements::bonds. On all ranks together.
std::vector<BondState> intact_bonds(const packing::Packing& packing,
                                    const packing::PackingEngine& engine);

std::vector<packing::Vec3> displacements(const std::vector<packing::WallMotion>& walls);  ///< [m]

/// The state of a packing that the measures read.
struct MeasuredState {
    MeasuredState(const packing::Packing& packing, const packing::PackingEngine& engine);

    const packing::Packing& packing;
    std::vector<packing::WallMotion> walls;
    std::vector<packing::Vec3> velocity;  ///< in a box that strains relative to the affine motion
    std::vector<packing::ContactState> contacts;
    std::vector<BondState> bonds;                 ///< those that are intact
    std::vector<shapes::Quaternion> orientation;  ///< empty: all particles are spheres
    packing::RegionBounds region;
    std::vector<char> inside;  ///< of each particle: it is in the region
    double particles = 0.0;    ///< in the region
    double volume;             ///< [m^3]; in the plane [m^2]
};

/// Stress by contacts alone, not symmetrised [Pa]; in the plane [N/m], like the next three.
Tensor contact_stress(const MeasuredState& state);
/// Stress by the forces of bonds alone, not symmetrised.
Tensor bond_stress(const MeasuredState& state);
Tensor kinetic_stress(const MeasuredState& state);
/// The symmetric part of the sum of these three stresses.
Tensor stress(const MeasuredState& state);

/// Volume of the particles over that of the region; in the plane of their circles. Overlaps count
/// twice, and a particle counts as a whole.
double volume_fraction(const MeasuredState& state);

/// Contacts per particle; one with a wall counts for its particle. Bonds are no contacts, here and
/// in the fabric.
double coordination_number(const MeasuredState& state);

/// Mean of n_i n_j over the contacts of the particles; of trace 1, zero without contacts.
Tensor fabric(const MeasuredState& state);

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
WallMeasures wall_measures(const MeasuredState& state);

}  // namespace beadwave::observers
