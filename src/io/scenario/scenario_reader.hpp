// Scenarios from TOML, checked completely: types, ranges, names, unknown keys.
#pragma once

#include "chain/scenario.hpp"

#include <filesystem>
#include <map>
#include <memory>
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

/// A scenario file read once, from which many scenarios come that differ in a few values.
class ScenarioFile {
  public:
    /// Reads the file and applies the --set overrides; checks no more than that it is TOML.
    ScenarioFile(const std::filesystem::path& file, std::span<const std::string> overrides);
    ~ScenarioFile();

    /// The TOML text, overrides applied.
    const std::string& text() const;

    /// The scenario with `settings`, "dotted.key=value" as --vary makes them, applied last: as
    /// read_scenario, but without its text. Threads may call it at once.
    ReadScenario variant(std::span<const std::string> settings) const;

  private:
    struct Document;
    std::unique_ptr<Document> document_;
};

}  // namespace beadwave::io
