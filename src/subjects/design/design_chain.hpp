// The chains that a design runs: its scenario, and variants of it with the same design.
#pragma once

#include "beadwave/stepping/time_step.hpp"
#include "io/toml/toml_document.hpp"
#include "subjects/chain/chain_job.hpp"
#include "subjects/design/bead_scenario.hpp"
#include "subjects/design/design_file.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::tasks {

/// A scenario from a file or from text. Files that it names are searched beside `file`.
struct ScenarioSource {
    std::filesystem::path file;
    std::optional<std::string> text{};  ///< in place of that of the file

    /// The document and the job with `settings`, "dotted.key=value" each. Throw InputError.
    io::TomlDocument document(std::span<const std::string> settings) const;
    std::unique_ptr<jobs::Job> job(std::span<const std::string> settings) const;
};

/// A chain that is read and can be made again with other numbers of its beads.
class DesignChain {
  public:
    /// Throws InputError, also for a chain that has no gradient.
    explicit DesignChain(const ScenarioSource& source, std::span<const std::string> settings = {});
    DesignChain(const DesignChain&) = delete;
    DesignChain& operator=(const DesignChain&) = delete;

    const jobs::Job& job() const { return *job_; }
    const jobs::ChainJob& chain() const { return chain_; }
    const stepping::TimeStep& step() const { return step_; }
    const design::Numbers& numbers() const { return numbers_; }
    std::string name() const { return file_.string(); }

    /// The scenario, see BeadScenario::text().
    std::string text(const design::Numbers& numbers, const std::filesystem::path& folder = {},
                     bool with_step = true) const {
        return beads_.text(numbers, folder, with_step);
    }
    /// A chain with other numbers, ready to run.
    std::unique_ptr<jobs::Job> job_with(const design::Numbers& numbers,
                                        bool with_step = true) const;

  private:
    std::filesystem::path file_;
    io::TomlDocument document_;
    std::unique_ptr<jobs::Job> job_;
    const jobs::ChainJob& chain_;
    stepping::TimeStep step_;
    design::Numbers numbers_;
    BeadScenario beads_;
};

/// The chain of a [[run]]: the scenario with its settings. Throws InputError, which names the run,
/// also if the settings change how many beads there are, or a number of `space`.
std::unique_ptr<DesignChain> variant_chain(const ScenarioSource& source, const io::DesignRun& run,
                                           const design::Space& space);

}  // namespace beadwave::tasks
