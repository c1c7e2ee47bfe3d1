// Modes, bands and transfer functions.
#include "subjects/modes/modes.hpp"

#include "linear/entries.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress_callback.hpp"

#include <nlohmann/json.hpp>
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

py::object places(const std::vector<std::array<double, 3>>& all, const py::object& owner) {
    return view(all.empty() ? nullptr : all.front().data(),
                Shape{static_cast<py::ssize_t>(all.size()), 3},
                Shape{3 * sizeof(double), sizeof(double)}, owner);
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

/// Points x branches, in space x components.
py::object velocities(const std::vector<double>& numbers, const modes::Dispersion& d,
                      const py::object& owner) {
    py::object array = table(numbers, d.branches * d.components, owner);
    if (d.components > 1) array = array.attr("reshape")(-1, d.branches, d.components);
    return array;
}

py::object dispersion(const ModesResult& result, const py::object& owner) {
    if (!result.analysis.dispersion) return py::none();
    const modes::Dispersion& d = *result.analysis.dispersion;
    py::dict all;
    all["cell_bodies"] = d.cell_bodies;
    all["lattice"] = d.lattice;
    all["wave_vector"] = table(d.wave_vector, d.components, owner);
    all["frequency"] = table(d.frequency, d.branches, owner);
    all["group_velocity"] = velocities(d.group_velocity, d, owner);
    return all;
}

py::object grid(const ModesResult& result, const py::object& owner) {
    if (!result.analysis.dispersion || !result.analysis.dispersion->grid) return py::none();
    const modes::Dispersion& d = *result.analysis.dispersion;
    const std::array<std::size_t, 3>& n = d.grid->points;
    py::dict all;
    all["wave_vector"] = table(d.grid->wave_vector, 3, owner).attr("reshape")(n[0], n[1], n[2], 3);
    all["frequency"] =
        table(d.grid->frequency, d.branches, owner).attr("reshape")(n[0], n[1], n[2], d.branches);
    all["group_velocity"] = velocities(d.grid->group_velocity, d, owner)
                                .attr("reshape")(n[0], n[1], n[2], d.branches, 3);
    return all;
}

py::object density(const ModesResult& result, const py::object& owner) {
    if (!result.analysis.density) return py::none();
    const modes::DensityOfStates& d = *result.analysis.density;
    return py::make_tuple(view(std::span(d.edge), owner), view(std::span(d.density), owner));
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

using Linear = std::variant<linear::ChainOperator, linear::PackingOperator>;

py::tuple entries(const Linear& system) {
    const linear::Entries e =
        std::visit([](const auto& linear) { return linear::entries_of(linear); }, system);
    const auto copy = [](const auto& numbers) {
        using Number = typename std::decay_t<decltype(numbers)>::value_type;
        return py::array_t<Number>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
    };
    return py::make_tuple(copy(e.mass), copy(e.row), copy(e.column), copy(e.stiffness),
                          copy(e.damping));
}

void bind_modes(py::module_& module) {
    using tasks::LinearSystem;
    py::class_<LinearSystem, std::shared_ptr<LinearSystem>>(module, "LinearSystem")
        .def_property_readonly("warnings", [](const LinearSystem& s) { return s.warnings; })
        .def_property_readonly("body",
                               [](const py::object& self) {
                                   return view(std::span(self.cast<const LinearSystem&>().body),
                                               self);
                               })
        .def_property_readonly("position",
                               [](const py::object& self) {
                                   return places(self.cast<const LinearSystem&>().position, self);
                               })
        .def_property_readonly("entries", [](const LinearSystem& s) { return entries(s.linear); });
    module.def("linearise", [](const jobs::Job& job, const std::string& name) {
        return unlocked(
            [&] { return std::make_shared<LinearSystem>(tasks::linearise(job, name)); });
    });
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
                                   return places(r.analysis.position, self);
                               }))
        .def_property_readonly("shape", owned(shapes))
        .def_property_readonly("bands", owned(bands))
        .def_property_readonly("dispersion", owned(dispersion))
        .def_property_readonly("transfer", owned(transfer))
        .def_property_readonly("grid", owned(grid))
        .def_property_readonly("density_of_states", owned(density))
        .def_property_readonly("entries", [](const ModesResult& r) { return entries(r.linear); });
    module.def("modes", [](const jobs::Job& job, const std::string& name,
                           const std::filesystem::path& output, const std::string& transfer_range,
                           const std::string& input, const std::string& path,
                           const std::string& grid_points, std::size_t lowest, bool no_modes,
                           int threads, bool overwrite) {
        ProgressCallback callback{py::none()};
        const tasks::ModesRequest request{.output = output.string(),
                                          .transfer = transfer_range,
                                          .input = input,
                                          .path = path,
                                          .grid = grid_points,
                                          .lowest = lowest,
                                          .no_modes = no_modes,
                                          .threads = threads,
                                          .overwrite = overwrite,
                                          .stop = [&] { return callback.stop(); }};
        return unlocked(callback, [&] {
            const auto result = std::make_shared<ModesResult>(tasks::modes_of(job, name, request));
            tasks::write_modes(*result, request);
            return result;
        });
    });
}

const RegisterBinding modes(bind_modes);

}  // namespace
}  // namespace beadwave::python
