// Force traces measured in a laboratory, from CSV.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace beadwave::io {

struct MeasuredTraces {
    std::vector<double> time;                ///< strictly increasing [s]
    std::vector<std::vector<double>> force;  ///< one trace a sensor, as long as `time` [N]
};

/// Reads a time column and one force column a sensor, in the order of sensors.beads; one header
/// line and lines beginning with '#' are allowed. Throws InputError with file, line and column.
MeasuredTraces read_measured_traces(const std::filesystem::path& file, std::size_t sensors);

}  // namespace beadwave::io
