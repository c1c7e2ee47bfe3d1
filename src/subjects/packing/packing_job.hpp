// The job that runs a packing.
#pragma once

#include "base/long_run.hpp"
#include "jobs/job.hpp"
#include "packing_system/packing_simulation.hpp"
#include "subjects/packing/packing_reader.hpp"

namespace beadwave::jobs {

class PackingJob : public Job {
  public:
    /// Builds the packing and chooses the time step. `ranks`: that share it; null: one process.
    /// Throws InputError, also if ranks cannot share it.
    explicit PackingJob(io::ReadPacking read, ranks::Communicator* ranks = nullptr);

    std::vector<std::string> warnings() const override { return read_.warnings; }
    double memory() const override { return packing::memory_needed(read_.scenario, packing_); }
    double least_wall_time() const override {
        return beadwave::least_wall_time(static_cast<double>(time_step_.count),
                                         static_cast<double>(packing_.particles()));
    }
    io::Columns columns() const override;
    double time_step() const override { return time_step_.step; }
    const std::string& scenario_text() const override { return read_.scenario.text; }
    const std::map<std::string, std::string>& file_texts() const override {
        return read_.scenario.file_texts;
    }
    JobResult run(const RunRequest& request, ProgressCallback& callback) const override;
    /// Runs the job with another engine, into memory only.
    JobResult run_with(const running::MakePackingEngine& make, ProgressCallback& callback) const;

    const packing::Packing& system() const { return packing_; }
    const packing::Scenario& scenario() const { return read_.scenario; }
    /// The initial time step of a run, in full.
    const stepping::TimeStep& first_step() const { return time_step_; }

  private:
    JobResult run(const RunRequest& request, const running::MakePackingEngine& make,
                  ProgressCallback& callback) const;

    io::ReadPacking read_;
    ranks::Communicator* ranks_;
    packing::Packing packing_;
    stepping::TimeStep time_step_;
};

}  // namespace beadwave::jobs
