#include "mechanism/simulate.hpp"

#include "mechanism/events.hpp"
#include "mechanism/step_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace beadwave::mechanism {
namespace {

class Run {
  public:
    Run(const Mechanism& mechanism, const Sinks& sinks)
        : dynamics_(mechanism),
          stepper_(dynamics_),
          size_(dynamics_),
          events_(dynamics_, stepper_),
          sinks_(sinks),
          samples_(samples_of(mechanism)),
          y_(dynamics_.first_state()),
          told_(dynamics_.touches.size(), 0) {
        for (const Joint& joint : mechanism.joints) {
            if (joint.motor)
                stops_.insert(stops_.end(), joint.motor->times.begin(), joint.motor->times.end());
        }
        stops_.push_back(mechanism.end);
        std::ranges::sort(stops_);
    }

    void begin() {
        dynamics_.see(0.0, y_, seen_);
        events_.begin(seen_, y_);
        ledger_ = dynamics_.ledger(0.0, y_);
        initial_ = ledger_.kinetic + ledger_.stored;
        notice_energy();
        size_.notice(y_, scale_);
        step_ = 1e-3 * dynamics_.mechanism.end;
        if (sinks_.moment) sinks_.moment(moment_at(0.0, y_));
    }

    void begin(const std::vector<double>& from) {
        StateNumbers state(from);
        exchange(state);
        if (!state.used_up()) throw std::length_error("the saved state is too long");
        if (!(time_ >= 0.0 && time_ < dynamics_.mechanism.end && Dynamics::is_finite(y_)))
            throw std::length_error("the saved state is damaged");
        dynamics_.see(time_, y_, seen_);
        for (std::size_t i = 0; i < told_.size(); ++i)
            told_[i] = ended(i);
    }

    Result go() {
        const double end = dynamics_.mechanism.end;
        while (time_ < end) {
            advance();
            for (std::size_t i = 0; i < told_.size(); ++i)
                tell(i, ended(i));
            if (!(time_ < end)) break;
            const bool stopped = sinks_.stop && sinks_.stop();
            const std::int64_t sample = next_sample_ - 1;
            if (sinks_.checkpoint &&
                (stopped || (sinks_.checkpoint_due && sinks_.checkpoint_due(sample)))) {
                StateNumbers state;
                exchange(state);
                sinks_.checkpoint(sample, state.numbers());
            }
            if (stopped) break;
        }
        const std::vector<SpotRecord>& records = events_.records();
        for (std::size_t i = 0; i < told_.size(); ++i)
            tell(i, records[i].impacts.size());
        Result result;
        result.last = moment_at(time_, y_);
        if (sinks_.moment && !(time_ < end)) sinks_.moment(result.last);
        result.spots = records;
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
        const double longest = longest_step();
        for (;;) {
            const double rest = stop - time_;
            const double wanted = std::min(step_, longest);
            const double tried =
                wanted < 0.9 * rest ? wanted : std::min(rest, std::max(wanted, 0.5 * rest));
            stepper_.step(tried, trial_);
            const double error = size_.error(stepper_, y_, trial_, tried);
            const double next = tried * StepSize::factor(error);
            if (error <= 1.0) {
                finish(tried, tried == stop - time_ ? stop : time_ + tried, next);
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

    /// Without forces no error bounds a step, but what closes within it must be found: no body
    /// turns by more than a radian, no pin crosses its hole more than a few times over. And so few
    /// samples that one is soon heard who asks to stop [s].
    double longest_step() const {
        constexpr double most_samples = 10'000.0;
        const double interval = dynamics_.mechanism.interval;
        double longest = sinks_.moment && interval > 0.0 ? most_samples * interval
                                                         : std::numeric_limits<double>::infinity();
        for (const BodyMotion& body : dynamics_.multibody.bodies())
            longest = std::min(longest, 1.0 / std::abs(body.spin));
        for (std::size_t i = 0; i < seen_.size(); ++i) {
            const Spot& spot = dynamics_.touches[i].spot;
            if (spot.kind != Spot::Kind::journal) continue;
            longest =
                std::min(longest, 8.0 * spot.reach / std::hypot(seen_[i].approach, seen_[i].slip));
        }
        return longest;
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

    /// Shows the history's moments up to `after`, each the end of a step of its own; the last, the
    /// end, is go()'s.
    void sample(double after) {
        if (!sinks_.moment) return;
        for (; next_sample_ < samples_; ++next_sample_) {
            const double at = static_cast<double>(next_sample_) * dynamics_.mechanism.interval;
            if (at > after) return;
            stepper_.step(at - time_, aside_);
            sinks_.moment(moment_at(at, aside_));
        }
    }

    /// How many of a spot's impacts have ended: all but perhaps the last.
    std::size_t ended(std::size_t spot) const {
        const std::vector<Impact>& impacts = events_.records()[spot].impacts;
        return impacts.size() - (!impacts.empty() && std::isnan(impacts.back().end) ? 1 : 0);
    }

    void tell(std::size_t spot, std::size_t up_to) {
        for (; told_[spot] < up_to; ++told_[spot]) {
            if (sinks_.impact) sinks_.impact(spot, events_.records()[spot].impacts[told_[spot]]);
        }
    }

    /// Saves or restores all that the next step depends on, and all that the result tells.
    void exchange(StateNumbers& state) {
        double step_start = stepper_.time();
        state(time_), state(step_start), state(step_), state(initial_), state(scale_);
        state(steps_), state(refused_), state(next_sample_);
        for (double& number : y_)
            state(number);
        stepper_.started(step_start);
        size_.exchange(state);
        events_.exchange(state);
    }

    Moment moment_at(double time, const std::vector<double>& y) {
        Moment moment = dynamics_.moment(time, y);
        Ledger& l = moment.ledger;
        l.initial = initial_;
        l.scale = scale_;
        l.residual =
            l.kinetic + l.potential + l.stored + l.dissipated + l.friction - initial_ - l.work;
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
    const Sinks& sinks_;
    const std::int64_t samples_;
    double time_ = 0.0, step_ = 0.0, initial_ = 0.0, scale_ = 0.0;
    std::vector<double> y_, trial_, aside_, stops_;
    std::vector<std::size_t> told_;  ///< impacts that sinks_ know, by spot
    std::vector<Nearness> seen_;
    Ledger ledger_;
    std::int64_t steps_ = 0, refused_ = 0, next_sample_ = 1;
};

}  // namespace

std::int64_t samples_of(const Mechanism& mechanism) {
    if (!(mechanism.interval > 0.0)) return 1;
    // A whole number of intervals is one, whatever rounding makes of it.
    const double count = std::ceil(mechanism.end / mechanism.interval * (1.0 - 1e-12));
    constexpr double most = 9e15;
    return static_cast<std::int64_t>(std::clamp(count, 1.0, most));
}

Result simulate(const Mechanism& mechanism, const Sinks& sinks, const std::vector<double>* from) {
    check(mechanism);
    Run run(mechanism, sinks);
    if (from == nullptr)
        run.begin();
    else
        run.begin(*from);
    return run.go();
}

Result simulate(const Mechanism& mechanism, const Watch& watch) {
    return simulate(mechanism, Sinks{.moment = watch});
}

}  // namespace beadwave::mechanism
