// Files of objectives: [[objective]] tables.
#pragma once

#include "gradients/objective.hpp"
#include "io/toml/toml_document.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

namespace beadwave::io {

/// The system that objectives are of.
struct Observed {
    std::size_t bodies;                  ///< beads, or particles
    double end;                          ///< of the run [s]
    std::optional<std::size_t> walls{};  ///< of a packing; none: a chain
    bool plane = false;                  ///< whether a packing has two dimensions
};

/// The objectives of a file. Throws InputError: one sentence with file, line, key, what was found
/// and what is allowed.
std::vector<gradients::Objective> read_objectives(const std::filesystem::path& file,
                                                  const Observed& of);

/// The objectives of a document, which has other tables too. `folder`: where target files are.
std::vector<gradients::Objective> read_objective_tables(const TomlDocument& document,
                                                        const std::filesystem::path& folder,
                                                        const Observed& of);

/// The objectives of a document that has no other tables.
std::vector<gradients::Objective> read_objectives(const TomlDocument& document,
                                                  const std::filesystem::path& folder,
                                                  const Observed& of);

}  // namespace beadwave::io
