// A run that has ended, with what it recorded.
#pragma once

#include "jobs/job.hpp"
#include "python/watcher.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::python {

struct Run {
    std::shared_ptr<const jobs::Job> job;  ///< outlives the recording
    jobs::Outcome outcome;
    std::vector<jobs::ArrayView> arrays;  ///< of the recording
    std::filesystem::path history{};      ///< that it wrote; empty: none

    /// Throws py::key_error.
    const jobs::ArrayView& find(const std::string& name) const;
};

/// Throws what Python threw meanwhile.
std::shared_ptr<Run> run_of(std::shared_ptr<const jobs::Job> job, jobs::Outcome outcome,
                            Watcher& watcher);

}  // namespace beadwave::python
