// Scenarios of chains from TOML, checked completely: types, ranges, names, unknown keys.
#pragma once

#include "chain/scenario.hpp"
#include "io/scenario/named_files.hpp"
#include "io/toml/toml_document.hpp"

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace beadwave::io {

struct ReadScenario {
    chain::Scenario scenario;
    /// Keys that are right but have no effect here, a sentence each (psi beside law "hertz").
    std::vector<std::string> notes;
};

/// Reads and checks a scenario; `overrides` are "dotted.key=value" as given to --set.
/// Files that it names by a relative path are looked for beside it.
/// Throws InputError: one sentence that says file, line, key, what was found, what is allowed.
ReadScenario read_scenario(const std::filesystem::path& file,
                           std::span<const std::string> overrides = {});

/// The same from text; errors call it `name`. No file is read: `file_texts` are those of the
/// scenario it was.
ReadScenario read_scenario_text(std::string text, const std::string& name,
                                std::map<std::string, std::string> file_texts = {});

/// The same from TOML that was read. A variant's `text` is empty: see variant_of().
ReadScenario read_chain(TomlDocument document, NamedFiles files);

/// How to run a chain of so many beads that is made otherwise: all but segments, boundary, gravity,
/// precompression. Its `text` is empty, as the history's is.
ReadScenario read_run_of_chain(TomlDocument document, std::int64_t beads);

}  // namespace beadwave::io
