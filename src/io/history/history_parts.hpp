// What histories of chains and of packings have alike, and does not change while a run goes on.
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/history/h5md.hpp"
#include "io/history/history_file.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace beadwave::io {

/// The group /parameters, with all that a RunDescription says.
hdf5::Group write_run(const hdf5::File& file, const RunDescription& run);

/// 0, 1, ..., count - 1; or, if not `here`, for others to write.
void write_ids(const hdf5::Group& beads, hsize_t count, bool here = true);

/// An enumeration: integers for programs, material names for people. `here` as above.
void write_species(const hdf5::Group& beads, std::span<const std::string> names, hsize_t count,
                   const std::function<int(std::size_t)>& species, bool here = true);

/// Which beads or particles the sensors are in: a dataset beside the values, and as long as all
/// readers can take it (HDF5's classic attributes end at 64 KiB) an attribute of them.
void write_sensor_numbers(const hdf5::File& file, const h5md::Series& sensors,
                          const std::string& name, std::span<const std::int64_t> numbers);

}  // namespace beadwave::io
