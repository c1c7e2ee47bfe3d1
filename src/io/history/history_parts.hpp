// The parts of a history that all systems share and that do not change during a run.
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/history/h5md.hpp"
#include "io/history/history_file.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace beadwave::io {

/// The group /parameters with the run's description. `system` is "chain", "packing" or "mechanism".
hdf5::Group write_run(const hdf5::File& file, const RunDescription& run, const std::string& system);

/// The numbers 0, 1, ..., count - 1. If not `here`, only the space for them: others write them.
void write_ids(const hdf5::Group& beads, hsize_t count, bool here = true);

/// An enumeration: integers for programs, names of materials for people. `here` as above.
void write_species(const hdf5::Group& beads, std::span<const std::string> names, hsize_t count,
                   const std::function<int(std::size_t)>& species, bool here = true);

/// The numbers of the beads or particles that have sensors: a dataset in the groups of the sensors'
/// quantities. Up to 4,000 of them are also an attribute of the values, because attributes of
/// HDF5's classic format end at 64 KiB.
void write_sensor_numbers(const hdf5::File& file, const h5md::Series& sensors,
                          const std::string& name, std::span<const std::int64_t> numbers);

}  // namespace beadwave::io
