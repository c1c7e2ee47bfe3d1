// Packings that run a number of steps, and whole runs with forces from Python.
#include "packing/build/particle_shapes.hpp"
#include "python/arrays.hpp"
#include "python/bind_stepper.hpp"
#include "python/bindings.hpp"
#include "python/stepped_kinds.hpp"
#include "subjects/packing/python/packing_stepper.hpp"

namespace beadwave::python {
namespace {

using packing::Vec3;
using Vectors = py::array_t<double, py::array::c_style | py::array::forcecast>;

static_assert(sizeof(Vec3) == 3 * sizeof(double));

py::array_t<double> array_of(const std::vector<Vec3>& vectors) {
    const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(vectors.size()), 3};
    return py::array_t<double>(shape, reinterpret_cast<const double*>(vectors.data()));
}

py::array_t<double> quaternion_array(const std::vector<shapes::Quaternion>& quaternions) {
    static_assert(sizeof(shapes::Quaternion) == 4 * sizeof(double));
    const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(quaternions.size()), 4};
    return py::array_t<double>(shape, reinterpret_cast<const double*>(quaternions.data()));
}

std::vector<Vec3> vectors_of(const Vectors& array) {
    std::vector<Vec3> vectors(static_cast<std::size_t>(array.size()) / 3);
    std::copy_n(array.data(), 3 * vectors.size(), reinterpret_cast<double*>(vectors.data()));
    return vectors;
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

py::array column_of(const packing::ParticleColumn<double>& of) {
    py::array_t<double> column(static_cast<py::ssize_t>(of.size()), of.all().data());
    column.attr("setflags")(py::arg("write") = false);
    return column;
}

bool packing_constants(const std::shared_ptr<jobs::Job>& job, py::dict& constants) {
    const auto* const packing_job = dynamic_cast<const jobs::PackingJob*>(job.get());
    if (packing_job == nullptr) return false;
    const packing::Packing& packing = packing_job->system();
    constants["radius"] = column_of(packing.radius);
    constants["mass"] = column_of(packing.mass);
    if (packing.has_shapes()) {
        std::vector<Vec3> moments;
        for (std::size_t i = 0; i < packing.particles(); ++i)
            moments.push_back(packing::principal_moments(packing, i));
        constants["inertia"] = array_of(moments);
    } else {
        constants["inertia"] = column_of(packing.inertia);
    }
    constants["semi_axes"] = array_of(packing.semi_axes);
    py::array_t<double> exponents({packing.exponents.size(), std::size_t{2}});
    for (std::size_t i = 0; i < packing.exponents.size(); ++i) {
        exponents.mutable_at(i, 0) = packing.exponents[i].plane;
        exponents.mutable_at(i, 1) = packing.exponents[i].axis;
    }
    constants["exponents"] = exponents;
    constants["start"] = array_of(packing.position);
    constants["dimension"] = packing.dimension;
    constants["box"] = array_of({packing.box.lower, packing.box.upper});
    constants["periodic"] = packing.box.periodic;
    return true;
}

std::shared_ptr<Run> run_packing_with_forces(const std::shared_ptr<jobs::Job>& job,
                                             const std::vector<Force>& forces,
                                             ProgressCallback& callback) {
    const auto packing = std::dynamic_pointer_cast<jobs::PackingJob>(job);
    if (!packing) return nullptr;
    std::vector<stepping::ExternalForce<Vec3>> all;
    for (const auto& [particles, function] : forces)
        all.push_back(packing_force(particles, function));
    const auto make = [&](const packing::Packing& model, double step, int threads) {
        auto engine =
            running::make_engine(model, running::settings_of(packing->scenario()), step, threads);
        for (const auto& force : all)
            engine->add_force(force);
        return engine;
    };
    return run_of(job, unlocked(callback, [&] { return packing->run_with(make, callback); }),
                  callback);
}

void bind_packing_stepper(py::module_& module) {
    bind_stepper<PackingStepper>(module, "PackingStepper")
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
        .def("orientation", [](PackingStepper& s) { return quaternion_array(s.orientation()); })
        .def("temperature",
             [](PackingStepper& s) {
                 const std::vector<double> all = s.temperature();
                 return py::array_t<double>(static_cast<py::ssize_t>(all.size()), all.data());
             })
        .def("contacts", contacts_of)
        .def("bonds", bonds_of)
        .def("presence",
             [](PackingStepper& s) {
                 const std::vector<std::int8_t> all = s.presence();
                 return py::array_t<std::int8_t>(static_cast<py::ssize_t>(all.size()), all.data());
             })
        .def("drive_force", [](PackingStepper& s) { return array_of(s.drive_forces()); })
        .def("drive_torque", [](PackingStepper& s) { return array_of(s.drive_torques()); })
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
}

const RegisterSteppedKind stepped_packings(
    {.constants = packing_constants,
     .run_with_forces = run_packing_with_forces,
     .restored = restored_stepper<PackingStepper, jobs::PackingJob>});
const RegisterBinding packing_stepper(bind_packing_stepper);

}  // namespace
}  // namespace beadwave::python
