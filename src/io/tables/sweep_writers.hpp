// Writers of the two files of a sweep's table; sweep_table.hpp describes their content.
#pragma once

#include "io/durable/atomic_file.hpp"
#include "io/tables/sweep_table.hpp"

#include <filesystem>
#include <string>

namespace beadwave::io {

extern const ResultKind csv_result;

/// The lines of the CSV table, including line ends. `all`: also what is known over time, which is
/// in the rows of a sweep that may be interrupted, but not in its table.
std::string sweep_csv_header(const SweepTable& table, bool all = false);
std::string sweep_csv_row(const SweepTable& table, std::size_t run, bool all = false);

/// The table as CSV, with all lines.
std::string sweep_csv(const SweepTable& table);
/// Throws std::runtime_error without the name of the file.
void write_sweep_hdf5(const std::filesystem::path& path, const SweepTable& table,
                      const std::string& scenario_text);

}  // namespace beadwave::io
