// Scenarios and their runs.
#include "io/checkpoint/checkpoint_file.hpp"
#include "jobs/read_job.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/own_observables.hpp"
#include "python/progress_callback.hpp"
#include "python/run.hpp"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <optional>

namespace beadwave::python {

const recording::ArrayView& Run::find(const std::string& name) const {
    for (const recording::ArrayView& array : arrays) {
        if (array.name == name) return array;
    }
    throw py::key_error(name);
}

std::shared_ptr<Run> run_of(std::shared_ptr<const jobs::Job> job, jobs::JobResult result,
                            ProgressCallback& callback) {
    callback.rethrow(result.stopped);
    auto run = std::make_shared<Run>(
        Run{.job = std::move(job), .result = std::move(result), .arrays = {}});
    // Adds the warnings that only the callback got: they are about this machine, not about the run.
    std::vector<std::string>& all = run->result.warnings;
    for (const std::string& warning : callback.warnings()) {
        if (std::ranges::find(all, warning) == all.end()) all.push_back(warning);
    }
    if (run->result.recording) run->arrays = run->result.recording->arrays();
    return run;
}

namespace {

namespace fs = std::filesystem;

std::shared_ptr<Run> run_job(std::shared_ptr<jobs::Job> job, const fs::path& output, int threads,
                             bool check, bool overwrite, bool ignore_disk_space, bool yes,
                             const py::object& progress, const std::vector<Observed>& observed) {
    ProgressCallback callback(progress);
    callback.accepts_long_runs = yes;
    jobs::RunRequest request{.record = jobs::ToMemory{}, .threads = threads, .check = check};
    request.observables = own_observables(observed);
    if (!output.empty()) request.record = jobs::ToFile{output, overwrite, ignore_disk_space};
    jobs::JobResult result = unlocked(callback, [&] { return job->run(request, callback); });
    return run_of(std::move(job), std::move(result), callback);
}

std::shared_ptr<Run> resume(const fs::path& checkpoint, const fs::path& output, int threads,
                            bool overwrite, bool ignore_disk_space, const py::object& progress) {
    ProgressCallback callback(progress);
    std::shared_ptr<jobs::Job> job;
    fs::path history;
    jobs::JobResult result = unlocked(callback, [&] {
        const io::CheckpointFile from(checkpoint);
        job = jobs::read_job(from, checkpoint);
        history = jobs::resumed_history(from, checkpoint, output);
        const jobs::ToFile file{history, overwrite, ignore_disk_space, &from, checkpoint};
        return job->run({.record = file, .threads = threads}, callback);
    });
    auto run = run_of(std::move(job), std::move(result), callback);
    run->history = history;
    return run;
}

py::array array_of(const py::object& self, const std::string& name) {
    const recording::ArrayView& array = self.cast<const Run&>().find(name);
    const std::vector<py::ssize_t> shape(array.shape.begin(), array.shape.end());
    std::vector<py::ssize_t> strides(shape.size());
    py::ssize_t stride = sizeof(double);  // as std::int64_t
    for (std::size_t d = shape.size(); d-- > 0; stride *= shape[d])
        strides[d] = stride;
    if (array.whole)
        return view(static_cast<const std::int64_t*>(array.data), shape, strides, self);
    return view(static_cast<const double*>(array.data), shape, strides, self);
}

}  // namespace

void bind_runs(py::module_& module) {
    py::class_<jobs::Job, std::shared_ptr<jobs::Job>>(module, "Job")
        .def_property_readonly("body", [](const jobs::Job& job) { return job.columns().body; })
        .def_property_readonly("warnings", &jobs::Job::warnings)
        .def_property_readonly("time_step", &jobs::Job::time_step)
        .def_property_readonly("memory", &jobs::Job::memory)
        .def_property_readonly("scenario_text", &jobs::Job::scenario_text)
        .def_property_readonly("file_texts", &jobs::Job::file_texts)
        .def_property_readonly("sensors",
                               [](const jobs::Job& job) { return job.columns().sensors; })
        .def("run", run_job, py::arg("output"), py::arg("threads"), py::arg("check"),
             py::arg("overwrite"), py::arg("ignore_disk_space"), py::arg("yes"),
             py::arg("progress"), py::arg("observed"));
    bind_own_observables(module);

    py::class_<Run, std::shared_ptr<Run>>(module, "Run")
        .def_property_readonly(
            "job", [](const Run& run) { return std::const_pointer_cast<jobs::Job>(run.job); })
        .def_property_readonly("json", [](const Run& run) { return run.result.json->dump(); })
        .def_property_readonly("text", [](const Run& run) { return run.result.text; })
        .def_property_readonly("warnings", [](const Run& run) { return run.result.warnings; })
        .def_property_readonly("history", [](const Run& run) { return run.history; })
        .def_property_readonly("wall_seconds",
                               [](const Run& run) { return run.result.wall_seconds; })
        .def_property_readonly("names",
                               [](const Run& run) {
                                   std::vector<std::string> names;
                                   for (const recording::ArrayView& array : run.arrays)
                                       names.push_back(array.name);
                                   return names;
                               })
        .def("unit", [](const Run& run, const std::string& name) { return run.find(name).unit; })
        .def("array", array_of)
        .def("address",
             [](const Run& run, const std::string& name) {
                 return reinterpret_cast<std::uintptr_t>(run.find(name).data);
             })
        .def("save", [](const Run& run, const fs::path& output, bool overwrite) {
            unlocked([&] { run.result.recording->save({output, overwrite}); });
        });

    module.def("load", [](const fs::path& file, const std::vector<std::string>& overrides) {
        return unlocked(
            [&]() -> std::shared_ptr<jobs::Job> { return jobs::read_job(file, overrides); });
    });
    module.def("load_text", [](const std::string& text, const std::string& name,
                               const fs::path& folder, const std::vector<std::string>& overrides,
                               const std::map<std::string, std::string>& files) {
        return unlocked([&]() -> std::shared_ptr<jobs::Job> {
            return jobs::read_job_text(text, name, folder, overrides, files);
        });
    });
    module.def("resume", resume);
}

}  // namespace beadwave::python
