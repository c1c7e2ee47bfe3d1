// Files of other programs, and what to cite.
#include "python/bindings.hpp"
#include "python/run.hpp"
#include "tasks/cite.hpp"
#include "tasks/export_file.hpp"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace py = pybind11;
namespace fs = std::filesystem;

namespace beadwave::python {

void bind_exports(py::module_& module) {
    py::class_<tasks::ExportFile, std::shared_ptr<tasks::ExportFile>>(module, "ExportFile")
        .def(py::init([](const fs::path& history, const fs::path& output,
                         std::optional<std::int64_t> snapshot, bool overwrite) {
            return unlocked([&] {
                return std::make_shared<tasks::ExportFile>(
                    tasks::ExportRequest{.history = history.string(),
                                         .output = output.string(),
                                         .snapshot = snapshot,
                                         .overwrite = overwrite});
            });
        }))
        .def_property_readonly("arguments", &tasks::ExportFile::arguments)
        .def("commit", [](tasks::ExportFile& file) { unlocked([&] { file.commit(); }); });
    module.def("cite", [](const std::vector<std::string>& names) {
        const tasks::Citations all = tasks::cite(names);
        return py::make_tuple(all.json().dump(), all.text(), all.bibtex());
    });
}

}  // namespace beadwave::python
