// Chains and packings that run a number of steps; between two calls their state can be read and,
// for chains, changed.
#include "dynamics/tiled_engine.hpp"
#include "jobs/chain_job.hpp"
#include "jobs/packing_job.hpp"
#include "jobs/threads.hpp"
#include "observers/balance.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress_callback.hpp"
#include "running/packing_depth.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <utility>

namespace beadwave::python {
namespace {

constexpr std::int64_t block = 1024;  ///< steps between two checks for Ctrl-C

void refuse_negative(std::int64_t steps) {
    if (steps < 0) throw InputError(fmt::format("run({}): expected 0 or more steps", steps));
}

[[noreturn]] void unstable(const char* body, std::size_t number, std::int64_t step, double dt) {
    throw running::RunError(
        fmt::format("unstable: {} {} is no longer finite at step {} (t = {:.6g} s)", body, number,
                    step, static_cast<double>(step) * dt));
}

std::map<std::string, double> entries_of(const recording::Ledger& ledger,
                                         recording::SystemKind system) {
    std::map<std::string, double> entries;
    for (const recording::LedgerEntry& entry : recording::entries_of(system))
        entries[entry.name] = entry.of(ledger);
    return entries;
}

/// Makes the calls of several threads on one stepper run one after the other.
class Turns {
  public:
    /// Does `work` with the interpreter lock released, once no other thread uses the stepper.
    /// Ctrl-C also ends the wait.
    template <class Work>
    auto take(ProgressCallback& callback, const Work& work) {
        return unlocked(callback, [&] {
            while (!in_use_.try_lock_for(std::chrono::milliseconds(50))) {
                if (callback.stop()) throw running::RunError("interrupted");
            }
            const std::lock_guard lock(in_use_, std::adopt_lock);
            return work();
        });
    }
    template <class Work>
    auto take(const Work& work) {
        ProgressCallback callback{py::none()};
        return take(callback, work);
    }

  private:
    // Recursive: a signal handler in Python may call the stepper that it interrupts.
    std::recursive_timed_mutex in_use_;
};

/// The engine's memory does not move during the life of the stepper, so its arrays are views.
class ChainStepper {
  public:
    ChainStepper(std::shared_ptr<jobs::ChainJob> job, int threads) : job_(std::move(job)) {
        ProgressCallback callback{py::none()};
        const chain::Chain& chain = job_->system();
        unlocked(callback, [&] {
            const int started =
                jobs::start_threads(threads, dynamics::worthwhile_threads(chain.beads()), callback);
            engine_ = running::make_engine(chain, job_->settings(), job_->time_step(), started);
            start_ = engine_->totals();
        });
    }

    void run(std::int64_t steps) {
        refuse_negative(steps);
        ProgressCallback callback{py::none()};
        turns_.take(callback, [&] {
            refuse_open("run");
            for (std::int64_t n = steps; n > 0 && !callback.stop(); n -= block)
                engine_->advance(std::min(n, block), trace_);
            if (const auto bead = engine_->first_non_finite())
                unstable("bead", *bead, engine_->step(), job_->time_step());
        });
        callback.rethrow();
    }

    std::int64_t timestep() {
        return turns_.take([&] { return engine_->step(); });
    }
    double time() { return static_cast<double>(timestep()) * job_->time_step(); }
    const dynamics::Engine& engine() const { return *engine_; }

    /// The velocities [m/s], for writing.
    std::span<double> open() {
        return turns_.take([&]() -> std::span<double> {
            refuse_open("state");
            before_ = engine_->totals();
            for (const dynamics::StateColumn& column : engine_->state()) {
                if (column.name != "velocity") continue;
                open_ = true;
                return column.values;
            }
            throw std::logic_error("the engine has no velocities");
        });
    }

    /// Checks the velocities that were written, and continues from them.
    void close() {
        turns_.take([&] { continue_from_written(); });
    }

    std::map<std::string, double> energy() {
        return turns_.take([&] { return ledger(); });
    }

  private:
    void continue_from_written() {
        open_ = false;
        const chain::Chain& chain = job_->system();
        const auto velocity = engine_->velocity();
        for (std::size_t i = 0; i < velocity.size(); ++i) {
            if (std::isfinite(velocity[i]) && !(chain.is_fixed(i) && velocity[i] != 0.0)) continue;
            throw InputError(fmt::format(
                "state: the velocity of bead {} is {}; expected a number{}", i, velocity[i],
                chain.is_fixed(i) ? ", 0 for a bead that is held fixed" : ""));
        }
        engine_->continue_at(engine_->step());
        const dynamics::Totals now = engine_->totals();
        added_energy_ += now.kinetic + now.stored - before_.kinetic - before_.stored;
    }

