// A run that has ended, and what it recorded.
#pragma once

#include "jobs/job.hpp"
#include "python/progress_callback.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::python {

struct Run {
    std::shared_ptr<const jobs::Job> job;  ///< outlives the recording
    jobs::JobResult result;
    std::vector<recording::ArrayView> arrays;  ///< of the recording
    std::filesystem::path history{};           ///< the file that the run wrote; empty: none

    /// Throws py::key_error.
    const recording::ArrayView& find(const std::string& name) const;
};

/// Throws the exception that Python raised during the run, if any.
std::shared_ptr<Run> run_of(std::shared_ptr<const jobs::Job> job, jobs::JobResult result,
                            ProgressCallback& callback);

}  // namespace beadwave::python
