// A scenario's numbers from a measurement, under one law or several.
#pragma once

#include "fit/fit.hpp"
#include "jobs/job.hpp"
#include "ranks/ranks.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace beadwave::tasks {

struct FitRequest {
    std::string scenario;
    std::string measured;           ///< CSV of measured traces
    std::vector<std::string> vary;  ///< key=low:high
    std::vector<std::string> overrides{};
    std::string of = "traces";              ///< traces, peaks, arrivals, or peaks,arrivals
    std::vector<std::string> laws{};        ///< names; empty: the scenario's own
    std::string noise{};                    ///< [N], comma-separated; empty: estimated
    std::optional<double> arrival_noise{};  ///< [s]; else estimated
    int starts = 0;                         ///< points that are tried beside the scenario's own
    std::vector<std::string> profiled{};    ///< keys
    std::string output{};                   ///< FIT.h5; empty: no files are written
    int threads = 0;                        ///< 0: as many as there are
    bool force = false;                     ///< replace whatever stands in the results' places
};

/// What a fit has to say at its end: for people a few lines, for scripts one JSON object.
struct FitResult {
    fit::Task task;
    std::vector<fit::LawFit> laws;  ///< best first; those that failed last
    std::string hdf5, scenario;     ///< names of files; empty: none

    std::string text() const;
    nlohmann::ordered_json json() const;
    /// What should be known of it, a sentence each.
    std::vector<std::string> notes() const;
};

/// Of the watcher begin() and stop() are asked, the latter from any thread. Several laws are fitted
/// at once, of one its runs; the result is the same for any threads and ranks. Throws InputError,
/// running::RunError where no law can be fitted or the watcher stops it. Other ranks call
/// help_fit() meanwhile.
FitResult fit_laws(const FitRequest& request, jobs::Watcher& watcher, ranks::Ranks& ranks);
FitResult fit_laws(const FitRequest& request, jobs::Watcher& watcher);  ///< by this process alone

/// On the ranks that are not first.
void help_fit(const FitRequest& request, jobs::Watcher& watcher, ranks::Ranks& ranks);

}  // namespace beadwave::tasks
