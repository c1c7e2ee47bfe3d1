// Chains and packings step by step, with a look at the state, and a hand on it, in between.
#include "beadwave/observers/ledger.hpp"
#include "dynamics/tiled_engine.hpp"
#include "jobs/chain_job.hpp"
#include "jobs/packing_job.hpp"
#include "jobs/threads.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/watcher.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::python {
namespace {

constexpr std::int64_t block = 1024;  ///< steps between two looks for Ctrl-C

void refuse_negative(std::int64_t steps) {
    if (steps < 0) throw InputError(fmt::format("step({}): expected 0 or more steps", steps));
}

[[noreturn]] void unstable(const char* body, std::size_t number, std::int64_t step, double dt) {
    throw running::RunError(
        fmt::format("unstable: {} {} is no longer finite at step {} (t = {:.6g} s)", body, number,
                    step, static_cast<double>(step) * dt));
}

/// The engine's memory stays where it is as long as the stepper lives, and so do the arrays.
class ChainStepper {
  public:
    ChainStepper(std::shared_ptr<jobs::ChainJob> job, int threads) : job_(std::move(job)) {
        Watcher watcher{py::none()};
        const chain::Chain& chain = job_->model();
        unlocked(watcher, [&] {
            const int started =
                jobs::start_threads(threads, dynamics::worthwhile_threads(chain.beads()), watcher);
            engine_ = running::make_engine(chain, job_->settings(), job_->time_step(), started);
            start_ = engine_->totals();
        });
    }

    void step(std::int64_t steps) {
        refuse_negative(steps);
        refuse_open("step");
        Watcher watcher{py::none()};
        unlocked(watcher, [&] {
            for (std::int64_t left = steps; left > 0 && !watcher.stop(); left -= block)
                engine_->advance(std::min(left, block), trace_);
            if (const auto bead = engine_->first_non_finite())
                unstable("bead", *bead, engine_->step(), job_->time_step());
        });
        watcher.rethrow();
    }

    std::int64_t steps() const { return engine_->step(); }
    double time() const { return static_cast<double>(engine_->step()) * job_->time_step(); }
    const dynamics::Engine& engine() const { return *engine_; }

    /// The velocities, to be written [m/s].
    std::span<double> open() {
        refuse_open("state");
        before_ = engine_->totals();
        open_ = true;
        for (const dynamics::StateColumn& column : engine_->state()) {
            if (column.name == "velocity") return column.values;
        }
        throw std::logic_error("the engine has no velocities");
    }

    /// Takes up what was written.
    void close() {
        open_ = false;
        const chain::Chain& chain = job_->model();
        const auto velocity = engine_->velocity();
        for (std::size_t i = 0; i < velocity.size(); ++i) {
            if (std::isfinite(velocity[i]) && !(chain.is_fixed(i) && velocity[i] != 0.0)) continue;
            throw InputError(fmt::format(
                "state: the velocity of bead {} is {}; expected a number{}", i, velocity[i],
                chain.is_fixed(i) ? ", 0 for a bead that is held fixed" : ""));
        }
        engine_->continue_at(engine_->step());
        const dynamics::Totals now = engine_->totals();
        by_hand_ += now.kinetic + now.stored - before_.kinetic - before_.stored;
    }

    std::map<std::string, double> energy() {
        dynamics::Totals now = engine_->totals();
        now.external_work += by_hand_;
        const observers::Ledger ledger = observers::balance(start_, now, scale_);
        scale_ = ledger.scale;
        std::map<std::string, double> entries;
        for (const observers::LedgerEntry& entry : observers::ledger_entries)
            entries[entry.name] = entry.of(ledger);
        return entries;
    }

  private:
    void refuse_open(const char* what) const {
        if (open_)
            throw running::RunError(
                fmt::format("{}: the state is open; leave its `with` block first", what));
    }

