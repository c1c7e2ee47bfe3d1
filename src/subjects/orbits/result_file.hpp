// HDF5 files of results along with the scenario they belong to: branches, basins, sections.
#pragma once

#include "io/files/output_path.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/history/h5md.hpp"
#include "orbits/multipliers.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::tasks {

/// Writes a file with the group /parameters (scenario, version, format_version), the warnings and
/// the group that `content` fills; all of it or nothing. Throws InputError if the file may not be
/// replaced, std::runtime_error if it cannot be written.
struct ResultFile {
    const io::Output& output;
    const io::ResultKind& kind;
    const char* group;  ///< "branch"
    const std::string& scenario_text;
    const std::vector<std::string>& warnings;

    void write(const std::function<void(hid_t group)>& content) const;
};

/// Whether the file has the group and the parameters of such a result.
bool is_result(const std::filesystem::path& path, const char* group);

using io::h5md::write_table;

/// All numbers of a table of any shape.
std::vector<double> read_table(hid_t group, const char* name);

/// Real and imaginary parts in turn.
std::vector<double> parts_of(const std::vector<orbits::Complex>& all);
std::vector<orbits::Complex> complex_of(std::span<const double> parts);

}  // namespace beadwave::tasks
