// The wear of the walls of a packing at the samples of the energy, of their triangles at snapshots.
#pragma once

#include "laws/wear.hpp"
#include "packing/packing_engine.hpp"
#include "packing/walls/triangle_numbers.hpp"
#include "recording/stream.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::running {

/// The volume worn off each wall since the start [m^3].
std::vector<double> worn_volumes(const laws::Wear& wear, const packing::PackingEngine& engine);

/// The depth worn off each triangle of all meshes since the start: volume over area [m].
std::vector<double> worn_depths(const laws::Wear& wear, const packing::PackingEngine& engine,
                                const packing::TriangleNumbers& triangles);

/// `worn` must outlive the stream. `walls`: their number.
recording::Stream wear_stream(const std::vector<double>& worn, std::size_t walls);
/// `numbers`, one per triangle, must outlive the stream.
recording::Stream triangle_stream(const char* path, const char* unit,
                                  const std::vector<double>& numbers, std::size_t triangles);

}  // namespace beadwave::running
