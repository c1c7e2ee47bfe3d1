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

namespace beadwave::chain {

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
    std::optional<Drive> left_drive, right_drive;  ///< of the wall at that end; else it rests
    double gravity = 0.0;                          ///< [m/s^2]
    std::vector<Load> loads;

    std::size_t beads() const { return mass.size(); }
    /// Of the centres at the start, bead 0 at 0 [m].
    std::vector<double> positions() const;
    /// The same of chosen beads.
    std::vector<double> positions(std::span<const std::int64_t> chosen) const;
    /// Of a contact [kg]; 0 where there is none.
    double effective_mass(std::size_t contact) const { return contacts.effective_mass(contact); }
    bool is_fixed(std::size_t bead) const {
        return (left_fixed && bead == 0) || (right_fixed && bead + 1 == beads());
    }
};

}  // namespace beadwave::chain
