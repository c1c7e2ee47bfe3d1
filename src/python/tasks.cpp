// What the commands do, as functions: sweep, compare, fit, collide, laws, a look at a run, reports.
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/watcher.hpp"
#include "tasks/collide.hpp"
#include "tasks/compare.hpp"
#include "tasks/fit_laws.hpp"
#include "tasks/laws_json.hpp"
#include "tasks/progress.hpp"
#include "tasks/report_files.hpp"
#include "tasks/sweep.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <future>

namespace beadwave::python {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

std::shared_ptr<tasks::Sweep> sweep(const tasks::SweepRequest& request,
                                    const py::object& progress) {
    Watcher watcher(progress);
    auto result = std::make_shared<tasks::Sweep>(
        unlocked(watcher, [&] { return tasks::sweep(request, watcher); }));
    watcher.rethrow(result->hdf5.empty() ? "" : result->trouble());
    return result;
}

/// A column of the table; of a quantity of the sensors one column a sensor.
py::array column(const py::object& self, const std::string& name) {
    const io::SweepTable& table = self.cast<const tasks::Sweep&>().table;
    const io::Columns& columns = table.columns();
    const auto runs = static_cast<py::ssize_t>(table.plan().runs());
    const auto sensors = static_cast<py::ssize_t>(columns.sensors.size());
    const auto stride = static_cast<py::ssize_t>(columns.width() * sizeof(double));
    const double* at = table.numbers().data();
    for (const io::Quantity& quantity : columns.of_sensor) {
        if (quantity.name == name) return view(at, {runs, sensors}, {stride, sizeof(double)}, self);
        at += sensors;
    }
    for (const io::Quantity& quantity : columns.of_run) {
        if (quantity.name == name) return view(at, {runs}, {stride}, self);
        ++at;
    }
    throw py::key_error(name);
}

void bind_sweep(py::module_& module) {
    using tasks::Sweep;
    const auto each_run = [](const auto& of) {
        return [of](const Sweep& sweep) {
            Texts all;
            for (std::size_t run = 0; run < sweep.table.plan().runs(); ++run)
                all.emplace_back(of(sweep.table, run));
            return all;
        };
    };
    py::class_<Sweep, std::shared_ptr<Sweep>>(module, "Sweep")
        .def_property_readonly("json", [](const Sweep& sweep) { return sweep.json().dump(); })
        .def_property_readonly("text", &Sweep::text)
        .def_property_readonly("trouble", &Sweep::trouble)
        .def_property_readonly("status", each_run([](const io::SweepTable& table, std::size_t run) {
                                   return io::name_of(table.status(run));
                               }))
        .def_property_readonly("errors", each_run([](const io::SweepTable& table, std::size_t run) {
                                   return table.error(run);
                               }))
        .def_property_readonly("notes", each_run([](const io::SweepTable& table, std::size_t run) {
                                   return table.note(run);
                               }))
        .def_property_readonly("keys",
                               [](const Sweep& sweep) {
                                   Texts keys;
                                   for (const io::VariedKey& key : sweep.table.plan().keys())
                                       keys.push_back(key.key);
                                   return keys;
                               })
        .def("values",
             [](const Sweep& sweep, std::size_t key) {
                 Texts values;
                 for (std::size_t run = 0; run < sweep.table.plan().runs(); ++run)
                     values.push_back(sweep.table.plan().value(run, key));
                 return values;
             })
        .def_property_readonly("sensors",
                               [](const Sweep& sweep) { return sweep.table.columns().sensors; })
        .def_property_readonly("names",
                               [](const Sweep& sweep) {
                                   Texts names;
                                   for (const auto& q : sweep.table.columns().of_sensor)
                                       names.push_back(q.name);
                                   for (const auto& q : sweep.table.columns().of_run)
                                       names.push_back(q.name);
                                   return names;
                               })
        .def("unit",
             [](const Sweep& sweep, const std::string& name) {
                 for (const auto& list :
                      {sweep.table.columns().of_sensor, sweep.table.columns().of_run}) {
                     for (const io::Quantity& q : list) {
                         if (q.name == name) return q.unit;
                     }
                 }
                 throw py::key_error(name);
             })
        .def("column", column);
    module.def("sweep", [](const fs::path& scenario, const Texts& vary, const Texts& overrides,
                           const fs::path& output, const fs::path& csv, int threads, bool force,
                           const py::object& progress) {
        return sweep({.scenario = scenario.string(),
                      .vary = vary,
                      .overrides = overrides,
                      .output = output.string(),
                      .csv = csv.string(),
                      .threads = threads,
                      .force = force},
                     progress);
    });
}

/// A fit asks whether to stop from threads of its own: it has one to itself, and this one, which
/// alone may ask the interpreter, looks after it.
std::shared_ptr<tasks::FitResult> fit(const tasks::FitRequest& request) {
    Watcher watcher{py::none()};
    auto result = std::make_shared<tasks::FitResult>(unlocked(watcher, [&] {
        auto work =
            std::async(std::launch::async, [&] { return tasks::fit_laws(request, watcher); });
        while (work.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
            watcher.stop();
        return work.get();
    }));
    watcher.rethrow();
    return result;
}

void bind_fit(py::module_& module) {
    using tasks::FitResult;
    py::class_<FitResult, std::shared_ptr<FitResult>>(module, "FitResult")
        .def_property_readonly("json", [](const FitResult& fit) { return fit.json().dump(); })
        .def_property_readonly("text", &FitResult::text)
        .def_property_readonly("notes", &FitResult::notes)
        .def_property_readonly("time",
                               [](const py::object& self) {
                                   const auto& fit = self.cast<const FitResult&>();
                                   return view(std::span(fit.task.measured.time), self);
                               })
        .def("measured",
             [](const py::object& self, std::size_t sensor) {
                 const auto& fit = self.cast<const FitResult&>();
                 return view(std::span(fit.task.measured.traces.at(sensor).force), self);
             })
        .def("computed",
             [](const py::object& self, std::size_t law, std::size_t sensor) {
                 const auto& fit = self.cast<const FitResult&>();
                 return view(std::span(fit.laws.at(law).computed.at(sensor)), self);
             })
        .def("scenario",
             [](const FitResult& fit, std::size_t law) { return fit.laws.at(law).scenario; });
    module.def("fit", [](const fs::path& scenario, const fs::path& measured, const Texts& vary,
                         const Texts& overrides, const std::string& of, const Texts& laws,
                         const std::string& noise, std::optional<double> arrival_noise, int starts,
                         const Texts& profiled, const fs::path& output, int threads, bool force) {
        return fit({.scenario = scenario.string(),
                    .measured = measured.string(),
                    .vary = vary,
                    .overrides = overrides,
                    .of = of,
                    .laws = laws,
                    .noise = noise,
                    .arrival_noise = arrival_noise,
                    .starts = starts,
                    .profiled = profiled,
                    .output = output.string(),
                    .threads = threads,
                    .force = force});
    });
}

void bind_collide(py::module_& module) {
    using laws::CollisionMoment;
    using tasks::CollisionResult;
    py::class_<CollisionResult, std::shared_ptr<CollisionResult>>(module, "CollisionResult")
        .def_property_readonly("json", [](const CollisionResult& c) { return c.json().dump(); })
        .def_property_readonly("notes", [](const CollisionResult& c) { return c.collided.notes; })
        .def("course", [](const py::object& self, const std::string& name) {
            const auto& course = self.cast<const CollisionResult&>().course;
            double CollisionMoment::*const part = name == "time"      ? &CollisionMoment::time
                                                  : name == "overlap" ? &CollisionMoment::overlap
                                                  : name == "approach_speed"
                                                      ? &CollisionMoment::approach_speed
                                                  : name == "force" ? &CollisionMoment::force
                                                                    : throw py::key_error(name);
            const double* first = course.empty() ? nullptr : &(course.front().*part);
            return view(first, {static_cast<py::ssize_t>(course.size())}, {sizeof(CollisionMoment)},
                        self);
        });
    const auto collided = [](const auto& read, bool with_course) {
        return unlocked(
            [&] { return std::make_shared<CollisionResult>(tasks::collide(read(), with_course)); });
    };
    module.def("collide", [=](const fs::path& file, const Texts& overrides, bool with_course) {
        return collided([&] { return io::read_case(file, overrides); }, with_course);
    });
    module.def("collide_text",
               [=](const std::string& text, const std::string& name, bool with_course) {
                   return collided([&] { return io::read_case_text(text, name); }, with_course);
               });
}

}  // namespace

void bind_tasks(py::module_& module) {
    bind_sweep(module);
    bind_fit(module);
    bind_collide(module);
    module.def("compare", [](const fs::path& scenario, const Texts& laws, const Texts& overrides,
                             const fs::path& measured, int threads) {
        Watcher watcher{py::none()};
        const tasks::Comparison all = unlocked(watcher, [&] {
            return tasks::compare({.scenario = scenario.string(),
                                   .laws = laws,
                                   .overrides = overrides,
                                   .measured = measured.string(),
                                   .threads = threads},
                                  watcher);
        });
        return py::make_tuple(all.json().dump(), all.text());
    });
    module.def("laws", [] { return tasks::laws_json().dump(); });
    module.def("law", [](const std::string& name) { return tasks::laws_json(name).dump(); });
    module.def("look", [](const fs::path& history) {
        return unlocked([&] { return tasks::look(history).dump(); });
    });
    py::class_<tasks::ReportFiles, std::shared_ptr<tasks::ReportFiles>>(module, "ReportFiles")
        .def(py::init([](const Texts& histories, const fs::path& output, const fs::path& svg,
                         const fs::path& png, const fs::path& xdmf,
                         const std::optional<std::string>& contacts, bool force) {
            return unlocked([&] {
                return std::make_shared<tasks::ReportFiles>(
                    tasks::ReportRequest{.histories = histories,
                                         .output = output.string(),
                                         .svg = svg.string(),
                                         .png = png.string(),
                                         .xdmf = xdmf.string(),
                                         .contacts = contacts,
                                         .force = force});
            });
        }))
        .def_property_readonly("arguments", &tasks::ReportFiles::arguments)
        .def_property_readonly("names", &tasks::ReportFiles::names)
        .def("publish", [](tasks::ReportFiles& files) { unlocked([&] { files.publish(); }); });
}

}  // namespace beadwave::python
