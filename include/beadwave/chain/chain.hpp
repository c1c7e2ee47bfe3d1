// Beads in a row and the contacts between them, ready to run.
//
// Contact c is between bead c-1 and bead c; contact 0 is bead 0's with the left wall, contact N the
// last bead's with the right wall. A contact that cannot close has an infinite gap.
#pragma once

#include "beadwave/chain/contacts.hpp"
#include "beadwave/chain/drive.hpp"
#include "beadwave/chain/small_index.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::ranks {
class Ranks;
}

namespace beadwave::chain {

/// What one of several processes holds of a chain, by numbers of the whole chain's beads: its own
/// ones, and copies of some of its neighbours' on either side.
struct Share {
    ranks::Ranks* ranks;      ///< those that hold the chain together
    std::size_t total;        ///< beads of the whole chain
    std::size_t begin, end;   ///< its own: [begin, end)
    std::size_t first, last;  ///< all that it holds: [first, last)
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
    SmallIndex species;                      ///< index into species_names
    std::vector<std::string> species_names;  ///< materials in order of appearance

    // per contact: beads + 1
    std::vector<double> gap;  ///< at the start [m]; negative = compressed; +infinity = never closes
    Contacts contacts;

    bool left_fixed = false, right_fixed = false;  ///< the end bead never moves
    std::optional<Drive> left_drive, right_drive;  ///< of the whole chain's walls; else they rest
    double gravity = 0.0;                          ///< [m/s^2]
    std::vector<Load> loads;

    /// None: the whole chain is here. Else bead 0 of all above is bead `first` of the whole; where
    /// others' beads go on, the outermost contact here never closes.
    std::optional<Share> share;

    std::size_t beads() const { return mass.size(); }  ///< here
    std::size_t total() const { return share ? share->total : beads(); }
    std::size_t first() const {
        return share ? share->first : 0;
    }  ///< number of the first one here
    /// The beads that are no copies of others', by their places here.
    std::size_t own_begin() const { return share ? share->begin - share->first : 0; }
    std::size_t own_end() const { return share ? share->end - share->first : beads(); }
    /// Null: the whole chain is here.
    ranks::Ranks* ranks() const { return share ? share->ranks : nullptr; }

    /// Of the centres of the beads here at the start; the whole chain's bead 0 at 0 [m].
    std::vector<double> positions() const;
    /// The same of beads chosen by their numbers, whoever holds them.
    std::vector<double> positions(std::span<const std::int64_t> chosen) const;
    /// Of a contact [kg]; 0 where there is none.
    double effective_mass(std::size_t contact) const { return contacts.effective_mass(contact); }
    bool is_fixed(std::size_t bead) const {
        return (left_fixed && bead == 0) || (right_fixed && bead + 1 == beads());
    }
};

}  // namespace beadwave::chain
