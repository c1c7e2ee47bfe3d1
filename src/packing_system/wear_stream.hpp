// The wear of the walls of a packing, at the samples of the energy.
#pragma once

#include "laws/wear.hpp"
#include "packing/packing_engine.hpp"
#include "recording/stream.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::running {

/// Of each wall since the start [m^3].
std::vector<double> worn_volumes(const laws::Wear& wear, const packing::PackingEngine& engine);

/// `worn` must outlive the stream. `walls`: their number.
recording::Stream wear_stream(const std::vector<double>& worn, std::size_t walls);

}  // namespace beadwave::running