    std::shared_ptr<jobs::ChainJob> job_;
    std::unique_ptr<dynamics::Engine> engine_;
    dynamics::SensorTrace trace_;
    dynamics::Totals start_{}, before_{};
    double by_hand_ = 0.0;  // energy that was put in between steps [J]
    double scale_ = 0.0;
    bool open_ = false;
};

/// Its arrays are copies: an engine of packings changes the order of its particles.
class PackingStepper {
  public:
    PackingStepper(std::shared_ptr<jobs::PackingJob> job, int threads) : job_(std::move(job)) {
        Watcher watcher{py::none()};
        unlocked(watcher, [&] {
            const int started = jobs::start_threads(
                threads, running::worthwhile_threads(job_->model().particles()), watcher);
            engine_ = packing::make_packing_engine(job_->model(), job_->time_step(), started);
        });
    }

    void step(std::int64_t steps) {
        refuse_negative(steps);
        Watcher watcher{py::none()};
        unlocked(watcher, [&] {
            for (std::int64_t left = steps; left > 0 && !watcher.stop(); left -= block)
                engine_->advance(std::min(left, block));
            if (const auto particle = engine_->first_non_finite())
                unstable("particle", *particle, engine_->step(), job_->time_step());
        });
        watcher.rethrow();
    }

    std::int64_t steps() const { return engine_->step(); }
    double time() const { return static_cast<double>(engine_->step()) * job_->time_step(); }

    py::array vectors(std::vector<packing::Vec3> (packing::PackingEngine::*of)() const) const {
        const std::vector<packing::Vec3> all = ((*engine_).*of)();
        return py::array_t<double>({static_cast<py::ssize_t>(all.size()), py::ssize_t{3}},
                                   reinterpret_cast<const double*>(all.data()));
    }

    std::map<std::string, double> energy() const {
        const packing::PackingTotals now = engine_->totals();
        return {{"kinetic", now.kinetic},
                {"rotational", now.rotational},
                {"stored", now.stored_normal + now.stored_tangential},
                {"dissipated", now.dissipated_normal},
                {"friction", now.dissipated_friction},
                {"work", now.external_work}};
    }

  private:
    std::shared_ptr<jobs::PackingJob> job_;
    std::unique_ptr<packing::PackingEngine> engine_;
};

template <class Model>
std::shared_ptr<Model> job_of(const std::shared_ptr<jobs::Job>& job) {
    auto model = std::dynamic_pointer_cast<Model>(job);
    if (!model) throw InputError("step: the steps of a mechanism have no fixed length; run it");
    return model;
}

}  // namespace

void bind_steppers(py::module_& module) {
    py::class_<ChainStepper, std::shared_ptr<ChainStepper>>(module, "ChainStepper")
        .def(py::init([](const std::shared_ptr<jobs::Job>& job, int threads) {
            return std::make_shared<ChainStepper>(job_of<jobs::ChainJob>(job), threads);
        }))
        .def("step", &ChainStepper::step)
        .def_property_readonly("steps", &ChainStepper::steps)
        .def_property_readonly("time", &ChainStepper::time)
        .def("energy", &ChainStepper::energy)
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

    py::class_<PackingStepper, std::shared_ptr<PackingStepper>>(module, "PackingStepper")
        .def(py::init([](const std::shared_ptr<jobs::Job>& job, int threads) {
            return std::make_shared<PackingStepper>(job_of<jobs::PackingJob>(job), threads);
        }))
        .def("step", &PackingStepper::step)
        .def_property_readonly("steps", &PackingStepper::steps)
        .def_property_readonly("time", &PackingStepper::time)
        .def("energy", &PackingStepper::energy)
        .def("displacement",
             [](const PackingStepper& s) {
                 return s.vectors(&packing::PackingEngine::displacement);
             })
        .def("velocity",
             [](const PackingStepper& s) { return s.vectors(&packing::PackingEngine::velocity); })
        .def("spin",
             [](const PackingStepper& s) { return s.vectors(&packing::PackingEngine::spin); });
}

}  // namespace beadwave::python
