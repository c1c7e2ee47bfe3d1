// Systems that run a number of steps: what does not depend on their kind.
#include "io/durable/checksum_header.hpp"
#include "jobs/read_job.hpp"
#include "python/bind_stepper.hpp"
#include "python/bindings.hpp"
#include "python/stepped_kinds.hpp"

#include <fmt/format.h>

namespace beadwave::python {
namespace {

namespace fs = std::filesystem;

/// Views of what does not change, by name.
py::dict constants_of(const std::shared_ptr<jobs::Job>& job) {
    py::dict constants;
    for (const SteppedKind& kind : RegisterSteppedKind::all()) {
        if (kind.constants(job, constants)) break;
    }
    return constants;
}

std::shared_ptr<Run> run_with_forces(const std::shared_ptr<jobs::Job>& job,
                                     const std::vector<Force>& forces, const py::object& progress) {
    ProgressCallback callback(progress);
    for (const SteppedKind& kind : RegisterSteppedKind::all()) {
        if (auto run = kind.run_with_forces(job, forces, callback)) return run;
    }
    refuse_to_step();
}

std::shared_ptr<jobs::Job> job_from_arrays(const io::SystemState& state) {
    for (const SteppedKind& kind : RegisterSteppedKind::all()) {
        if (kind.from_arrays != nullptr) return kind.from_arrays(state);
    }
    refuse_to_step();
}

/// The job and the stepper of a saved state.
py::tuple load_state(const fs::path& file) {
    std::shared_ptr<jobs::Job> job;
    const io::SystemState state = unlocked([&] {
        io::SystemState read = io::read_state(file);
        job = read.arrays.empty()
                  ? jobs::read_job_text(read.text, file.string(), fs::path(), {}, read.file_texts)
                  : job_from_arrays(read);
        return read;
    });
    try {
        for (const SteppedKind& kind : RegisterSteppedKind::all()) {
            if (py::object stepper = kind.restored(job, state); !stepper.is_none())
                return py::make_tuple(job, stepper);
        }
        refuse_to_step();
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
}

}  // namespace

void bind_steppers(py::module_& module) {
    module.def("constants", constants_of);
    module.def("run_with_forces", run_with_forces);
    module.def("is_state", [](const fs::path& file) {  // looking into a pipe would empty it
        std::error_code ignored;
        return fs::is_regular_file(file, ignored) && io::begins_as_checkpoint(file);
    });
    module.def("load_state", load_state);
}

}  // namespace beadwave::python
