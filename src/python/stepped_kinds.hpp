// What Python needs of a kind of system that runs a number of steps. Each kind registers its own.
#pragma once

#include "io/checkpoint/state_file.hpp"
#include "jobs/job.hpp"
#include "python/run.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace beadwave::python {

/// Bodies, and the function of their external force.
using Force = std::pair<std::vector<std::size_t>, py::object>;

/// The functions return nothing (null, none) for a job of another kind.
struct SteppedKind {
    /// Fills in views of what does not change, by name; false: the job is of another kind.
    bool (*constants)(const std::shared_ptr<jobs::Job>& job, py::dict& constants);
    std::shared_ptr<Run> (*run_with_forces)(const std::shared_ptr<jobs::Job>& job,
                                            const std::vector<Force>& forces,
                                            ProgressCallback& callback);
    /// A stepper in the saved state.
    py::object (*restored)(const std::shared_ptr<jobs::Job>& job, const io::SystemState& state);
    /// The job of a system that was made from arrays; null: this kind is made from files only.
    std::shared_ptr<jobs::Job> (*from_arrays)(const io::SystemState& state) = nullptr;
};

struct RegisterSteppedKind {
    explicit RegisterSteppedKind(const SteppedKind& kind) { all().push_back(kind); }
    static std::vector<SteppedKind>& all() {
        static std::vector<SteppedKind> kinds;
        return kinds;
    }
};

}  // namespace beadwave::python
