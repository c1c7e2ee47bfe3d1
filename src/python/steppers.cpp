// Chains and packings that run a number of steps: their members for Python, and whole runs with
// forces from Python.
#include "io/durable/checksum_header.hpp"
#include "jobs/read_job.hpp"
#include "python/array_chain.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/chain_stepper.hpp"
#include "python/external_functions.hpp"
#include "python/packing_stepper.hpp"
#include "python/run.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

namespace beadwave::python {
namespace {

using packing::Vec3;
using Vectors = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Force = std::pair<std::vector<std::size_t>, py::object>;

static_assert(sizeof(Vec3) == 3 * sizeof(double));

py::array_t<double> array_of(const std::vector<Vec3>& vectors) {
    const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(vectors.size()), 3};
    return py::array_t<double>(shape, reinterpret_cast<const double*>(vectors.data()));
}

std::vector<Vec3> vectors_of(const Vectors& array) {
    std::vector<Vec3> vectors(static_cast<std::size_t>(array.size()) / 3);
    std::copy_n(array.data(), 3 * vectors.size(), reinterpret_cast<double*>(vectors.data()));
    return vectors;
}

template <class Kind>
std::shared_ptr<Kind> job_of(const std::shared_ptr<jobs::Job>& job) {
    auto kind = std::dynamic_pointer_cast<Kind>(job);
    if (!kind) throw InputError("run: only chains and packings run a number of steps");
    return kind;
}

py::dict contacts_of(PackingStepper& stepper) {
    const std::vector<packing::ContactState> all = stepper.contacts();
    const auto count = static_cast<py::ssize_t>(all.size());
    py::array_t<std::int64_t> pair({count, py::ssize_t{2}});
    py::array_t<double> overlap(count);
    auto pairs = pair.mutable_unchecked<2>();
    auto overlaps = overlap.mutable_unchecked<1>();
    for (py::ssize_t k = 0; k < count; ++k) {
        const packing::ContactState& c = all[static_cast<std::size_t>(k)];
        pairs(k, 0) = static_cast<std::int64_t>(c.first);
        pairs(k, 1) = static_cast<std::int64_t>(c.second);
        overlaps(k) = c.overlap;
    }
    py::dict columns;
    columns["pair"] = pair;
    columns["overlap"] = overlap;
    const auto vectors = [&](const char* name, Vec3 packing::ContactState::*member) {
        std::vector<Vec3> column;
        for (const packing::ContactState& c : all)
            column.push_back(c.*member);
        columns[name] = array_of(column);
    };
    vectors("point", &packing::ContactState::point);
    vectors("branch", &packing::ContactState::branch);
    vectors("normal_force", &packing::ContactState::normal_force);
    vectors("tangential_force", &packing::ContactState::tangential_force);
    return columns;
}

py::dict bonds_of(PackingStepper& stepper) {
    std::vector<Vec3> branch, force;
    for (const observers::BondState& bond : stepper.bonds()) {
        branch.push_back(bond.branch);
        force.push_back(bond.force);
    }
    py::dict columns;
    columns["branch"] = array_of(branch);
    columns["force"] = array_of(force);
    return columns;
}

/// Views of what does not change, by name.
py::dict constants_of(const std::shared_ptr<jobs::Job>& job) {
    const py::object owner = py::cast(job);
    py::dict constants;
    if (const auto* chain_job = dynamic_cast<const jobs::ChainJob*>(job.get())) {
        const chain::Chain& chain = chain_job->system();
        constants["radius"] = view(std::span(chain.radius), owner);
        constants["mass"] = view(std::span(chain.mass), owner);
        constants["gap"] = view(std::span(chain.gap), owner);
        const std::vector<double> start = chain.positions();
        constants["start"] =
            py::array_t<double>(static_cast<py::ssize_t>(start.size()), start.data());
    } else if (const auto* packing_job = dynamic_cast<const jobs::PackingJob*>(job.get())) {
        const packing::Packing& packing = packing_job->system();
        constants["radius"] = view(std::span(packing.radius), owner);
        constants["mass"] = view(std::span(packing.mass), owner);
        constants["inertia"] = view(std::span(packing.inertia), owner);
        constants["start"] = array_of(packing.position);
        constants["dimension"] = packing.dimension;
        constants["box"] = array_of({packing.box.lower, packing.box.upper});
        constants["periodic"] = packing.box.periodic;
    }
    return constants;
}

std::shared_ptr<Run> run_with_forces(const std::shared_ptr<jobs::Job>& job,
                                     const std::vector<Force>& forces, const py::object& progress) {
    ProgressCallback callback(progress);
    if (const auto chain = std::dynamic_pointer_cast<jobs::ChainJob>(job)) {
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
    const auto packing = job_of<jobs::PackingJob>(job);
    std::vector<stepping::ExternalForce<Vec3>> all;
    for (const auto& [particles, function] : forces)
        all.push_back(packing_force(particles, function));
    const auto make = [&](const packing::Packing& model, double step, int threads) {
        auto engine = std::make_unique<packing::ForcedPackingEngine>(
            packing::make_packing_engine(model, step, threads));
        for (const auto& force : all)
            engine->add_force(force);
        return engine;
    };
    return run_of(job, unlocked(callback, [&] { return packing->run_with(make, callback); }),
                  callback);
}

namespace fs = std::filesystem;

template <class Stepper>
void save(Stepper& stepper, const fs::path& file, bool overwrite) {
    const io::SystemState state = stepper.saved();
    unlocked([&] { io::write_state({file, overwrite}, state); });
}

/// The job and the stepper of a saved state.
py::tuple load_state(const fs::path& file) {
    std::shared_ptr<jobs::Job> job;
    const io::SystemState state = unlocked([&] {
        io::SystemState read = io::read_state(file);
        if (read.arrays.empty()) {
            job = jobs::read_job_text(read.text, file.string(), fs::path(), {}, read.file_texts);
        } else {
            job = make_array_chain(read.arrays, read.text,
                                   io::NamedFiles::from_texts(read.file_texts));
        }
        return read;
    });
    try {
        if (auto chain = std::dynamic_pointer_cast<jobs::ChainJob>(job)) {
            auto stepper = std::make_shared<ChainStepper>(chain, 0);
            unlocked([&] { stepper->restore(state); });
            return py::make_tuple(job, stepper);
        }
        auto stepper = std::make_shared<PackingStepper>(job_of<jobs::PackingJob>(job), 0);
        unlocked([&] { stepper->restore(state); });
        return py::make_tuple(job, stepper);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
}

}  // namespace

void bind_steppers(py::module_& module) {
    const auto shared = [](auto& type) {
        using Stepper = typename std::remove_reference_t<decltype(type)>::type;
        type.def("run", &Stepper::run)
            .def_property_readonly("timestep", &Stepper::timestep)
            .def_property_readonly("time", &Stepper::time)
            .def("energy", &Stepper::energy)
            .def("add_force", &Stepper::add_force)
            .def("remove_force", &Stepper::remove_force)
            .def("copy", &Stepper::copy)
            .def("save", &save<Stepper>);
    };
    py::class_<ChainStepper, std::shared_ptr<ChainStepper>> chains(module, "ChainStepper");
    shared(chains);
    chains
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

    py::class_<PackingStepper, std::shared_ptr<PackingStepper>> packings(module, "PackingStepper");
    shared(packings);
    packings
        .def(py::init([](const std::shared_ptr<jobs::Job>& job, int threads) {
            return std::make_shared<PackingStepper>(job_of<jobs::PackingJob>(job), threads);
        }))
        .def("displacement",
             [](PackingStepper& s) {
                 return array_of(s.vectors(&packing::PackingEngine::displacement));
             })
        .def("velocity",
             [](PackingStepper& s) {
                 return array_of(s.vectors(&packing::PackingEngine::velocity));
             })
        .def("angular_velocity",
             [](PackingStepper& s) {
                 return array_of(s.vectors(&packing::PackingEngine::angular_velocity));
             })
        .def("contacts", contacts_of)
        .def("bonds", bonds_of)
        .def("presence",
             [](PackingStepper& s) {
                 const std::vector<std::int8_t> all = s.presence();
                 return py::array_t<std::int8_t>(static_cast<py::ssize_t>(all.size()), all.data());
             })
        .def("drive_force", [](PackingStepper& s) { return array_of(s.drive_forces()); })
        .def("walls",
             [](PackingStepper& s) {
                 const auto [point, normal] = s.walls();
                 return py::make_tuple(array_of(point), array_of(normal));
             })
        .def("box",
             [](PackingStepper& s) {
                 const packing::BoxState now = s.box();
                 const auto rows = [](const packing::Edges& e) {
                     return array_of(
                         {{e.of[0], 0, 0}, {e.of[3], e.of[1], 0}, {e.of[4], e.of[5], e.of[2]}});
                 };
                 return py::make_tuple(rows(now.edges), rows(now.rate));
             })
        .def("open", &PackingStepper::open)
        .def("close",
             [](PackingStepper& s, const Vectors& velocity, const Vectors& angular_velocity) {
                 s.close(vectors_of(velocity), vectors_of(angular_velocity));
             });

    module.def("constants", constants_of);
    module.def("run_with_forces", run_with_forces);
    module.def("is_state", [](const fs::path& file) {  // looking into a pipe would empty it
        std::error_code ignored;
        return fs::is_regular_file(file, ignored) && io::begins_as_checkpoint(file);
    });
    module.def("load_state", load_state);
}

}  // namespace beadwave::python