    std::map<std::string, double> ledger() {
        dynamics::Totals now = engine_->totals();
        now.external_work += added_energy_;
        const recording::Ledger ledger = observers::balance(start_, now, scale_);
        scale_ = ledger.scale;
        return entries_of(ledger, recording::SystemKind::chain);
    }

    void refuse_open(const char* what) const {
        if (open_)
            throw running::RunError(
                fmt::format("{}: the state is open; leave its `with` block first", what));
    }

    std::shared_ptr<jobs::ChainJob> job_;
    std::unique_ptr<dynamics::Engine> engine_;
    Turns turns_;
    dynamics::SensorTrace trace_;
    dynamics::Totals start_{}, before_{};
    double added_energy_ = 0.0;  // through open() and close() [J]
    double scale_ = 0.0;
    bool open_ = false;
};

/// Its arrays are copies, because the engine changes the order of its particles.
class PackingStepper {
  public:
    PackingStepper(std::shared_ptr<jobs::PackingJob> job, int threads) : job_(std::move(job)) {
        ProgressCallback callback{py::none()};
        unlocked(callback, [&] {
            const int started = jobs::start_threads(
                threads, running::worthwhile_threads(job_->system().particles()), callback);
            engine_ = packing::make_packing_engine(job_->system(), job_->time_step(), started);
            start_ = engine_->totals();
        });
    }

    void run(std::int64_t steps) {
        refuse_negative(steps);
        ProgressCallback callback{py::none()};
        turns_.take(callback, [&] {
            for (std::int64_t n = steps; n > 0 && !callback.stop(); n -= block)
                engine_->advance(std::min(n, block));
            const packing::DeepContact deepest = engine_->deepest();
            if (deepest.depth >= packing::lost_depth) {
                throw running::RunError(
                    running::too_deep(job_->system(), deepest, job_->time_step()));
            }
            if (const auto particle = engine_->first_non_finite())
                unstable("particle", *particle, engine_->step(), job_->time_step());
        });
        callback.rethrow();
    }

    std::int64_t timestep() {
        return turns_.take([&] { return engine_->step(); });
    }
    double time() { return static_cast<double>(timestep()) * job_->time_step(); }

    py::array vectors(std::vector<packing::Vec3> (packing::PackingEngine::*of)() const) {
        const std::vector<packing::Vec3> all = turns_.take([&] { return ((*engine_).*of)(); });
        return py::array_t<double>({static_cast<py::ssize_t>(all.size()), py::ssize_t{3}},
                                   reinterpret_cast<const double*>(all.data()));
    }

    std::map<std::string, double> energy() {
        return turns_.take([&] {
            const recording::Ledger ledger = observers::balance(start_, engine_->totals(), scale_);
            scale_ = ledger.scale;
            return entries_of(ledger, recording::SystemKind::packing);
        });
    }

  private:
    std::shared_ptr<jobs::PackingJob> job_;
    std::unique_ptr<packing::PackingEngine> engine_;
    packing::PackingTotals start_{};
    double scale_ = 0.0;
    Turns turns_;
};

template <class Kind>
std::shared_ptr<Kind> job_of(const std::shared_ptr<jobs::Job>& job) {
    auto kind = std::dynamic_pointer_cast<Kind>(job);
    if (!kind) throw InputError("run: only chains and packings run a number of steps");
    return kind;
}

}  // namespace

void bind_steppers(py::module_& module) {
    py::class_<ChainStepper, std::shared_ptr<ChainStepper>>(module, "ChainStepper")
        .def(py::init([](const std::shared_ptr<jobs::Job>& job, int threads) {
            return std::make_shared<ChainStepper>(job_of<jobs::ChainJob>(job), threads);
        }))
        .def("run", &ChainStepper::run)
        .def_property_readonly("timestep", &ChainStepper::timestep)
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
        .def("run", &PackingStepper::run)
        .def_property_readonly("timestep", &PackingStepper::timestep)
        .def_property_readonly("time", &PackingStepper::time)
        .def("energy", &PackingStepper::energy)
        .def("displacement",
             [](PackingStepper& s) { return s.vectors(&packing::PackingEngine::displacement); })
        .def("velocity",
             [](PackingStepper& s) { return s.vectors(&packing::PackingEngine::velocity); })
        .def("angular_velocity", [](PackingStepper& s) {
            return s.vectors(&packing::PackingEngine::angular_velocity);
        });
}

}  // namespace beadwave::python
