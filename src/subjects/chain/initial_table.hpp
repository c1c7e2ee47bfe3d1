// [initial]: the state in which a chain starts, as lists, as a CSV file, or as an orbit.
#pragma once

#include "chain/scenario.hpp"
#include "io/scenario/table.hpp"

#include <string>
#include <string_view>

namespace beadwave::io {

/// Its only key is `initial`.
Table<chain::Scenario> initial_row();

/// The state of an orbit, and its unstable eigenvectors, as CSV; a file that is no HDF5 file as it
/// is. `path`: of these bytes. Throws InputError for a history that is no orbit.
std::string initial_text(std::string_view bytes, const std::string& path);

}  // namespace beadwave::io
