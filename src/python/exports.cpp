// Files of other programs, and what to cite.
#include "python/bindings.hpp"
#include "python/run.hpp"
#include "ranks/communicator.hpp"
#include "tasks/cite.hpp"
#include "tasks/export_file.hpp"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <utility>

namespace py = pybind11;
namespace fs = std::filesystem;

namespace beadwave::python {
namespace {

struct Export {
    explicit Export(tasks::ExportRequest given) : request(std::move(given)), file(request) {}
    tasks::ExportRequest request;
    tasks::ExportFile file;
};

}  // namespace

void bind_exports(py::module_& module) {
    py::class_<Export, std::shared_ptr<Export>>(module, "ExportFile")
        .def(py::init([](const fs::path& history, const fs::path& output,
                         std::optional<std::int64_t> snapshot, bool copy, bool overwrite) {
            return unlocked([&] {
                return std::make_shared<Export>(tasks::ExportRequest{.history = history.string(),
                                                                     .output = output.string(),
                                                                     .snapshot = snapshot,
                                                                     .copy = copy,
                                                                     .overwrite = overwrite});
            });
        }))
        .def_property_readonly("arguments", [](const Export& one) { return one.file.arguments(); })
        .def("commit", [](Export& one) {
            ProgressCallback callback{py::none()};  // for interrupts
            unlocked(callback, [&] {
                const auto alone = ranks::serial_communicator();
                tasks::copy_snapshots(*alone, one.request, &one.file,
                                      [&] { return callback.stop(); });
                one.file.commit();
            });
        });
    module.def("cite", [](const std::vector<std::string>& names) {
        const tasks::Citations all = tasks::cite(names);
        return py::make_tuple(all.json().dump(), all.text(), all.bibtex());
    });
}

}  // namespace beadwave::python
