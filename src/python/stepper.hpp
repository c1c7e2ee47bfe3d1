// What the steppers of chains and packings share: the loop of run(n), the ledger, the state for
// copies and files.
#pragma once

#include "beadwave/recording/ledger.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "io/checkpoint/state_file.hpp"
#include "python/progress_callback.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>

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

/// Of a stepper, beside what its engine sums up.
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

}  // namespace beadwave::python
