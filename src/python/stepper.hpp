// What the steppers of chains and packings share: the loop of run(n), the ledger, the state for
// copies and files.
#pragma once

#include "beadwave/recording/ledger.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "io/checkpoint/state_file.hpp"
#include "python/progress_callback.hpp"
#include "python/turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace beadwave::python {

/// Steps between two checks for Ctrl-C.
inline constexpr std::int64_t steps_per_check = 1024;

inline void refuse_negative(std::int64_t steps) {
    if (steps < 0) throw InputError(fmt::format("run({}): expected 0 or more steps", steps));
}

[[noreturn]] inline void unstable(const char* body, std::size_t number, std::int64_t step,
                                  double dt) {
    throw running::RunError(
        fmt::format("unstable: {} {} is no longer finite at step {} (t = {:.6g} s)", body, number,
                    step, static_cast<double>(step) * dt));
}

/// Set while an engine steps. A function of an external force must not step or change the system.
class InStep {
  public:
    explicit InStep(bool& flag) : flag_(flag) { flag_ = true; }
    ~InStep() { flag_ = false; }
    InStep(const InStep&) = delete;
    InStep& operator=(const InStep&) = delete;

  private:
    bool& flag_;
};

/// Throws unless the state is that between two steps, and nobody writes it.
inline void refuse_unless_between_steps(bool open, bool in_step, const char* what) {
    if (open)
        throw running::RunError(
            fmt::format("{}: the state is open; leave its `with` block first", what));
    if (in_step)
        throw InputError(
            fmt::format("{}: not possible in an external force, which is a part of a step", what));
}

inline std::map<std::string, double> entries_of(const recording::Ledger& ledger,
                                                recording::SystemKind system) {
    std::map<std::string, double> entries;
    for (const recording::LedgerEntry& entry : recording::entries_of(system))
        entries[entry.name] = entry.of(ledger);
    return entries;
}

/// The part of a stepper's ledger that its engine does not sum up.
struct StepperLedger {
    double added = 0.0;  ///< energy by writing the state [J]
    double scale = 0.0;  ///< of the ledger before [J]
};

/// The numbers of SystemState::ledger.
inline std::vector<double> numbers_of(const StepperLedger& ledger, double work_of_forces) {
    return {ledger.added, ledger.scale, work_of_forces};
}

/// A column of a saved state; throws InputError unless it has `count` numbers (0: any number).
inline std::span<const double> column_of(const io::SystemState& state, const std::string& name,
                                         std::size_t count) {
    const auto found = state.columns.find(name);
    if (found == state.columns.end() || (count > 0 && found->second.size() != count)) {
        throw InputError(fmt::format(
            "the saved state has no column {} of this length; another build wrote it", name));
    }
    return found->second;
}

/// Throws InputError unless the state is that of a system with this fingerprint and time step.
inline void check_state_of(const io::SystemState& state, std::uint64_t fingerprint,
                           double time_step) {
    if (state.system != io::text_of(fingerprint) || state.time_step != time_step ||
        state.ledger.size() != 3) {
        throw InputError(
            "the saved state is that of another system or time step; another build wrote it");
    }
}

/// The part of a stepper that does not depend on its system. `Derived` has `kind`,
/// force_of(bodies, function), balance(start, now, scale), describe(state) and restore(state).
/// Calls of several threads take turns.
template <class Derived, class Job, class Engine>
class Stepper {
  public:
    std::int64_t timestep() {
        return turns_.take([&] { return engine_->step(); });
    }
    double time() { return static_cast<double>(timestep()) * job_->time_step(); }

    /// The ledger [J], by name.
    std::map<std::string, double> energy() {
        return turns_.take([&] {
            auto now = engine_->totals();
            now.external_work += ledger_.added;
            const recording::Ledger ledger = Derived::balance(start_, now, ledger_.scale);
            ledger_.scale = ledger.scale;
            return entries_of(ledger, Derived::kind);
        });
    }

    /// Adds a force on these bodies, see external_functions.hpp.
    void add_force(const std::vector<std::size_t>& bodies, const py::object& function) {
        auto force = Derived::force_of(bodies, function);
        turns_.take([&] {
            refuse("external_force");
            engine_->add_force(std::move(force));
        });
    }
    void remove_force(std::size_t index) {
        turns_.take([&] {
            refuse("remove");
            engine_->remove_force(index);
        });
    }

    /// Another stepper in the same state, with the same forces.
    std::shared_ptr<Derived> copy() {
        auto twin = std::make_shared<Derived>(job_, engine_->threads());
        turns_.take([&] {
            twin->restore(state_now());
            twin->engine_->copy_forces(*engine_);
        });
        return twin;
    }
    io::SystemState saved() {
        return turns_.take([&] { return state_now(); });
    }

  protected:
    explicit Stepper(std::shared_ptr<Job> job) : job_(std::move(job)) {}

    void refuse(const char* what) const { refuse_unless_between_steps(open_, in_step_, what); }

    /// Steps until a signal or an exception; `advance` does at most steps_per_check of them.
    template <class Advance>
    void run_in_parts(std::int64_t steps, ProgressCallback& callback, Advance advance) {
        refuse("run");
        for (std::int64_t n = steps; n > 0 && !callback.stop(); n -= steps_per_check) {
            const InStep flag(in_step_);
            advance(std::min(n, steps_per_check));
        }
    }

    std::shared_ptr<Job> job_;
    std::unique_ptr<Engine> engine_;
    decltype(std::declval<const Engine&>().totals()) start_{};
    StepperLedger ledger_;
    Turns turns_;
    bool open_ = false, in_step_ = false;

  private:
    io::SystemState state_now() {
        refuse("save");
        io::SystemState state{.text = job_->scenario().text,
                              .file_texts = job_->file_texts(),
                              .arrays = {},
                              .system = io::text_of(fingerprint(job_->system())),
                              .step = engine_->step(),
                              .time_step = job_->time_step(),
                              .ledger = numbers_of(ledger_, engine_->work_of_forces()),
                              .columns = {}};
        static_cast<const Derived&>(*this).describe(state);
        for (const auto& column : engine_->state())
            state.columns[column.name].assign(column.values.begin(), column.values.end());
        return state;
    }
};

}  // namespace beadwave::python
