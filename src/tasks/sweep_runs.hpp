// The runs of a sweep: jobs that can run together do, such as short chains, one per lane of a
// vector; all others are made one by one.
#pragma once

#include "beadwave/stepping/time_step.hpp"
#include "io/tables/sweep_plan.hpp"
#include "jobs/job.hpp"
#include "jobs/read_job.hpp"
#include "tasks/over_time.hpp"
#include "tasks/sweep.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::tasks {

/// The results of the check of a run, for when the run is made.
struct CheckedRun {
    std::optional<stepping::TimeStep> step{};  ///< jobs::Job::chosen_step()
    std::string together_key{};                ///< jobs::Job::together_key()
    std::size_t most_together = 1;             ///< jobs::Job::most_together()
};

/// The numbers of runs that a thread makes at a time: runs with the same key, as many as a vector
/// has lanes, or fewer if some thread had none otherwise; one by one where that leaves half of the
/// lanes or more empty, and where the key is empty. In ascending order.
std::vector<std::vector<std::size_t>> batches_of(const std::vector<std::size_t>& runs,
                                                 const std::vector<CheckedRun>& checked,
                                                 int threads);

/// The arrays that a run has recorded over time.
std::vector<recording::ArrayView> over_time_arrays(const jobs::JobResult& done);

class SweepRuns {
  public:
    /// The arguments must outlive it.
    SweepRuns(const jobs::JobFile& file, const io::SweepPlan& plan,
              const std::vector<CheckedRun>& checked, const OverTime& over_time,
              SweepProgressCallback& callback)
        : file_(file), plan_(plan), checked_(checked), over_time_(over_time), callback_(callback) {}

    /// The results of these runs, as a message: an array, with null for a run that was stopped.
    std::string operator()(std::span<const std::size_t> numbers) const;

  private:
    std::unique_ptr<jobs::Job> job(std::size_t number) const;
    /// Results of runs made together; none for a run to be made alone, also to find out why.
    std::vector<std::optional<jobs::JobResult>> make_together(
        std::span<const std::size_t> numbers) const;
    nlohmann::json make_alone(std::size_t number) const;

    const jobs::JobFile& file_;
    const io::SweepPlan& plan_;
    const std::vector<CheckedRun>& checked_;
    const OverTime& over_time_;
    SweepProgressCallback& callback_;
};

}  // namespace beadwave::tasks
