// A run of a chain with other numbers whose traces a caller differentiates: forwards once, then
// from derivatives by the traces to those by the numbers, as often as asked.
#pragma once

#include "gradients/adjoint_run.hpp"
#include "gradients/inputs.hpp"
#include "jobs/job.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::tasks {

class TraceRun {
  public:
    /// Runs the chain of a job, which must outlive this, with `values` in place of the numbers of
    /// the inputs, in the time step of the job. Channels: the sensors' forces [N], then their
    /// velocities [m/s]. Errors call the job `name`. Throws InputError, running::RunError.
    TraceRun(const jobs::Job& job, const std::string& name, const std::vector<std::size_t>& sensors,
             const std::string& inputs, const std::vector<std::vector<double>>& values,
             gradients::Stop stop = {});

    const gradients::Readings& readings() const { return run_.readings(); }
    double time_step() const { return time_step_; }  ///< [s]

    /// One array per input, for `seeds` of the form of readings().
    std::vector<std::vector<double>> reverse(const gradients::Readings& seeds);

  private:
    double time_step_;
    std::vector<gradients::Input> inputs_;
    gradients::Inputs numbers_;
    gradients::AdjointRun run_;
};

/// The numbers of inputs in the scenario, in their order.
std::vector<std::vector<double>> numbers_of(const jobs::Job& job, const std::string& name,
                                            const std::string& inputs);

}  // namespace beadwave::tasks
