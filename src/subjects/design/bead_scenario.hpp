// The scenario of a chain with other numbers of its beads, as TOML that `beadwave run` reads: one
// [[segment]] for each run of equal beads.
#pragma once

#include "design/space.hpp"
#include "io/toml/toml_document.hpp"
#include "subjects/chain/chain_job.hpp"

#include <filesystem>
#include <string>

namespace beadwave::tasks {

/// The numbers of the beads of a job; gaps of contacts that cannot close are infinite. Throws
/// InputError for a job with an initial state, whose velocities are no longer those of segments.
design::Numbers numbers_of(const jobs::ChainJob& job);

class BeadScenario {
  public:
    /// Both must outlive it.
    BeadScenario(const io::TomlDocument& document, const jobs::ChainJob& job);

    /// `folder`: files that the scenario names are searched there; empty: where the original has
    /// them. `with_step`: with the time step of the job, also where that was chosen.
    std::string text(const design::Numbers& numbers, const std::filesystem::path& folder = {},
                     bool with_step = true) const;

  private:
    const io::TomlDocument& document_;
    const jobs::ChainJob& job_;
    design::Numbers start_;
};

}  // namespace beadwave::tasks
