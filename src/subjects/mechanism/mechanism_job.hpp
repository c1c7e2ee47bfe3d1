// A mechanism as a job.
#pragma once

#include "jobs/job.hpp"
#include "subjects/mechanism/mechanism_reader.hpp"

namespace beadwave::jobs {

class MechanismJob : public Job {
  public:
    /// Throws InputError if joints and given velocities disagree.
    explicit MechanismJob(io::ReadMechanism read);

    std::vector<std::string> warnings() const override { return read_.warnings; }
    double time_step() const override { return 0.0; }
    double memory() const override { return 0.0; }  // a few bodies
    double least_wall_time() const override;
    io::Columns columns() const override;
    const std::string& scenario_text() const override { return read_.text; }
    const std::map<std::string, std::string>& file_texts() const override {
        return read_.file_texts;
    }
    JobResult run(const RunRequest& request, ProgressCallback& callback) const override;

  private:
    io::ReadMechanism read_;
};

}  // namespace beadwave::jobs
