// MODES.h5: the modes of a system for the report and other programs. docs/HISTORY.md lists its
// datasets.
#pragma once

#include "io/files/output_path.hpp"
#include "modes/modes.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::modes {

/// All that `beadwave modes` computes.
struct Analysis {
    std::string system;         ///< "chain" or "packing"
    std::size_t dimension = 1;  ///< components of a displacement
    std::string scenario_text;
    std::vector<std::int64_t> body;               ///< numbers of the bodies that move
    std::vector<std::array<double, 3>> position;  ///< of these [m]
    Modes modes;
    /// The density of states of all modes; none: only the lowest were computed.
    std::optional<DensityOfStates> density;
    std::optional<Dispersion> dispersion;
    std::optional<Transfer> transfer;

    /// Numbers of a shape per body.
    std::size_t components() const { return body.empty() ? 0 : modes.freedoms / body.size(); }
};

/// Throws InputError as write() does if no file can be written there.
void check(const io::Output& output);

/// Throws InputError as io::AtomicFile does, std::runtime_error if it cannot be written.
void write(const io::Output& output, const Analysis& analysis);

}  // namespace beadwave::modes
