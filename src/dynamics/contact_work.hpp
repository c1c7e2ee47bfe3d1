// What each contact of a chain dissipates: the work of its two bodies on it, minus what it stores.
// The work on beads that move freely is the trapezoidal sum of the contact's power on them, as in
// the sum over all beads (energy_accounting.hpp), so the contacts add up to it; that of walls and
// driven beads is the mean of the force times the displacement.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "dynamics/work_sum.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::dynamics {

class ContactWork {
  public:
    /// `power`: of each contact on its free beads at the start [W]; `stored`: in each [J].
    ContactWork(std::vector<double> power, std::vector<double> stored)
        : initial_power_(std::move(power)),
          initial_stored_(std::move(stored)),
          power_(initial_power_.size()),
          work_(initial_power_.size()) {}

    /// Adds the power of a contact on its free beads at the end of a step [W].
    void add_power(std::size_t contact, double power) { power_.add(contact, power); }
    /// Adds the work of a wall or driven bead on a contact in a step [J].
    void add_work(std::size_t contact, double work) { work_.add(contact, work); }

    /// Dissipated since the start [J]; `power` and `stored`: at present, time_step [s].
    double dissipated(std::size_t contact, double power, double stored, double time_step) const {
        const double given =
            time_step * (power_.value(contact) - 0.5 * power + 0.5 * initial_power_[contact]);
        return work_.value(contact) - given - (stored - initial_stored_[contact]);
    }

    /// Adds the columns of a checkpoint.
    void add_columns(std::vector<StateColumn>& columns) {
        const auto add = [&](const char* name, std::vector<double>& numbers) {
            columns.push_back({std::string("contact_") + name, numbers});
        };
        add("initial_power", initial_power_);
        add("initial_stored", initial_stored_);
        add("power", power_.sum);
        add("power_rounding", power_.lost);
        add("work", work_.sum);
        add("work_rounding", work_.lost);
    }

  private:
    /// Long sums without their rounding.
    struct Sums {
        explicit Sums(std::size_t count) : sum(count, 0.0), lost(count, 0.0) {}

        std::vector<double> sum, lost;

        void add(std::size_t at, double part) { add_exactly(sum[at], lost[at], part); }
        double value(std::size_t at) const { return sum[at] + lost[at]; }
    };

    std::vector<double> initial_power_, initial_stored_;
    Sums power_, work_;
};

}  // namespace beadwave::dynamics
