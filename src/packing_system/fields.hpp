// Fields of a packing on a grid, by coarse graining: Goldhirsch, Granular Matter 12 (2010) 239-252.
// Each cell has the mean over the cell of
//
//     density           rho      = sum over particles m phi(r - r_i)
//     velocity          V        = sum over particles m v phi(r - r_i) / rho
//     contact stress    sigma_ij = sum over contacts f_i b_j I,  I = int_0^1 phi(r - r_1 - s b) ds
//     bond stress                = sum over intact bonds f_i b_j I
//     kinetic stress             = -sum over particles m (v - V)_i (v - V)_j phi(r - r_i)
//     force of walls    t        = sum over contacts with walls f phi(r - c)
//     dissipation                = sum over particles D phi(r - r_i)
//
// phi: the kernel (field_kernel.hpp); f: force on the first particle; b: from its centre to that of
// the second, or to the contact point c on a wall. Compression is positive. V is the mean velocity
// of the mass in a cell, in a box that strains with the affine motion, and the periodic images have
// the velocities that they have there. With these the momentum balances, also near walls, where
// sigma is the sum of the three stresses (of moments of bonds: packing_measures.hpp):
//
//     d(rho V)_i/dt = -d/dr_j (rho V_i V_j - sigma_ij) + rho g_i + t_i
//
// apart from what holds, drives or loads single particles, and from pistons that accelerate.
//
// D is what the contacts of a particle have dissipated since the start: half of each, and all of
// one with a wall. It goes with the particle; over all cells it adds up to the entries of the
// ledger.
//
// Particles near a wall reach beyond it: within the reach of the kernel the density falls, and what
// lies outside of the region is in no cell.
#pragma once

#include "packing/contacts/contact_dissipation.hpp"
#include "packing_system/packing_measures.hpp"
#include "packing_system/spreading.hpp"
#include "recording/stream.hpp"

#include <memory>
#include <span>
#include <vector>

namespace beadwave::observers {

/// One thing of the packing that contributes to the cells around it.
struct FieldSource {
    const MeasuredState& state;
    std::size_t particle = 0;
    /// Velocity of the particle [m/s]; for fluctuations relative to the velocity of the cell.
    packing::Vec3 velocity{};
    double contacts = 0.0;                   ///< of the particle
    packing::DissipationParts dissipated{};  ///< by the particle since the start [J]
    /// A contact or bond: force on its first particle [N], from whose centre its line goes [m].
    packing::Vec3 force{}, line{};
};

/// One field, in the dataset /observables/NAME. To add one, add a row to fields.cpp: histories,
/// memory and Python then have it.
struct FieldQuantity {
    enum class Of {
        particles,      ///< sum of value * phi over the particles
        dissipation,    ///< the same, where dissipation is known
        mass_mean,      ///< sum of value * phi over the sum of mass * phi
        number_mean,    ///< sum of value * phi over the sum of phi
        fluctuations,   ///< sum over the particles, with velocities relative to that of the cell
        contacts,       ///< sum over the contacts, spread over the line of each
        bonds,          ///< sum over the intact bonds, spread over the line of each
        wall_contacts,  ///< sum over the contacts with walls, spread around the contact point
    };
    const char* name;
    const char* unit;  ///< H5MD's spelling
    const char* unit_in_plane;
    std::vector<std::size_t> shape;  ///< in each cell
    Of of;
    void (*value)(const FieldSource& source, std::span<double> out);

    std::size_t size() const {
        std::size_t all = 1;
        for (const std::size_t extent : shape)
            all *= extent;
        return all;
    }
};

const std::vector<FieldQuantity>& field_quantities();

class Fields {
  public:
    /// Without walls there is no field of their contacts, without bonds none of bonds.
    /// `dissipation`: the engine knows PackingEngine::dissipation().
    Fields(const packing::FieldGrid& grid, const packing::Packing& packing,
           bool dissipation = false);

    /// Computes all, from sums in the order of particles and contacts, which come to the first rank
    /// piece by piece. On all ranks together; only the first one has the result. Null: there is one
    /// rank.
    void take(const MeasuredState& state, const packing::PackingEngine& engine,
              ranks::Communicator* ranks = nullptr);

    /// The numbers of the last take(), cell by cell (z fastest), with all components; empty: there
    /// is no field of this name.
    std::span<const double> numbers(std::string_view name) const;
    /// The middles of the cells along an axis [m].
    const std::vector<double>& places(std::size_t axis) const { return place_[axis]; }
    double cell_volume() const { return cell_volume_; }  ///< [m^3]; in the plane [m^2]

    /// The channels that are recorded. The fields must outlive them.
    std::vector<recording::Channel> channels() const;

  private:
    struct Field {
        const FieldQuantity* quantity;
        std::vector<double> numbers;
    };
    void add_particles(const MeasuredState& state, const packing::PackingEngine& engine,
                       const std::vector<std::uint32_t>& contacts,
                       const std::vector<packing::DissipationParts>& dissipated,
                       Spreading& spreading, ranks::Communicator* ranks);
    /// Some of the contacts.
    void add_contacts(const MeasuredState& state, std::span<const packing::ContactState> some,
                      const std::vector<packing::Vec3>& moved, Spreading& spreading);
    void add_bonds(const MeasuredState& state, const std::vector<packing::Vec3>& moved,
                   Spreading& spreading);
    /// Spreads each field of this kind over a line.
    void add_line(FieldQuantity::Of of, const FieldSource& source, const packing::Vec3& from,
                  const packing::Vec3& way, Spreading& spreading);

    packing::FieldGrid grid_;
    std::size_t dimension_;
    bool dissipation_;
    std::vector<Field> fields_;
    std::array<std::vector<double>, 3> place_;
    double cell_volume_ = 0.0;
};

}  // namespace beadwave::observers
