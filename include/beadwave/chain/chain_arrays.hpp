// A chain from arrays, for callers that have numbers and no scenario file.
//
// Contact c is between bead c-1 and bead c; contact 0 is bead 0's with the left wall, contact N the
// last bead's with the right wall.
#pragma once

#include "beadwave/argument_error.hpp"
#include "beadwave/chain/chain.hpp"
#include "beadwave/laws/any_law.hpp"
#include "beadwave/stepping/drive.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace beadwave::chain {

struct ChainArrays {
    // one number per bead
    std::vector<double> radius;      ///< [m], above 0
    std::vector<double> mass;        ///< [kg], above 0
    std::vector<double> velocity{};  ///< at the start [m/s]; empty: all at rest

    // one number per contact: beads + 1
    /// At the start [m]; negative = compressed, at most by the smaller radius; +infinity at an end
    /// = no wall. Empty: the beads just touch and there are no walls.
    std::vector<double> gap{};
    std::vector<std::size_t> law{};  ///< index into `laws`; empty: the first law everywhere

    std::vector<laws::AnyLaw> laws;  ///< at least one; all of one type

    bool left_fixed = false, right_fixed = false;  ///< the end bead never moves; it has no wall
    std::optional<stepping::Drive> left_drive{}, right_drive{};  ///< of the wall at that end
    double gravity = 0.0;       ///< [m/s^2], towards higher bead numbers
    std::vector<Load> loads{};  ///< constant forces on beads [N]
    Elements elements{};        ///< what beads carry
};

/// The chain exactly as given: no static equilibrium is computed. Throws ArgumentError.
Chain make_chain(const ChainArrays& arrays);

}  // namespace beadwave::chain
