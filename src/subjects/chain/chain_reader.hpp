// Reads scenarios of chains from TOML, with complete checks: types, ranges, names, unknown keys.
#pragma once

#include "chain/scenario.hpp"
#include "io/scenario/named_files.hpp"
#include "io/toml/toml_document.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::io {

struct ReadScenario {
    chain::Scenario scenario;
    /// Keys that are valid but have no effect, one sentence each (psi with the law "hertz").
    std::vector<std::string> warnings;
};

/// Reads and checks a scenario. `overrides` are "dotted.key=value", as for --set. Relative paths of
/// files that it names start at its own folder. Throws InputError: one sentence with file, line,
/// key, what was found and what is allowed.
ReadScenario read_scenario(const std::filesystem::path& file,
                           std::span<const std::string> overrides = {});

/// Reads a scenario from text; errors call it `name`. No file is read: `file_texts` are the texts
/// of the files that the scenario names.
ReadScenario read_scenario_text(std::string text, const std::string& name,
                                std::map<std::string, std::string> file_texts = {});

/// Reads a scenario from parsed TOML. The `text` of a variant is empty: see variant_of().
ReadScenario read_chain(TomlDocument document, NamedFiles files);
/// Reads a variant of a scenario that was read before; no warnings are made anew.
chain::Scenario read_chain_variant(TomlDocument document, NamedFiles files);

/// The settings of a run for a chain that is made in another way and has this number of beads: all
/// tables except segments, boundary, gravity and precompression. Its `text` is empty. No `files`:
/// paths start at the folder of the document.
ReadScenario read_run_of_chain(TomlDocument document, std::int64_t beads,
                               std::optional<NamedFiles> files = {});

/// The keys of a chain.
std::vector<Key> chain_keys();

}  // namespace beadwave::io
