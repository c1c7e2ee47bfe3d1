// The task of `beadwave design`: numbers of a chain's beads that make an objective of its run small
// or large, by its exact gradient.
#pragma once

#include "jobs/job.hpp"
#include "subjects/design/design_file.hpp"
#include "subjects/design/design_journal.hpp"
#include "subjects/design/design_search.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::tasks {

/// The search so far.
struct DesignProgress {
    std::size_t evaluations = 0, limit = 0;
    double value = 0.0, best = 0.0;
};

struct DesignRequest {
    std::string design{};  ///< DESIGN.toml
    /// A text in place of DESIGN.toml's; paths in it are then relative to the current folder.
    std::optional<std::string> text{};
    /// A text in place of that of the scenario.
    std::optional<std::string> scenario{};
    std::vector<std::string> overrides{};  ///< of DESIGN.toml, "dotted.key=value"
    std::string output{};    ///< DESIGN.h5; the scenario is beside it. Empty: no files
    bool overwrite = false;  ///< replace files that beadwave design did not write, and restart
    /// Called after each evaluation.
    std::function<void(const DesignProgress&)> evaluated{};
};

/// One of the points of a design.
struct DesignPoint {
    double value = 0.0;
    design::Numbers numbers{};
    std::vector<double> sums{};  ///< of the constraints
    std::vector<double> runs{};  ///< the value of each [[run]], without its weight
};

/// The steps of the runs of a scenario.
struct DesignSteps {
    double step = 0.0;  ///< [s]
    std::int64_t count = 0;
};

struct DesignResult {
    io::DesignHead head{};
    io::DesignTables tables{};
    design::Numbers start_numbers{};
    DesignPoint start{}, best{};
    /// What the search found, where `best` has the nearest of the sizes that there are.
    std::optional<DesignPoint> relaxed{};
    std::vector<Evaluation> evaluations{};
    std::size_t resumed = 0;  ///< evaluations that an earlier start had made
    std::vector<DesignStart> starts{};
    /// What ended the start that found the best, or was interrupted: "converged", "evaluations",
    /// "interrupted", "no value".
    std::string stopped{};
    std::vector<DesignSteps> steps{};  ///< of the scenario, or of each [[run]]
    double seconds = 0.0;
    std::string scenario_text{};     ///< of the best point
    std::filesystem::path folder{};  ///< where files that it names are searched
    std::string design_text{};       ///< of DESIGN.toml
    std::string hdf5{}, scenario{};  ///< names of files; empty: none
    std::vector<std::string> warnings{};

    std::string text() const;
    nlohmann::ordered_json json() const;
};

/// Calls begin() of the callback before the first run, stop(), and progress() with the number of
/// evaluations. A callback that stops the search ends it with the best point so far; the journal
/// then stays. Throws InputError; running::RunError if the start has no value.
DesignResult design(const DesignRequest& request, jobs::ProgressCallback& callback);

}  // namespace beadwave::tasks
