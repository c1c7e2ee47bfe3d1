// Beads in a row and the contacts between them, ready to run.
//
// Contact c is between bead c-1 and bead c; contact 0 is bead 0's with the left wall, contact N the
// last bead's with the right wall. A contact that cannot close has an infinite gap.
#pragma once

#include "beadwave/chain/contacts.hpp"
#include "beadwave/chain/elements.hpp"
#include "beadwave/chain/small_index.hpp"
#include "beadwave/stepping/drive.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::chain {

/// The part of a chain that one of several processes holds, by bead numbers of the whole chain: its
/// own beads, and on either side copies of some beads of its neighbours.
struct Partition {
    ranks::Communicator* ranks;  ///< of the processes that share the chain
    std::size_t total;           ///< beads of the whole chain
    std::size_t begin, end;      ///< its own beads: [begin, end)
    std::size_t first, last;     ///< all beads that it holds: [first, last)
};

/// A constant force on one bead [N], towards higher bead numbers.
struct Load {
    std::size_t bead;
    double force;
};

struct Chain {
    // per bead
    std::vector<double> radius;              ///< [m]
    std::vector<double> mass;                ///< [kg]
    std::vector<double> velocity;            ///< at the start [m/s]
    std::vector<double> displacement{};      ///< at the start [m]; empty: all 0
    SmallIndex species;                      ///< index into species_names
    std::vector<std::string> species_names;  ///< materials in order of appearance

    // per contact: beads + 1
    std::vector<double>
        gap;  ///< without displacements [m]; negative = compressed; +infinity = never closes
    Contacts contacts;

    bool left_fixed = false, right_fixed = false;  ///< the end bead never moves
    std::optional<stepping::Drive> left_drive,
        right_drive;       ///< of the whole chain's walls; none: at rest
    double gravity = 0.0;  ///< [m/s^2]
    std::vector<Load> loads;
    Elements elements;  ///< what beads carry

    /// None: this process holds the whole chain. Otherwise index 0 of the arrays above is bead
    /// `first` of the whole chain. Where the chain continues on another process, the outermost
    /// contact here never closes.
    std::optional<Partition> partition;

    std::size_t beads() const { return mass.size(); }  ///< on this process
    std::size_t total() const { return partition ? partition->total : beads(); }
    std::size_t first() const {
        return partition ? partition->first : 0;
    }  ///< number of the first bead on this process
    /// The own beads of this process, without copies, by their indices here.
    std::size_t own_begin() const { return partition ? partition->begin - partition->first : 0; }
    std::size_t own_end() const { return partition ? partition->end - partition->first : beads(); }
    /// Null: this process holds the whole chain.
    ranks::Communicator* ranks() const { return partition ? partition->ranks : nullptr; }

    /// Centres of the beads on this process at the start; bead 0 of the whole chain is at 0 [m].
    std::vector<double> positions() const;
    /// Centres at the start [m] of beads given by their numbers, on whichever process they are.
    std::vector<double> positions(std::span<const std::int64_t> chosen) const;
    /// The gap of a contact with the displacements at the start, where walls have none [m].
    double start_gap(std::size_t contact) const {
        if (displacement.empty()) return gap[contact];
        const double left = contact > 0 ? displacement[contact - 1] : 0.0;
        const double right = contact < beads() ? displacement[contact] : 0.0;
        return gap[contact] - (left - right);
    }
    /// Effective mass of a contact [kg]; 0 where there is no contact.
    double effective_mass(std::size_t contact) const { return contacts.effective_mass(contact); }
    bool is_fixed(std::size_t bead) const {
        return (left_fixed && bead == 0) || (right_fixed && bead + 1 == beads());
    }
    bool is_driven(std::size_t bead) const { return elements.drives(bead); }
    /// Fixed or driven: forces do not move it.
    bool is_held(std::size_t bead) const { return is_fixed(bead) || is_driven(bead); }
};

}  // namespace beadwave::chain
