// Modes, bands and transfer functions.
#include "tasks/modes.hpp"

#include "linear/entries.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress_callback.hpp"

#include <pybind11/complex.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <variant>

namespace beadwave::python {
namespace {

using modes::Complex;
using tasks::ModesResult;
using Shape = std::vector<py::ssize_t>;

/// Rows of numbers, as many in each as `columns`.
template <class Number>
py::array table(const std::vector<Number>& numbers, std::size_t columns, const py::object& owner) {
    const auto width = static_cast<py::ssize_t>(columns);
    const auto rows = columns == 0 ? 0 : static_cast<py::ssize_t>(numbers.size()) / width;
    constexpr auto size = static_cast<py::ssize_t>(sizeof(Number));
    return view(numbers.data(), Shape{rows, width}, Shape{width * size, size}, owner);
}

/// A property with an array that belongs to the result.
template <class Function>
auto owned(const Function& of) {
    return [of](const py::object& self) -> py::object {
        return of(self.cast<const ModesResult&>(), self);
    };
}

py::object shapes(const ModesResult& result, const py::object& owner) {
    const modes::Modes& m = result.analysis.modes;
    if (m.shape.empty()) return py::none();
    const auto count = static_cast<py::ssize_t>(m.frequency.size()),
               bodies = static_cast<py::ssize_t>(result.analysis.body.size()),
               components = static_cast<py::ssize_t>(result.analysis.components());
    constexpr auto size = static_cast<py::ssize_t>(sizeof(Complex));
    return view(m.shape.data(), Shape{count, bodies, components},
                Shape{bodies * components * size, components * size, size}, owner);
}

py::object dispersion(const ModesResult& result, const py::object& owner) {
    if (!result.analysis.dispersion) return py::none();
    const modes::Dispersion& d = *result.analysis.dispersion;
    py::dict all;
    all["cell_bodies"] = d.cell_bodies;
    all["lattice"] = d.lattice;
    all["wave_vector"] = table(d.wave_vector, d.components, owner);
    all["frequency"] = table(d.frequency, d.branches, owner);
    if (!d.group_velocity.empty()) {
        all["group_velocity"] = table(d.group_velocity, d.branches, owner);
    }
    return all;
}

py::object bands(const ModesResult& result, const py::object& owner) {
    if (!result.analysis.dispersion) return py::none();
    const std::vector<modes::Band>& all = result.analysis.dispersion->bands;
    return view(all.empty() ? nullptr : &all.front().lower,
                Shape{static_cast<py::ssize_t>(all.size()), 2},
                Shape{sizeof(modes::Band), sizeof(double)}, owner);
}

py::object transfer(const ModesResult& result, const py::object& owner) {
    if (!result.analysis.transfer) return py::none();
    const modes::Transfer& t = *result.analysis.transfer;
    py::dict all;
    all["input"] = t.input;
    all["input_unit"] = t.by_wall ? "m" : "N";
    all["sensors"] = t.sensors;
    all["frequency"] = view(std::span(t.frequency), owner);
    for (const auto& [name, numbers] :
         {std::pair("displacement", &t.displacement), std::pair("force", &t.force)}) {
        py::object array = table(*numbers, t.sensors.size() * t.components, owner);
        if (t.components > 1) {
            array = array.attr("reshape")(t.frequency.size(), t.sensors.size(), t.components);
        }
        all[name] = array;
    }
    return all;
}

py::tuple entries(const ModesResult& result) {
    const linear::Entries e =
        std::visit([](const auto& linear) { return linear::entries_of(linear); }, result.linear);
    const auto copy = [](const auto& numbers) {
        using Number = typename std::decay_t<decltype(numbers)>::value_type;
        return py::array_t<Number>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
    };
    return py::make_tuple(copy(e.mass), copy(e.row), copy(e.column), copy(e.stiffness),
                          copy(e.damping));
}

}  // namespace

void bind_modes(py::module_& module) {
    py::class_<ModesResult, std::shared_ptr<ModesResult>>(module, "ModesResult")
        .def_property_readonly("json", [](const ModesResult& r) { return r.json().dump(); })
        .def_property_readonly("text", &ModesResult::text)
        .def_property_readonly("warnings", [](const ModesResult& r) { return r.warnings; })
        .def_property_readonly("zero_frequencies",
                               [](const ModesResult& r) { return r.analysis.modes.rigid; })
        .def_property_readonly("frequency", owned([](const ModesResult& r, const py::object& self) {
                                   return view(std::span(r.analysis.modes.frequency), self);
                               }))
        .def_property_readonly("damping_ratio",
                               owned([](const ModesResult& r, const py::object& self) {
                                   return view(std::span(r.analysis.modes.damping_ratio), self);
                               }))
        .def_property_readonly(
            "participation_ratio", owned([](const ModesResult& r, const py::object& self) {
                return view(std::span(r.analysis.modes.participation_ratio), self);
            }))
        .def_property_readonly("body", owned([](const ModesResult& r, const py::object& self) {
                                   return view(std::span(r.analysis.body), self);
                               }))
        .def_property_readonly("position", owned([](const ModesResult& r, const py::object& self) {
                                   const auto& all = r.analysis.position;
                                   const auto count = static_cast<py::ssize_t>(all.size());
                                   return view(all.empty() ? nullptr : all.front().data(),
                                               Shape{count, 3},
                                               Shape{3 * sizeof(double), sizeof(double)}, self);
                               }))
        .def_property_readonly("shape", owned(shapes))
        .def_property_readonly("bands", owned(bands))
        .def_property_readonly("dispersion", owned(dispersion))
        .def_property_readonly("transfer", owned(transfer))
        .def_property_readonly("entries", entries);
    module.def("modes", [](const jobs::Job& job, const std::string& name,
                           const std::filesystem::path& output, const std::string& transfer_range,
                           const std::string& input, const std::string& path, std::size_t lowest,
                           int threads, bool overwrite) {
        return unlocked([&] {
            return std::make_shared<ModesResult>(tasks::modes_of(job, name,
                                                                 {.output = output.string(),
                                                                  .transfer = transfer_range,
                                                                  .input = input,
                                                                  .path = path,
                                                                  .lowest = lowest,
                                                                  .threads = threads,
                                                                  .overwrite = overwrite}));
        });
    });
}

}  // namespace beadwave::python
