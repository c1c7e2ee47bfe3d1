// What does not change during a run: written once, before the samples.
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/history/h5md.hpp"
#include "io/history/history_store.hpp"
#include "recording/stream.hpp"

#include <vector>

namespace beadwave::io {

/// The group /parameters, without its datasets that the description lists.
void write_run(const hdf5::File& file, const RunDescription& run, const std::string& system);

/// The group of the bodies with its box, and the constants. Of shared constants only the space: the
/// ranks write the values.
void write_constants(const hdf5::File& file, const recording::Description& description);

/// The numbers of the bodies that have a sensor, beside their channels.
void write_sensor_numbers(const hdf5::File& file, const recording::Description& description,
                          const recording::Stream& stream, const h5md::Series& series);

}  // namespace beadwave::io
