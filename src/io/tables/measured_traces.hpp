// Force traces measured in a laboratory, from CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace beadwave::io {

struct MeasuredTraces {
    std::vector<double> time;                ///< strictly increasing [s]
    std::vector<std::vector<double>> force;  ///< one trace a column, as long as `time` [N]
    std::vector<std::size_t> sensors;        ///< whose column it is, as a place in the list
};

/// Reads a time column and one force column a sensor, in the order of sensors.beads; one header
/// line and lines beginning with '#' are allowed. Throws InputError with file, line and column.
MeasuredTraces read_measured_traces(const std::filesystem::path& file, std::size_t sensors);

/// The same of these beads or particles. A header whose cells all name one ("bead 9", "particle_9")
/// says whose each column is, and then some sensors may be missing.
MeasuredTraces read_measured_traces(const std::filesystem::path& file,
                                    std::span<const std::int64_t> sensors);

}  // namespace beadwave::io
