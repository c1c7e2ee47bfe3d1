// Fits numbers of a scenario to a measurement, under one law or several.
#pragma once

#include "fit/fit.hpp"
#include "jobs/job.hpp"
#include "ranks/communicator.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace beadwave::tasks {

struct FitRequest {
    std::string scenario;
    std::string measured;             ///< CSV of measured traces
    std::vector<std::string> bounds;  ///< key=low:high
    std::vector<std::string> overrides{};
    std::string target = "traces";          ///< traces, peaks, arrivals, or peaks,arrivals
    std::vector<std::string> laws{};        ///< names; empty: the scenario's own
    std::string noise{};                    ///< [N], comma-separated; empty: it is estimated
    std::optional<double> arrival_noise{};  ///< [s]; empty: it is estimated
    std::string loss = "squares";           ///< squares, huber, soft-l1
    std::string errors = "white";           ///< white, robust
    std::string component = "norm";         ///< norm, x, y, z
    std::vector<std::string> masks{};       ///< [sensor=]from:to [s]
    std::vector<std::string> priors{};      ///< key=mean:deviation
    std::vector<std::string> starts{};      ///< key=value
    int multistart = 0;                     ///< number of extra starting points
    std::vector<std::string> profile_likelihood{};  ///< keys whose profile likelihood is computed
    std::string output{};                           ///< FIT.h5; empty: no files are written
    int threads = 0;                                ///< 0: all
    bool overwrite = false;  ///< replace files that beadwave fit did not write
};

/// The result of a fit: a few lines of text, or one JSON object.
struct FitResult {
    fit::FitInput input;
    std::vector<fit::LawFit> laws;  ///< best first; those that failed last
    std::string hdf5, scenario;     ///< names of files; empty: none

    std::string text() const;
    nlohmann::ordered_json json() const;
    /// Warnings about the measurement and the fits, one sentence each.
    std::vector<std::string> warnings() const;
};

/// Calls begin() of the callback, and from any thread stop() and, after each run, progress() with
/// the number of runs so far. With several laws, the laws are
/// fitted in parallel; with one law, its runs are made in parallel. The result does not depend on
/// the number of threads and ranks. Throws InputError; running::RunError if no law can be fitted or
/// the callback stops it. Collective: the other ranks call serve_fit().
FitResult fit_laws(const FitRequest& request, jobs::ProgressCallback& callback,
                   ranks::Communicator& ranks);
FitResult fit_laws(const FitRequest& request,
                   jobs::ProgressCallback& callback);  ///< by this process alone

/// Writes the files of a fit that has been made, as with `output`. Throws InputError, and
/// std::runtime_error if they cannot be written.
void save_fit(const FitResult& fit, const std::string& output, bool overwrite);

/// The part of the other ranks.
void serve_fit(const FitRequest& request, jobs::ProgressCallback& callback,
               ranks::Communicator& ranks);

}  // namespace beadwave::tasks
