// What the steppers of chains and packings share: the loop of run(n) and what it records, the
// ledger, the state for copies and files.
#pragma once

#include "beadwave/recording/ledger.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "io/checkpoint/state_file.hpp"
#include "jobs/step_recorder.hpp"
#include "python/own_observables.hpp"
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

inline void refuse_negative(std::int64_t steps) {
    if (steps < 0) throw InputError(fmt::format("run({}): expected 0 or more steps", steps));
}

/// run(n) keeps the step that a run chose: it checks only whether the step is stable.
inline stepping::TimeStep as_given(stepping::TimeStep step) {
    step.given = true;
    return step;
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

/// Numbers of a recording, at the time of the call.
struct RecordedArray {
    std::string unit;
    std::vector<std::size_t> shape;
    bool whole;
    std::vector<double> numbers;         ///< unless `whole`
    std::vector<std::int64_t> integers;  ///< if `whole`
};

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
/// force_of(bodies, function), settings_of(job), balance(start, now, scale), describe(state) and
/// restore(state);
/// its constructor sets engine_, start_ and system_. Calls of several threads take turns.
template <class Derived, class Job, class Engine, class System>
class Stepper {
  public:
    /// Steps, and records what a run records. `observed`: of the first call; their functions must
    /// live as long as the stepper runs.
    void run(std::int64_t steps, const std::vector<Observed>& observed) {
        refuse_negative(steps);
        ProgressCallback callback{py::none()};
        turns_.take(callback, [&] {
            refuse("run");
            if (steps == 0) return;
            const InStep flag(in_step_);
            if (!recorder_) begin_recording(observed);
            recorder_->run_to(engine_->step() + steps, [&] { return callback.stop(); });
            // Behind time.end nobody records impacts.
            if constexpr (requires { engine_->take_impacts(); }) {
                if (engine_->step() > job_->first_step().count) engine_->take_impacts();
            }
        });
        callback.rethrow();
    }

    std::vector<std::string> recorded_names() {
        return turns_.take([&] {
            std::vector<std::string> names;
            for (const recording::ArrayView& array : recording().arrays())
                names.push_back(array.name);
            return names;
        });
    }
    /// Throws InputError for a name that is not recorded.
    RecordedArray recorded(const std::string& name) {
        return turns_.take([&] {
            for (const recording::ArrayView& array : recording().arrays()) {
                if (array.name == name) return copy_of(array);
            }
            throw InputError(fmt::format("recorded: there is no {}", name));
        });
    }
    std::vector<std::string> recorded_warnings() {
        return turns_.take([&] { return recording(), recorder_->warnings(); });
    }
    void save_recorded(const std::filesystem::path& file, bool overwrite) {
        turns_.take([&] {
            recording();
            recorder_->save({file, overwrite});
        });
    }

    std::int64_t timestep() {
        return turns_.take([&] { return engine_->step(); });
    }
    double time() { return static_cast<double>(timestep()) * job_->time_step(); }

    /// The ledger [J], by name.
    std::map<std::string, double> energy() {
        return turns_.take([&] {
            const recording::Ledger ledger = Derived::balance(start_, engine_->totals(), scale_);
            scale_ = ledger.scale;
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

    /// Takes over the ledger of a saved state.
    void restore_ledger(const io::SystemState& state) {
        scale_ = state.ledger[1];
        engine_->set_energies(state.ledger[2], state.ledger[0]);
    }

    std::shared_ptr<Job> job_;
    std::unique_ptr<System> system_;
    Engine* engine_ = nullptr;  ///< of the system
    decltype(std::declval<const Engine&>().totals()) start_{};
    double scale_ = 0.0;  ///< of the ledger before [J]
    Turns turns_;
    bool open_ = false, in_step_ = false;

  private:
    void begin_recording(const std::vector<Observed>& observed) {
        recorder_ = std::make_unique<jobs::StepRecorder>(
            *system_, Derived::settings_of(*job_), job_->first_step(),
            system_->standard_energy_interval(),
            jobs::source_of(job_->scenario(), job_->warnings()), own_observables(observed));
    }

    const jobs::Recording& recording() const {
        if (!recorder_) throw InputError("recorded: run(n) has not run yet");
        return recorder_->recording();
    }

    static RecordedArray copy_of(const recording::ArrayView& array) {
        RecordedArray copy{array.unit, array.shape, array.whole, {}, {}};
        std::size_t count = 1;
        for (const std::size_t extent : array.shape)
            count *= extent;
        if (array.whole) {
            const auto* const from = static_cast<const std::int64_t*>(array.data);
            copy.integers.assign(from, from + count);
        } else {
            const auto* const from = static_cast<const double*>(array.data);
            copy.numbers.assign(from, from + count);
        }
        return copy;
    }

    io::SystemState state_now() {
        refuse("save");
        io::SystemState state{
            .text = job_->scenario().text,
            .file_texts = job_->file_texts(),
            .arrays = {},
            .system = io::text_of(fingerprint(job_->system())),
            .step = engine_->step(),
            .time_step = job_->time_step(),
            .ledger = {engine_->written_energy(), scale_, engine_->work_of_forces()},
            .columns = {}};
        static_cast<const Derived&>(*this).describe(state);
        for (const auto& column : engine_->state())
            state.columns[column.name].assign(column.values.begin(), column.values.end());
        return state;
    }

    std::unique_ptr<jobs::StepRecorder> recorder_;  // null: run(n) has not run yet
};

}  // namespace beadwave::python
