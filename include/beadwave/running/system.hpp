// A chain or a packing with the engine that steps it, as the loop of a run sees it: one trial of a
// run. Mechanisms have their own loop, with steps that adapt.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "beadwave/recording/ledger.hpp"
#include "beadwave/running/own_part.hpp"
#include "beadwave/running/run_error.hpp"
#include "beadwave/running/settings.hpp"
#include "beadwave/stepping/time_step.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace beadwave {
class Archive;
}
namespace beadwave::observers {
class SensorRecorder;
}
namespace beadwave::recording {
struct Description;
}

namespace beadwave::running {

/// Returns the numbers [first, first + count) of a saved column of `total` numbers; total 0: all
/// numbers of a column of any length. Throws std::exception.
using ReadColumn = std::function<std::vector<double>(const std::string& column, std::size_t first,
                                                     std::size_t count, std::size_t total)>;

/// A named column of the state; see dynamics::StateColumn.
struct SavedColumn {
    std::string name;
    std::span<const double> values;
    std::size_t first = 0;
    std::size_t total = values.size();
};

class System {
  public:
    virtual ~System() = default;

    virtual std::size_t bodies() const = 0;  ///< beads or particles of the whole system
    virtual int threads() const = 0;         ///< in use
    virtual std::int64_t step() const = 0;   ///< steps done

    /// What can be recorded. Its fills read this object. Sensors: SensorRecorder's row; snapshots:
    /// the state at take_snapshot(); measures: that at take_measures(); energy: that at
    /// take_energy().
    virtual recording::Description description() const = 0;

    /// The bodies of this process now. Those who share the system call it together; no body is
    /// sent.
    virtual OwnPart own_part() const = 0;

    // Called by the loop of a run.

    virtual observers::SensorRecorder& sensors() = 0;
    virtual std::span<const double> sensor_force() const = 0;     ///< rows of the last advance()
    virtual std::span<const double> sensor_velocity() const = 0;  ///< rows of the last advance()
    virtual void sample_sensors() = 0;                            ///< one row, the present state
    virtual void advance(std::int64_t steps) = 0;
    /// The last step before the next check of the state.
    virtual std::int64_t last_of_block(std::int64_t first) const = 0;
    /// Throws StepRejected or RunError if the run cannot continue.
    virtual void check_state() = 0;
    virtual void take_snapshot(double /*time*/) {}
    virtual void take_measures() {}
    /// The ledger now; `scale`: that of the ledger before.
    virtual const recording::Ledger& take_energy(double scale) = 0;
    virtual const recording::Ledger& ledger() const = 0;
    /// Saves or restores what the system remembers beside its engine and its sensors.
    virtual void serialize(Archive& archive) = 0;

    // For checkpoints.

    /// A hash of everything that the engine starts with; equal for equal systems.
    virtual std::uint64_t fingerprint() const = 0;
    /// "another chain: its beads, ... are different", for the message about another fingerprint.
    virtual std::string another() const = 0;
    virtual std::vector<SavedColumn> state() = 0;
    /// Restores the state after `step` steps. Throws std::exception if a column has the wrong size
    /// or invalid content.
    virtual void restore(std::int64_t step, const ReadColumn& read) = 0;

  protected:
    System(const Settings& settings, const stepping::TimeStep& time_step)
        : settings_(settings), time_step_(time_step) {}

    double time() const { return static_cast<double>(step()) * time_step_.step; }
    /// `what` is not finite; `where`: its place in more detail.
    [[noreturn]] void refuse_non_finite(const std::string& what,
                                        const std::string& where = "") const;
    /// The step does not resolve `what`; `longest` [s] is the longest step that would.
    [[noreturn]] void refuse_unresolved(const std::string& what, double longest) const;

    Settings settings_;
    stepping::TimeStep time_step_;
};

}  // namespace beadwave::running
