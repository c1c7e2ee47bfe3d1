// Python functions as laws of a chain.
#include "dynamics/plain_engine.hpp"
#include "python/bindings.hpp"
#include "python/progress_callback.hpp"
#include "python/run.hpp"
#include "subjects/chain/chain_job.hpp"

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::python {
namespace {

/// Up to four numbers; Functions::numbers of them are in use.
using FunctionMemory = std::array<double, 4>;

/// The Python functions that replace a law.
struct Functions {
    py::object force;          ///< (overlap, speed, memory) -> force, or (force, next memory)
    py::object stored_energy;  ///< (overlap, memory) -> [J]; None: no energy is stored
    std::size_t numbers;       ///< that a contact remembers

    py::tuple tuple_of(const FunctionMemory& memory) const {
        py::tuple values(numbers);
        for (std::size_t k = 0; k < numbers; ++k)
            values[k] = memory[k];
        return values;
    }
};

/// Nothing if the value is not a number.
std::optional<double> number_of(const py::object& value) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() == nullptr) return number;
    PyErr_Clear();
    return std::nullopt;
}

/// Calls the functions, for closed contacts only, with the interpreter lock held.
struct FunctionLaw {
    using Memory = FunctionMemory;

    const Functions* functions;

    laws::LawTraits traits() const {
        return {.memory_numbers = Memory().size(), .conservative = false, .depends_on_speed = true};
    }

    laws::Response<double, Memory> respond(double overlap, double speed, Memory memory) const {
        if (!(overlap > 0.0)) return {.force = 0.0, .memory = memory};
        const py::object returned = functions->force(overlap, speed, functions->tuple_of(memory));
        const auto refuse = [&](const char* expected) {
            throw InputError(fmt::format(
                "the function of the law returned {} for an overlap of {:g} m and an approach "
                "speed of {:g} m/s; expected {}",
                py::repr(returned).cast<std::string>(), overlap, speed, expected));
        };
        // A run with too long a step can lose the overlap itself; that is not the function's fault.
        const bool sound = std::isfinite(overlap) && std::isfinite(speed);
        const auto number = [&](const py::object& value) {
            const auto read = number_of(value);
            if (!read || (sound && !std::isfinite(*read)))
                refuse("a finite force in N, or such a force and a tuple of finite numbers");
            return *read;
        };
        if (!py::isinstance<py::tuple>(returned)) return {number(returned), memory};
        const auto both = returned.cast<py::tuple>();
        if (both.size() != 2 || !py::isinstance<py::tuple>(both[1]) ||
            py::len(both[1]) != functions->numbers) {
            refuse(fmt::format("a force in N, or a force and a tuple of length memory = {}",
                               functions->numbers)
                       .c_str());
        }
        const auto next = py::tuple(both[1]);
        laws::Response<double, Memory> response{.force = number(both[0]), .memory = {}};
        for (std::size_t k = 0; k < next.size(); ++k)
            response.memory[k] = number(next[k]);
        return response;
    }

    double stored_energy(double overlap, Memory memory) const {
        if (functions->stored_energy.is_none() || !(overlap > 0.0)) return 0.0;
        const py::object returned = functions->stored_energy(overlap, functions->tuple_of(memory));
        const auto energy = number_of(returned);
        if (!energy || (std::isfinite(overlap) && !std::isfinite(*energy))) {
            throw InputError(fmt::format(
                "stored_energy: returned {} for an overlap of {:g} m; expected a finite energy in "
                "J",
                py::repr(returned).cast<std::string>(), overlap));
        }
        return *energy;
    }
};

std::shared_ptr<Run> run_with_law(const std::shared_ptr<jobs::Job>& job, const Functions& functions,
                                  const py::object& progress) {
    const auto chain = std::dynamic_pointer_cast<jobs::ChainJob>(job);
    if (!chain) throw InputError("a law from a function is only for chains");
    constexpr std::size_t limit = FunctionMemory().size();
    if (functions.numbers > limit)
        throw InputError("memory: at most " + std::to_string(limit) + " numbers");
    ProgressCallback callback(progress);
    const auto make = [&](const chain::Chain& model, double step) {
        const std::vector<FunctionLaw> law(model.beads() + 1, FunctionLaw{&functions});
        return std::make_unique<dynamics::PlainEngine<FunctionLaw>>(
            model, law, step, chain->settings().dissipation.any());
    };
    return run_of(job, chain->run_with(make, callback), callback);
}

const RegisterBinding function_law([](py::module_& module) {
    module.def("run_with_law",
               [](const std::shared_ptr<jobs::Job>& job, const py::object& force,
                  const py::object& stored_energy, std::size_t memory, const py::object& progress) {
                   return run_with_law(job, {force, stored_energy, memory}, progress);
               });
});

}  // namespace
}  // namespace beadwave::python
