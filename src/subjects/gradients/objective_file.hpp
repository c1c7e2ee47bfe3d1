// Files of objectives: [[objective]] tables.
#pragma once

#include "gradients/objective.hpp"
#include "io/toml/toml_document.hpp"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace beadwave::io {

/// The objectives of a file, for a chain of so many beads and a run up to `end` [s]. Throws
/// InputError: one sentence with file, line, key, what was found and what is allowed.
std::vector<gradients::Objective> read_objectives(const std::filesystem::path& file,
                                                  std::size_t beads, double end);

/// The objectives of a document, which has other tables too. `folder`: where target files are.
std::vector<gradients::Objective> read_objective_tables(const TomlDocument& document,
                                                        const std::filesystem::path& folder,
                                                        std::size_t beads, double end);

/// The objectives of a document that has no other tables.
std::vector<gradients::Objective> read_objectives(const TomlDocument& document,
                                                  const std::filesystem::path& folder,
                                                  std::size_t beads, double end);

}  // namespace beadwave::io
