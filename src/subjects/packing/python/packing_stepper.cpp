#include "subjects/packing/python/packing_stepper.hpp"

#include "io/checkpoint/checkpoint_file.hpp"
#include "jobs/threads.hpp"
#include "packing/build/particle_shapes.hpp"
#include "packing/heat/heat.hpp"
#include "packing/state/finite.hpp"
#include "packing/walls/wall_motion.hpp"

#include <fmt/format.h>

namespace beadwave::python {

using packing::Vec3;

namespace {

static_assert(sizeof(packing::Vec3) == 3 * sizeof(double));

std::span<const double> numbers_of(std::span<const packing::Vec3> vectors) {
    return {reinterpret_cast<const double*>(vectors.data()), 3 * vectors.size()};
}

}  // namespace

stepping::ExternalForce<packing::Vec3> packing_force(const std::vector<std::size_t>& particles,
                                                     const py::object& function) {
    return {particles, [reference = weakly(function)](double time, auto displacement, auto velocity,
                                                      std::span<packing::Vec3> force) {
                call(reference, time, numbers_of(displacement), numbers_of(velocity),
                     {reinterpret_cast<double*>(force.data()), 3 * force.size()}, 3);
            }};
}

PackingStepper::PackingStepper(std::shared_ptr<jobs::PackingJob> job, int threads)
    : Stepper(std::move(job)) {
    ProgressCallback callback{py::none()};
    unlocked(callback, [&] {
        const int started = jobs::start_threads(
            threads, running::worthwhile_threads(job_->system().particles()), callback);
        const running::PackingSettings settings = running::settings_of(job_->scenario());
        auto engine = running::make_engine(job_->system(), settings, job_->time_step(), started);
        engine_ = engine.get();
        start_ = engine_->totals();
        system_ = std::make_unique<running::SteppedPacking>(
            job_->system(), settings, as_given(job_->first_step()), std::move(engine));
    });
}

std::vector<Vec3> PackingStepper::vectors(std::vector<Vec3> (packing::PackingEngine::*of)() const) {
    return turns_.take([&] { return ((*engine_).*of)(); });
}

std::vector<packing::ContactState> PackingStepper::contacts() {
    return turns_.take([&] { return engine_->contacts(); });
}

std::vector<observers::BondState> PackingStepper::bonds() {
    return turns_.take([&] { return observers::intact_bonds(job_->system(), *engine_); });
}

std::vector<double> PackingStepper::temperature() {
    return turns_.take([&]() -> std::vector<double> {
        if (engine_->heat() == nullptr) return {};
        return engine_->heat()->temperatures();
    });
}

std::pair<std::vector<Vec3>, std::vector<Vec3>> PackingStepper::walls() {
    const std::vector<packing::WallMotion> now = turns_.take([&] { return engine_->walls(); });
    std::pair<std::vector<Vec3>, std::vector<Vec3>> planes;
    for (std::size_t w = 0; w < now.size(); ++w) {
        const auto* plane = std::get_if<packing::Plane>(&job_->system().walls[w].shape);
        if (plane == nullptr) continue;
        planes.first.push_back(plane->point + now[w].displacement);
        planes.second.push_back(plane->normal);
    }
    return planes;
}

std::vector<Vec3> PackingStepper::drive_forces() {
    return turns_.take([&] { return engine_->elements().drive_forces(); });
}

std::vector<Vec3> PackingStepper::drive_torques() {
    return turns_.take([&] { return engine_->elements().drive_torques(); });
}

std::vector<std::int8_t> PackingStepper::presence() {
    return turns_.take([&] {
        std::vector<std::int8_t> all(engine_->particles());
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = static_cast<std::int8_t>(engine_->population().presence(i));
        return all;
    });
}

std::vector<shapes::Quaternion> PackingStepper::orientation() {
    return turns_.take([&] { return engine_->orientation(); });
}

packing::BoxState PackingStepper::box() {
    return turns_.take([&] { return engine_->box(); });
}

void PackingStepper::open() {
    turns_.take([&] {
        refuse("state");
        open_ = true;
    });
}

void PackingStepper::close(const std::vector<Vec3>& velocity,
                           const std::vector<Vec3>& angular_velocity) {
    turns_.take([&] {
        open_ = false;
        write(velocity, angular_velocity);
    });
}

void PackingStepper::write(const std::vector<Vec3>& velocity,
                           const std::vector<Vec3>& angular_velocity) {
    const packing::Packing& packing = job_->system();
    const bool plane = packing.dimension == 2;
    const std::size_t n = packing.particles();
    if (velocity.size() != n || angular_velocity.size() != n)
        throw InputError(fmt::format("state: expected arrays of {} x 3 numbers", n));
    const auto held = [&](std::size_t i) {
        return packing.is_fixed(i) || engine_->population().is_absent(i);
    };
    const auto check = [&](std::size_t i, const char* what, const Vec3& v, bool in_plane) {
        if (packing::finite(v) && (!plane || in_plane) && !(held(i) && v != Vec3{})) return;
        throw InputError(
            fmt::format("state: the {} of particle {} is ({}, {}, {}); expected finite numbers{}{}",
                        what, i, v.x, v.y, v.z, plane ? ", in the plane" : "",
                        packing.is_fixed(i) ? ", 0 for a particle that is held fixed"
                        : held(i)           ? ", 0 for a particle that is not there"
                                            : ""));
    };
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 &v = velocity[i], &w = angular_velocity[i];
        check(i, "velocity", v, v.z == 0.0);
        check(i, "angular velocity", w, w.x == 0.0 && w.y == 0.0);
    }
    // Only what was changed is written: an angular velocity is not stored as such, and would change
    // by its rounding.
    const std::vector<Vec3> v_before = engine_->velocity(), w_before = engine_->angular_velocity();
    const packing::BoxState box = engine_->box();
    // The kinetic energy is that of the motion relative to the affine one.
    const auto affine = [&](std::size_t i) {
        const Vec3 from_lower =
            (packing.position[i] - packing.box.lower) + engine_->motion(i).displacement;
        return box.affine_velocity(from_lower);
    };
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t carrier = engine_->elements().carrier_of(i);
        if (carrier == packing::ElementStepper::none) continue;
        const Vec3 &v = velocity[i], &w = angular_velocity[i];
        if (!engine_->elements().may_turn(carrier) && w != w_before[i]) {
            throw InputError(fmt::format(
                "state: the angular velocity of particle {} is ({}, {}, {}); expected it "
                "unchanged, as its drive does not let it turn",
                i, w.x, w.y, w.z));
        }
        if (engine_->elements().allowed(carrier, v, v_before[i]) == v) continue;
        throw InputError(
            fmt::format("state: the velocity of particle {} is ({}, {}, {}); expected one that is "
                        "unchanged along driven axes",
                        i, v.x, v.y, v.z));
    }
    const std::vector<shapes::Quaternion> turned = engine_->orientation();
    // By how much the energy of rotation grows.
    const auto turning = [&](std::size_t i, const Vec3& after, const Vec3& before) {
        if (turned.empty()) return 0.5 * packing.inertia[i] * dot(after - before, after + before);
        return rotational_energy(packing, i, turned[i], after) -
               rotational_energy(packing, i, turned[i], before);
    };
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 &v = velocity[i], &w = angular_velocity[i];
        if (v == v_before[i] && w == w_before[i]) continue;
        engine_->set_velocities(i, v, w);
        engine_->add_written_energy(0.5 * packing.mass[i] *
                                        dot(v - v_before[i], v + v_before[i] - 2.0 * affine(i)) +
                                    turning(i, w, w_before[i]));
    }
    engine_->evaluate_forces();
}

void PackingStepper::restore(const io::SystemState& state) {
    check_state_of(state, packing::fingerprint(job_->system()), job_->time_step());
    try {
        engine_->restore(state.step,
                         [&](const std::string& name) { return column_of(state, name, 0); });
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("the saved state is damaged: {}", error.what()));
    }
    restore_ledger(state);
}

}  // namespace beadwave::python
