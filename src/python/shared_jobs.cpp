// Runs that all processes of a launcher share, and what each of them sees of its own bodies.
#include "io/checkpoint/checkpoint_file.hpp"
#include "io/files/text_file.hpp"
#include "jobs/program_facts.hpp"
#include "jobs/read_job.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress_callback.hpp"
#include "python/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::python {
namespace {

namespace fs = std::filesystem;

/// The processes that a launcher has started.
class Processes {
  public:
    static ranks::Communicator& all() {
        if (!held()) held() = ranks::mpi_communicator();
        return *held();
    }
    /// Before the interpreter ends.
    static void close() { held().reset(); }
    /// Lets all processes end with this reason. Nothing if there is one.
    static void end_all(int status, const std::string& why) {
        if (held() && !held()->alone()) held()->fail(status, why);
    }

  private:
    static std::unique_ptr<ranks::Communicator>& held() {
        static auto* const processes = new std::unique_ptr<ranks::Communicator>;
        return *processes;
    }
};

/// What a process does together with the others. If it fails on one, none may wait for it: all end.
template <class Work>
auto together(ProgressCallback& callback, const Work& work) {
    constexpr int run_failed = 1, input_wrong = 2;
    try {
        return unlocked(callback, work);
    } catch (const InputError& error) {
        Processes::end_all(input_wrong, error.what());
        throw;
    } catch (const std::exception& error) {
        Processes::end_all(run_failed, error.what());
        throw;
    }
}

/// A scenario, or a checkpoint, that all processes have read.
class SharedJob {
  public:
    SharedJob(const fs::path& file, const std::vector<std::string>& overrides) : file_(file) {
        ProgressCallback none{py::none()};
        together(none, [&] {
            require_same({{"name of the scenario", file.string(), true},
                          {"text of the scenario", io::read_text_file(file, "TOML"), false},
                          {"overrides", fmt::format("{}", fmt::join(overrides, " ")), true}});
            job_ = jobs::read_job(file, overrides, &Processes::all());
        });
    }
    /// From its checkpoint.
    explicit SharedJob(const fs::path& checkpoint) : file_(checkpoint) {
        ProgressCallback none{py::none()};
        together(none, [&] {
            require_same({{"name of the checkpoint", checkpoint.string(), true}});
            checkpoint_.emplace(checkpoint, &Processes::all());
            job_ = jobs::read_job(*checkpoint_, checkpoint, &Processes::all());
        });
    }

    const jobs::Job& job() const { return *job_; }

    std::shared_ptr<Run> run(const fs::path& output, const py::object& each_snapshot, int threads,
                             bool overwrite, bool ignore_disk_space, bool yes,
                             const py::object& progress) {
        ProgressCallback callback(progress);
        callback.accepts_long_runs = yes;
        const bool watches = !each_snapshot.is_none();
        if (watches && job_->time_step() == 0.0) {
            throw InputError(
                "each_snapshot: is for chains and packings; the history of a mechanism has all "
                "its samples");
        }
        fs::path history = output;
        jobs::JobResult result = together(callback, [&] {
            require_same({{"name of the history", output.string(), true},
                          {"set of options of run()",
                           fmt::format("overwrite={}, ignore_disk_space={}, yes={}", overwrite,
                                       ignore_disk_space, yes),
                           true}});
            if (output.empty() && !checkpoint_) {
                throw InputError(
                    "run(): output is missing; expected the file of the history, which the "
                    "processes write together");
            }
            if (checkpoint_) history = jobs::resumed_history(*checkpoint_, file_, output);
            jobs::RunRequest request{.threads = threads};
            request.record = jobs::ToFile{history, overwrite, ignore_disk_space,
                                          checkpoint_ ? &*checkpoint_ : nullptr, file_};
            if (watches) {
                request.each_snapshot = [&](const running::OwnPart& part) {
                    callback.call_python([&] { each_snapshot(part); });
                };
            }
            return job_->run(request, callback);
        });
        auto run = run_of(job_, std::move(result), callback);
        const std::string& stopped = run->result.stopped;
        if (!stopped.empty()) throw running::RunError(stopped);  // by another process
        run->history = history;
        return run;
    }

  private:
    static void require_same(const std::vector<ranks::Fact>& facts) {
        ranks::Communicator& ranks = Processes::all();
        if (!ranks.alone()) ranks::require_same(ranks, jobs::program_facts(facts));
    }

    fs::path file_;
    std::optional<io::CheckpointFile> checkpoint_;
    std::shared_ptr<jobs::Job> job_;
};

/// A copy, of bodies x 3 or of bodies.
py::array vectors(const running::OwnPart& part, const std::vector<double>& numbers) {
    const auto width = static_cast<py::ssize_t>(part.components);
    const py::ssize_t bodies = std::ssize(numbers) / width;
    py::array_t<double> copy(width == 1 ? std::vector<py::ssize_t>{bodies}
                                        : std::vector<py::ssize_t>{bodies, width});
    std::ranges::copy(numbers, copy.mutable_data());
    return copy;
}

}  // namespace

void bind_shared_jobs(py::module_& module) {
    py::class_<running::OwnPart>(module, "OwnPart")
        .def_readonly("step", &running::OwnPart::step)
        .def_readonly("time", &running::OwnPart::time)
        .def_property_readonly("numbers",
                               [](const running::OwnPart& part) {
                                   py::array_t<std::int64_t> copy(std::ssize(part.numbers));
                                   std::ranges::copy(part.numbers, copy.mutable_data());
                                   return copy;
                               })
        .def_property_readonly(
            "position", [](const running::OwnPart& part) { return vectors(part, part.position); })
        .def_property_readonly(
            "velocity", [](const running::OwnPart& part) { return vectors(part, part.velocity); })
        .def_property_readonly("angular_velocity", [](const running::OwnPart& part) {
            return vectors(part, part.angular_velocity);
        });

    py::class_<SharedJob>(module, "SharedJob")
        .def(py::init<const fs::path&, const std::vector<std::string>&>())
        .def(py::init<const fs::path&>())
        .def_property_readonly("warnings",
                               [](const SharedJob& shared) { return shared.job().warnings(); })
        .def_property_readonly("time_step",
                               [](const SharedJob& shared) { return shared.job().time_step(); })
        .def("run", &SharedJob::run, py::arg("output"), py::arg("each_snapshot"),
             py::arg("threads"), py::arg("overwrite"), py::arg("ignore_disk_space"), py::arg("yes"),
             py::arg("progress"));

    module.def("process", [] { return Processes::all().rank(); });
    module.def("processes", [] { return Processes::all().count(); });
    module.def("end_all_processes", [](const std::string& why) { Processes::end_all(1, why); });
    module.def("close_processes", &Processes::close);
}

}  // namespace beadwave::python
