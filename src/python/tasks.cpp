// The commands as functions: sweep, compare, collide, laws, keys, watch, report.
#include "beadwave/laws/expression/own_function.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress_callback.hpp"
#include "tasks/collide.hpp"
#include "tasks/compare.hpp"
#include "tasks/keys.hpp"
#include "tasks/law_numbers.hpp"
#include "tasks/laws_json.hpp"
#include "tasks/progress.hpp"
#include "tasks/report_files.hpp"
#include "tasks/sweep.hpp"
#include "tasks/translate.hpp"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace beadwave::python {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

std::shared_ptr<tasks::Sweep> sweep(const tasks::SweepRequest& request, bool yes,
                                    const py::object& progress) {
    ProgressCallback callback(progress);
    callback.accepts_long_runs = yes;
    auto result = std::make_shared<tasks::Sweep>(
        unlocked(callback, [&] { return tasks::sweep(request, callback); }));
    callback.rethrow(result->hdf5.empty() ? "" : result->failure());
    return result;
}

/// A column of the table; for a quantity of the sensors, one column per sensor.
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

/// A quantity over time, runs x times.
py::array over_time(const py::object& self, const std::string& name) {
    const io::SweepTable& table = self.cast<const tasks::Sweep&>().table;
    const io::Columns& columns = table.columns();
    const auto times = static_cast<py::ssize_t>(columns.times.size());
    const double* at = table.numbers().data() + columns.first_over_time();
    for (const io::Quantity& quantity : columns.over_time) {
        if (quantity.name == name) {
            return view(
                at, {static_cast<py::ssize_t>(table.plan().runs()), times},
                {static_cast<py::ssize_t>(columns.width() * sizeof(double)), sizeof(double)}, self);
        }
        at += times;
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
        .def_property_readonly("failure", &Sweep::failure)
        .def_property_readonly("status", each_run([](const io::SweepTable& table, std::size_t run) {
                                   return io::name_of(table.status(run));
                               }))
        .def_property_readonly("errors", each_run([](const io::SweepTable& table, std::size_t run) {
                                   return table.error(run);
                               }))
        .def_property_readonly("warnings",
                               each_run([](const io::SweepTable& table, std::size_t run) {
                                   return table.warnings(run);
                               }))
        .def_property_readonly("keys",
                               [](const Sweep& sweep) {
                                   Texts keys;
                                   const io::SweepPlan& plan = sweep.table.plan();
                                   for (std::size_t k = 0; k < plan.combined(); ++k)
                                       keys.push_back(plan.keys()[k].key);
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
                 const io::Columns& columns = sweep.table.columns();
                 for (const auto& list : {columns.of_sensor, columns.of_run, columns.over_time}) {
                     for (const io::Quantity& q : list) {
                         if (q.name == name) return q.unit;
                     }
                 }
                 throw py::key_error(name);
             })
        .def("column", column)
        .def_property_readonly("times",
                               [](const Sweep& sweep) { return sweep.table.columns().times; })
        .def_property_readonly("over_time_names",
                               [](const Sweep& sweep) {
                                   Texts names;
                                   for (const auto& q : sweep.table.columns().over_time)
                                       names.push_back(q.name);
                                   return names;
                               })
        .def("over_time", over_time);
    module.def("sweep", [](const fs::path& scenario, const Texts& vary, const Texts& overrides,
                           const fs::path& output, const fs::path& csv, int threads, bool overwrite,
                           std::int64_t members, const Texts& disturb, std::uint64_t seed,
                           const Texts& over_time, bool yes, const py::object& progress) {
        return sweep({.scenario = scenario.string(),
                      .vary = vary,
                      .overrides = overrides,
                      .output = output.string(),
                      .csv = csv.string(),
                      .threads = threads,
                      .overwrite = overwrite,
                      .ensemble = {.members = members, .disturb = disturb, .seed = seed},
                      .over_time = over_time},
                     yes, progress);
    });
}

void bind_collide(py::module_& module) {
    using laws::CollisionMoment;
    using tasks::CollisionResult;
    py::class_<CollisionResult, std::shared_ptr<CollisionResult>>(module, "CollisionResult")
        .def_property_readonly("json", [](const CollisionResult& c) { return c.json().dump(); })
        .def_property_readonly("warnings", [](const CollisionResult& c) { return c.warnings(); })
        .def("trajectory", [](const py::object& self, const std::string& name) {
            const auto& trajectory = self.cast<const CollisionResult&>().trajectory;
            double CollisionMoment::*const part = name == "time"      ? &CollisionMoment::time
                                                  : name == "overlap" ? &CollisionMoment::overlap
                                                  : name == "approach_speed"
                                                      ? &CollisionMoment::approach_speed
                                                  : name == "force" ? &CollisionMoment::force
                                                                    : throw py::key_error(name);
            const double* first = trajectory.empty() ? nullptr : &(trajectory.front().*part);
            return view(first, {static_cast<py::ssize_t>(trajectory.size())},
                        {sizeof(CollisionMoment)}, self);
        });
    const auto collided = [](const auto& collide) {
        return unlocked([&] { return std::make_shared<CollisionResult>(collide()); });
    };
    module.def("collide", [=](const fs::path& file, const Texts& overrides, bool with_trajectory) {
        return collided([&] { return tasks::collide(file, overrides, with_trajectory); });
    });
    module.def("collide_text", [=](const std::string& text, const std::string& name,
                                   const fs::path& folder, bool with_trajectory) {
        return collided([&] { return tasks::collide_text(text, name, folder, with_trajectory); });
    });
}

}  // namespace

