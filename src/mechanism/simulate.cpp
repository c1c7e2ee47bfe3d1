#include "mechanism/simulate.hpp"

#include "mechanism/events.hpp"
#include "mechanism/step_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::mechanism {
namespace {

class Run {
  public:
    Run(const Mechanism& mechanism, const Watch& watch)
        : dynamics_(mechanism),
          stepper_(dynamics_),
          size_(dynamics_),
          events_(dynamics_, stepper_),
          watch_(watch) {
        y_ = dynamics_.first_state();
        dynamics_.see(0.0, y_, seen_);
        events_.begin(seen_, y_);
        ledger_ = dynamics_.ledger(0.0, y_);
        initial_ = ledger_.kinetic + ledger_.stored;
        notice_energy();
        size_.notice(y_, scale_);
        for (const Joint& joint : mechanism.joints) {
            if (joint.motor)
                stops_.insert(stops_.end(), joint.motor->times.begin(), joint.motor->times.end());
        }
        stops_.push_back(mechanism.end);
        std::ranges::sort(stops_);
        step_ = 1e-3 * mechanism.end;
        if (watch_) watch_(moment_at(0.0, y_));
        next_sample_ = 1;
    }

    Result go(const std::function<bool(double)>& stop) {
        const double end = dynamics_.mechanism.end;
        while (time_ < end) {
            advance();
            if (stop && stop(time_)) break;
        }
        Result result;
        result.last = moment_at(time_, y_);
        if (watch_ && last_sample_ < time_) watch_(result.last);
        result.spots = events_.records();
        result.steps = steps_;
        result.refused_steps = refused_;
        result.evaluations = dynamics_.evaluations;
        return result;
    }

  private:
    /// One accepted step, up to the first event on it.
    void advance() {
        const double stop = *std::ranges::upper_bound(stops_, time_);
        stepper_.start(time_, y_);
        for (;;) {
            const double rest = stop - time_;
            const double tried =
                step_ < 0.9 * rest ? step_ : std::min(rest, std::max(step_, 0.5 * rest));
            stepper_.step(tried, trial_);
            const double error = size_.error(stepper_, y_, trial_, tried);
            const double next = tried * StepSize::factor(error);
            if (error <= 1.0) {
                finish(tried, tried == rest ? stop : time_ + tried, next);
                return;
            }
            ++refused_;
            step_ = next;
            if (!(time_ + 1e-3 * step_ > time_)) {
                throw std::runtime_error(fmt::format(
                    "at {:.9g} s the step fell to {:.3g} s and still errs by more than the "
                    "accuracy; a law's force may jump, or the accuracy be beyond rounding",
                    time_, step_));
            }
        }
    }

    void finish(double tried, double time_after, double next) {
        const double taken = events_.shorten(tried, seen_, trial_);
        const double after = taken < tried ? time_ + taken : time_after;
        sample(after);
        events_.note_peaks(taken, seen_, trial_);
        y_ = trial_;
        time_ = after;
        ++steps_;
        // What an event cut short says nothing about the next step's length.
        step_ = next;
        dynamics_.see(time_, y_, seen_);
        if (events_.settle(time_, seen_, y_)) dynamics_.see(time_, y_, seen_);
        ledger_ = dynamics_.ledger(time_, y_);
        notice_energy();
        size_.notice(y_, scale_);
    }

    /// Shows the history's moments up to `after`, each the end of a step of its own.
    void sample(double after) {
        const double interval = dynamics_.mechanism.interval;
        if (!watch_ || !(interval > 0.0)) return;
        for (;; ++next_sample_) {
            const double at = static_cast<double>(next_sample_) * interval;
            if (at > after) return;
            stepper_.step(at - time_, aside_);
            watch_(moment_at(at, aside_));
        }
    }

    Moment moment_at(double time, const std::vector<double>& y) {
        Moment moment = dynamics_.moment(time, y);
        Ledger& l = moment.ledger;
        l.initial = initial_;
        l.scale = scale_;
        l.residual =
            l.kinetic + l.potential + l.stored + l.dissipated + l.friction - initial_ - l.work;
        last_sample_ = time;
        return moment;
    }

    void notice_energy() {
        scale_ = std::max({scale_, ledger_.kinetic, std::abs(ledger_.potential),
                           std::abs(ledger_.work), ledger_.stored});
    }

    Dynamics dynamics_;
    Stepper stepper_;
    StepSize size_;
    Events events_;
    const Watch& watch_;
    double time_ = 0.0, step_ = 0.0, initial_ = 0.0, scale_ = 0.0, last_sample_ = -1.0;
    std::vector<double> y_, trial_, aside_, stops_;
    std::vector<Nearness> seen_;
    Ledger ledger_;
    std::int64_t steps_ = 0, refused_ = 0, next_sample_ = 0;
};

}  // namespace

Result simulate(const Mechanism& mechanism, const Watch& watch,
                const std::function<bool(double time)>& stop) {
    check(mechanism);
    return Run(mechanism, watch).go(stop);
}

}  // namespace beadwave::mechanism
