// Measured force traces, read from CSV.
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
    std::vector<std::vector<double>> force;  ///< one trace per column, as long as `time` [N]
    std::vector<std::size_t>
        sensors;  ///< the sensor of each trace, as an index into the list of sensors
    std::vector<std::size_t> columns{};  ///< of each trace in the file; the time is column 1
    /// As `force`: the factor of each squared residual, which is proportional to 1/variance; empty
    /// without columns of weights. Not negative.
    std::vector<std::vector<double>> weight{};
    std::string unit = "N";              ///< of the readings, `force`: "V" or "mV" if these may be
    std::vector<std::string> skipped{};  ///< columns that name no sensor, beside some that do
};

/// What the columns may hold: forces in N, or the readings in V or mV of sensors whose gains are
/// known apart.
enum class Readings { forces, voltages_too };

/// Reads a time column and one force column per sensor, in the order of sensors.beads. Columns are
/// separated by commas, semicolons, tabs or blanks; without commas between them numbers may have
/// decimal commas. Header lines, and comments of trace_lines.hpp, are allowed, and the forms of
/// oscilloscope_rows.hpp. Throws InputError with file, line and column, also for a number that
/// is missing and for a header with other units than s and N.
MeasuredTraces read_measured_traces(const std::filesystem::path& file, std::size_t sensors);

/// Reads the columns of these beads or particles. If all cells of the header name one ("bead 9",
/// "particle_9"), the header assigns the columns to the sensors, and some sensors may be missing.
/// Columns named "weight" (of all sensors) and "weight bead 9" (of one) hold weights. If some cells
/// name a sensor, columns that name none are skipped.
MeasuredTraces read_measured_traces(const std::filesystem::path& file,
                                    std::span<const std::int64_t> sensors,
                                    Readings readings = Readings::forces);

}  // namespace beadwave::io