void bind_tasks(py::module_& module) {
    bind_sweep(module);
    bind_collide(module);
    module.def("compare", [](const fs::path& scenario, const Texts& laws, const Texts& overrides,
                             const fs::path& measured, int threads, const py::object& progress) {
        ProgressCallback callback(progress);
        const tasks::Comparison all = unlocked(callback, [&] {
            return tasks::compare({.scenario = scenario.string(),
                                   .laws = laws,
                                   .overrides = overrides,
                                   .measured = measured.string(),
                                   .threads = threads},
                                  callback);
        });
        callback.rethrow();
        return py::make_tuple(all.json().dump(), all.text());
    });
    module.def("laws", [] { return tasks::laws_json().dump(); });
    module.def("law_function",
               [](const std::string& name, std::uintptr_t address, unsigned arguments) {
                   // Samples the function, also where no law will: exceptions there mean nothing.
                   try {
                       const py::gil_scoped_release release;
                       laws::add_formula_function(
                           name, reinterpret_cast<laws::AnyFunction>(address), arguments);
                   } catch (const ArgumentError& error) {
                       throw InputError(error.what());
                   }
               });
    module.def("law_function_raised", &law_function_raised);
    module.def("law", [](const std::string& name) { return tasks::laws_json(name).dump(); });
    module.def("law_numbers", [](const std::string& law, const Texts& at) {
        return unlocked([&] { return tasks::law_numbers(law, at).json().dump(); });
    });
    module.def("translate",
               [](const std::string& law, const std::string& program, const fs::path& collision,
                  const Texts& overrides, const std::string& speeds, const std::string& masses) {
                   return unlocked([&] {
                       return tasks::translate({.law = law,
                                                .program = program,
                                                .collision = collision.string(),
                                                .overrides = overrides,
                                                .speeds = speeds,
                                                .masses = masses})
                           .json()
                           .dump();
                   });
               });
    module.def("keys", [](const std::string& name) { return tasks::keys_json(name).dump(); });
    module.def("watch", [](const fs::path& history) {
        return unlocked([&] { return tasks::poll(history).dump(); });
    });
    // With Python's lock: h5py uses the same library, and only one thread may.
    module.def("check_file", [](const fs::path& file) { io::hdf5::check_file(file); });
    py::class_<tasks::ReportFiles, std::shared_ptr<tasks::ReportFiles>>(module, "ReportFiles")
        .def(py::init([](const Texts& histories, const fs::path& output, const fs::path& svg,
                         const fs::path& png, const fs::path& gif, const fs::path& mp4,
                         const fs::path& picture, const fs::path& xdmf,
                         const std::map<std::string, std::optional<std::string>>& drawing,
                         const std::optional<std::string>& contacts, bool overwrite) {
            return unlocked([&] {
                return std::make_shared<tasks::ReportFiles>(
                    tasks::ReportRequest{.histories = histories,
                                         .output = output.string(),
                                         .svg = svg.string(),
                                         .png = png.string(),
                                         .gif = gif.string(),
                                         .mp4 = mp4.string(),
                                         .picture = picture.string(),
                                         .xdmf = xdmf.string(),
                                         .drawing = drawing,
                                         .contacts = contacts,
                                         .overwrite = overwrite});
            });
        }))
        .def_property_readonly("arguments", &tasks::ReportFiles::arguments)
        .def_property_readonly("names", &tasks::ReportFiles::names)
        .def("commit", [](tasks::ReportFiles& files) { unlocked([&] { files.commit(); }); });
}

}  // namespace beadwave::python
