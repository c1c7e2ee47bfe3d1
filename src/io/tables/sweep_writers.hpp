// A sweep's table as each of its two files; sweep_table.hpp says what they hold.
#pragma once

#include "io/files/staged_file.hpp"
#include "io/tables/sweep_table.hpp"

#include <filesystem>
#include <string>

namespace beadwave::io {

extern const ResultKind csv_result;

/// The lines of the CSV table, ends included.
std::string sweep_csv_header(const SweepTable& table);
std::string sweep_csv_row(const SweepTable& table, std::size_t run);

// Both throw std::runtime_error without the file's name.

void write_sweep_hdf5(const std::filesystem::path& path, const SweepTable& table,
                      const std::string& scenario_text);
void write_sweep_csv(const std::filesystem::path& path, const SweepTable& table);

}  // namespace beadwave::io
