// Fits for Python.
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress_callback.hpp"
#include "subjects/fit/fit_laws.hpp"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <atomic>
#include <chrono>
#include <future>

namespace beadwave::python {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

/// Keeps the progress that a fit reports from its own threads, for the thread that Python called.
class FitProgress : public ProgressCallback {
  public:
    using ProgressCallback::ProgressCallback;
    void progress(std::int64_t runs, double) override { runs_ = runs; }
    void show() {
        ProgressCallback::progress(
            runs_,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count());
    }

  private:
    std::atomic<std::int64_t> runs_ = 0;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// A fit calls stop() from its own threads, but only the thread that Python called may check for
/// interrupts. So the fit runs in another thread, and this thread checks while it waits.
std::shared_ptr<tasks::FitResult> fit(const tasks::FitRequest& request,
                                      const py::object& progress) {
    FitProgress callback(progress);
    auto result = std::make_shared<tasks::FitResult>(unlocked(callback, [&] {
        auto work =
            std::async(std::launch::async, [&] { return tasks::fit_laws(request, callback); });
        while (work.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
            callback.stop(), callback.show();
        callback.show_next();  // the number of all runs
        callback.show();
        return work.get();
    }));
    callback.rethrow();
    return result;
}

void bind_fit(py::module_& module) {
    using tasks::FitResult;
    py::class_<FitResult, std::shared_ptr<FitResult>>(module, "FitResult")
        .def_property_readonly("json", [](const FitResult& fit) { return fit.json().dump(); })
        .def_property_readonly("text", &FitResult::text)
        .def_property_readonly("warnings", &FitResult::warnings)
        .def_property_readonly("time",
                               [](const py::object& self) {
                                   const auto& fit = self.cast<const FitResult&>();
                                   return view(std::span(fit.input.measured.time), self);
                               })
        .def("measured",
             [](const py::object& self, std::size_t sensor) {
                 const auto& fit = self.cast<const FitResult&>();
                 return view(std::span(fit.input.measured.traces.at(sensor).force), self);
             })
        .def("computed",
             [](const py::object& self, std::size_t law, std::size_t sensor) {
                 const auto& fit = self.cast<const FitResult&>();
                 return view(std::span(fit.laws.at(law).computed.at(sensor)), self);
             })
        .def("jacobian",
             [](const py::object& self, std::size_t law, std::size_t sensor) {
                 const auto& fit = self.cast<const FitResult&>();
                 const auto& numbers = fit.laws.at(law).jacobian.at(sensor);
                 const auto columns = static_cast<py::ssize_t>(fit.laws.at(law).estimates.size());
                 const auto rows = static_cast<py::ssize_t>(fit.input.measured.time.size());
                 return view(numbers.data(), {rows, columns},
                             {columns * static_cast<py::ssize_t>(sizeof(double)), sizeof(double)},
                             self);
             })
        .def("save",
             [](const FitResult& fit, const fs::path& output, bool overwrite) {
                 unlocked([&] { tasks::save_fit(fit, output.string(), overwrite); });
             })
        .def("used", [](const FitResult& fit,
                        std::size_t sensor) { return fit.input.measured.traces.at(sensor).used; })
        .def("scenario",
             [](const FitResult& fit, std::size_t law) { return fit.laws.at(law).scenario; });
    module.def("fit",
               [](const fs::path& scenario, const fs::path& measured, const Texts& bounds,
                  const Texts& overrides, const std::string& target, const Texts& laws,
                  const std::string& noise, std::optional<double> arrival_noise,
                  const std::string& loss, const std::string& errors, const std::string& component,
                  const Texts& masks, const Texts& priors, const Texts& starts, int multistart,
                  const Texts& profile_likelihood, const fs::path& output, int threads,
                  bool overwrite, const py::object& progress) {
                   return fit({.scenario = scenario.string(),
                               .measured = measured.string(),
                               .bounds = bounds,
                               .overrides = overrides,
                               .target = target,
                               .laws = laws,
                               .noise = noise,
                               .arrival_noise = arrival_noise,
                               .loss = loss,
                               .errors = errors,
                               .component = component,
                               .masks = masks,
                               .priors = priors,
                               .starts = starts,
                               .multistart = multistart,
                               .profile_likelihood = profile_likelihood,
                               .output = output.string(),
                               .threads = threads,
                               .overwrite = overwrite},
                              progress);
               });
}

const RegisterBinding fits(bind_fit);

}  // namespace
}  // namespace beadwave::python
