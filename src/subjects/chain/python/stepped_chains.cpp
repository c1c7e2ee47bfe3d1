// Chains that run a number of steps, and whole runs with forces from Python.
#include "python/arrays.hpp"
#include "python/bind_stepper.hpp"
#include "python/bindings.hpp"
#include "python/stepped_kinds.hpp"
#include "subjects/chain/python/array_chain.hpp"
#include "subjects/chain/python/chain_stepper.hpp"

namespace beadwave::python {
namespace {

bool chain_constants(const std::shared_ptr<jobs::Job>& job, py::dict& constants) {
    const auto* const chain_job = dynamic_cast<const jobs::ChainJob*>(job.get());
    if (chain_job == nullptr) return false;
    const py::object owner = py::cast(job);
    const chain::Chain& chain = chain_job->system();
    constants["radius"] = view(std::span(chain.radius), owner);
    constants["mass"] = view(std::span(chain.mass), owner);
    constants["gap"] = view(std::span(chain.gap), owner);
    const std::vector<double> start = chain.positions();
    constants["start"] = py::array_t<double>(static_cast<py::ssize_t>(start.size()), start.data());
    return true;
}

std::shared_ptr<Run> run_chain_with_forces(const std::shared_ptr<jobs::Job>& job,
                                           const std::vector<Force>& forces,
                                           ProgressCallback& callback) {
    const auto chain = std::dynamic_pointer_cast<jobs::ChainJob>(job);
    if (!chain) return nullptr;
    std::vector<stepping::ExternalForce<double>> all;
    for (const auto& [beads, function] : forces)
        all.push_back(chain_force(beads, function));
    const auto make = [&](const chain::Chain& model, double step) {
        auto engine = std::make_unique<dynamics::ForcedEngine>(
            running::make_engine(model, chain->settings(), step, 1), step);
        for (const auto& force : all)
            engine->add_force(force);
        return engine;
    };
    return run_of(job, unlocked(callback, [&] { return chain->run_with(make, callback); }),
                  callback);
}

std::shared_ptr<jobs::Job> chain_from_arrays(const io::SystemState& state) {
    return make_array_chain(state.arrays, state.text, io::NamedFiles::from_texts(state.file_texts));
}

void bind_chain_stepper(py::module_& module) {
    bind_stepper<ChainStepper>(module, "ChainStepper")
        .def(py::init([](const std::shared_ptr<jobs::Job>& job, int threads) {
            return std::make_shared<ChainStepper>(job_of<jobs::ChainJob>(job), threads);
        }))
        .def("displacement",
             [](const py::object& self) {
                 return view(self.cast<const ChainStepper&>().engine().displacement(), self);
             })
        .def("velocity",
             [](const py::object& self) {
                 return view(self.cast<const ChainStepper&>().engine().velocity(), self);
             })
        .def("contact_force",
             [](const py::object& self) {
                 return view(self.cast<const ChainStepper&>().engine().contact_force(), self);
             })
        .def("open",
             [](const py::object& self) {
                 return view(self.cast<ChainStepper&>().open(), self, true);
             })
        .def("close", &ChainStepper::close);
}

const RegisterSteppedKind stepped_chains(
    {.constants = chain_constants,
     .run_with_forces = run_chain_with_forces,
     .restored = restored_stepper<ChainStepper, jobs::ChainJob>,
     .from_arrays = chain_from_arrays});
const RegisterBinding chain_stepper(bind_chain_stepper);

}  // namespace
}  // namespace beadwave::python
