#include "mechanism/simulate.hpp"

#include "mechanism/events.hpp"
#include "mechanism/finite_numbers.hpp"
#include "mechanism/joint_numbers.hpp"
#include "mechanism/ledger_balance.hpp"
#include "mechanism/long_solve.hpp"
#include "mechanism/longest_step.hpp"
#include "mechanism/loop_orientation.hpp"
#include "mechanism/rest_watch.hpp"
#include "mechanism/run_length.hpp"
#include "mechanism/short_step.hpp"
#include "mechanism/start.hpp"
#include "mechanism/step_size.hpp"
#include "mechanism/time_stepping.hpp"
#include "mechanism/worn_bearing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace beadwave::mechanism {
namespace {

class Run {
  public:
    /// `long_solves`: the result of solves_long().
    Run(const Mechanism& mechanism, const Sinks& sinks, bool long_solves)
        : dynamics_(mechanism),
          stepper_(dynamics_, [this] { return in_trial_ && sinks_.stop && sinks_.stop(); }),
          size_(dynamics_),
          events_(dynamics_, stepper_, sinks.ignore_releases),
          sinks_(sinks),
          long_solves_(long_solves),
          samples_(samples_of(mechanism)),
          length_(mechanism.end, sinks.accepts_long_runs),
          rounding_(dynamics_.rounding_energy()),
          y_(dynamics_.first_state()),
          reported_(dynamics_.contact_states.size(), 0) {
        for (const Joint& joint : mechanism.joints) {
            if (joint.motor)
                stops_.insert(stops_.end(), joint.motor->times.begin(), joint.motor->times.end());
        }
        const std::vector<double> times = dynamics_.force_elements.times();
        stops_.insert(stops_.end(), times.begin(), times.end());
        stops_.push_back(mechanism.end);
        std::ranges::sort(stops_);
    }

    void begin() {
        dynamics_.contact_kinematics(0.0, y_, kinematics_);
        events_.begin(kinematics_, y_);
        ledger_ = dynamics_.ledger(0.0, y_);
        initial_ = ledger_.kinetic + ledger_.stored;
        balance(ledger_);
        update_ranges();
        step_ = 1e-3 * dynamics_.mechanism.end;
        if (sinks_.sample) sinks_.sample(sample_at(0.0, y_));
    }

    void begin(const std::vector<double>& from) {
        Archive archive(from);
        serialize(archive);
        if (!archive.exhausted()) throw std::length_error("the saved state is too long");
        if (!(time_ >= 0.0 && time_ < dynamics_.mechanism.end && is_finite(y_)))
            throw std::length_error("the saved state is damaged");
        dynamics_.contact_kinematics(time_, y_, kinematics_);
        dynamics_.begin_rubbing(time_, kinematics_, y_);
        for (std::size_t i = 0; i < reported_.size(); ++i)
            reported_[i] = ended(i);
    }

    Result go() {
        const double end = dynamics_.mechanism.end;
        while (time_ < end) {
            const bool advanced = [&] {
                const Solve solve(sinks_, long_solves_, time_);
                return advance();
            }();
            for (std::size_t i = 0; i < reported_.size(); ++i)
                report(i, ended(i));
            if (!(time_ < end)) break;
            const bool stopped = !advanced || (sinks_.stop && sinks_.stop());
            const std::int64_t number = next_sample_ - 1;
            if (sinks_.checkpoint && (stopped || long_solves_ ||
                                      (sinks_.checkpoint_due && sinks_.checkpoint_due(number)))) {
                Archive archive;
                serialize(archive);
                sinks_.checkpoint(number, archive.numbers());
            }
            if (stopped) break;
        }
        const std::vector<ContactImpacts>& contact_impacts = events_.contact_impacts();
        for (std::size_t i = 0; i < reported_.size(); ++i)
            report(i, contact_impacts[i].impacts.size());
        Result result;
        {
            const Solve solve(sinks_, long_solves_, time_);
            result.last = sample_at(time_, y_);
        }
        if (sinks_.sample && !(time_ < end)) sinks_.sample(result.last);
        result.contact_points = contact_impacts;
        result.steps = steps_;
        result.wear_updates = dynamics_.wear_updates();
        result.rejected_steps = rejected_;
        result.evaluations = dynamics_.evaluations;
        result.largest_relative_energy_error = largest_relative_error_;
        constexpr double bad_balance = 1e-3;  // the error of a right run is near its accuracy
        if (largest_relative_error_ > bad_balance) {
            result.warnings.push_back(fmt::format(
                "the energies balance only to {:.2g} of the largest: do not trust the result. "
                "Compare it with a run of stricter accuracy (--check)",
                largest_relative_error_));
        }
        for (std::string& warning : events_.warnings())
            result.warnings.push_back(std::move(warning));
        for (const std::string& warning : rest_watch_.warnings(dynamics_.mechanism))
            result.warnings.push_back(warning);
        std::vector<ContactPoint> points;
        for (const ContactState& state : dynamics_.contact_states)
            points.push_back(state.point);
        for (std::string& warning : wear_warnings(dynamics_.mechanism, points, result.last))
            result.warnings.push_back(std::move(warning));
        if (singular_positions_ > 0) {
            result.warnings.push_back(fmt::format(
                "the mechanism passed {} singular position{}, the first just before {:.6g} s: "
                "bodies of the loop that joint {} closes stood so that the joints allow more than "
                "one motion from there. The run took the smooth one",
                singular_positions_, singular_positions_ == 1 ? "" : "s", first_singular_,
                few_of(dynamics_.multibody.loop_joints())));
        }
        return result;
    }

  private:
    /// The numbers of a checkpoint that trial steps change.
    struct BeforeTrials {
        double step, start;
        std::int64_t rejected, evaluations;
        std::vector<double> reactions;
    };
    BeforeTrials before_trials() const {
        BeforeTrials before{step_, stepper_.time(), rejected_, dynamics_.evaluations, {}};
        for (const ContactState& state : dynamics_.contact_states)
            before.reactions.push_back(state.normal_reaction);
        return before;
    }
    void undo_trials(const BeforeTrials& before) {
        step_ = before.step;
        rejected_ = before.rejected;
        dynamics_.evaluations = before.evaluations;
        for (std::size_t i = 0; i < before.reactions.size(); ++i)
            dynamics_.contact_states[i].normal_reaction = before.reactions[i];
        stepper_.restore_start(before.start);
    }

    /// One accepted step, up to the first event on it. False: the run is to stop, and is where it
    /// was before.
    bool advance() {
        const BeforeTrials before = before_trials();
        try {
            return try_steps();
        } catch (const Stepper::Stopped&) {
            in_trial_ = false;
            undo_trials(before);
            return false;
        } catch (const simbody::NoSolution&) {
            in_trial_ = false;
            fail();
        }
    }

    bool try_steps() {
        const double stop = *std::ranges::upper_bound(stops_, time_);
        in_trial_ = true;
        stepper_.start(time_, y_);
        dynamics_.begin_rubbing(time_, kinematics_, y_);
        rest_watch_.look(time_, dynamics_);
        const double longest = longest_step(), rounding = dynamics_.rounding_energy_rate();
        for (;;) {
            const double remaining = stop - time_;
            const double wanted = std::min(step_, longest);
            const double tried = wanted < 0.9 * remaining
                                     ? wanted
                                     : std::min(remaining, std::max(wanted, 0.5 * remaining));
            stepper_.step(tried, trial_);
            const double error = size_.error(stepper_, y_, trial_, tried);
            const double next = tried * StepSize::factor(error);
            if (error <= 1.0) {
                in_trial_ = false;
                rounding_ += rounding * tried * tried;
                finish(tried, tried == stop - time_ ? stop : time_ + tried, next);
                return true;
            }
            ++rejected_;
            step_ = next;
            if (!(time_ + 1e-3 * step_ > time_)) fail();
        }
    }

    /// The steps became too short.
    [[noreturn]] void fail() {
        dynamics_.contact_kinematics(time_, y_, kinematics_);
        fail_short_step(dynamics_, kinematics_, stepper_.closes(), time_, step_);
    }

    /// The number of samples in a step is limited, so that a request to stop is seen soon.
    double longest_step() const {
        constexpr double most_samples = 10'000.0;
        const double interval = dynamics_.mechanism.interval;
        const double longest = std::min(mechanism::longest_step(dynamics_, kinematics_),
                                        dynamics_.longest_worn_step());
        return sinks_.sample && interval > 0.0 ? std::min(longest, most_samples * interval)
                                               : longest;
    }

    void finish(double tried, double time_after, double next) {
        const double taken = events_.shorten(tried, kinematics_, trial_);
        const double after = taken < tried ? time_ + taken : time_after;
        if (dynamics_.wears()) {  // before samples, which must not change it
            dynamics_.contact_kinematics(after, trial_, kinematics_after_);
            dynamics_.end_rubbing(after, kinematics_after_, trial_);
        }
        record_samples(after);
        dynamics_.commit_rubbing();
        events_.record_peak_forces(taken, kinematics_, trial_);
        y_ = trial_;
        time_ = after;
        ++steps_;
        // A step that an event cut short does not limit the next one.
        step_ = next;
        dynamics_.contact_kinematics(time_, y_, kinematics_);
        if (events_.commit_step(time_, kinematics_, y_))
            dynamics_.contact_kinematics(time_, y_, kinematics_);
        events_.follow_wear(time_, y_, kinematics_);
        ledger_ = dynamics_.ledger(time_, y_);
        balance(ledger_);
        update_ranges();
        watch_loops();
        length_.step_ends(time_, size_.fastest());
    }

    /// Counts singular positions, from the accepted steps.
    void watch_loops() {
        // If loops repeat conditions, other rows count in each step: their sign says nothing.
        if (dynamics_.multibody.repeated_conditions() > 0) return;
        if (orientation_.passes(dynamics_.multibody.loop_jacobian()) && singular_positions_++ == 0)
            first_singular_ = time_;
    }

    /// Passes the samples up to `after` to the sink. Each is the end of a step of its own. go()
    /// passes the last one, at the end of the run.
    void record_samples(double after) {
        if (!sinks_.sample) return;
        for (; next_sample_ < samples_; ++next_sample_) {
            const double at = static_cast<double>(next_sample_) * dynamics_.mechanism.interval;
            if (at > after) return;
            stepper_.step(at - time_, scratch_);
            sinks_.sample(sample_at(at, scratch_));
        }
    }

    /// Number of impacts of a contact point that have ended: all, or all except the last.
    std::size_t ended(std::size_t point) const {
        const std::vector<Impact>& impacts = events_.contact_impacts()[point].impacts;
        return impacts.size() - (!impacts.empty() && std::isnan(impacts.back().end) ? 1 : 0);
    }

    void report(std::size_t point, std::size_t up_to) {
        for (; reported_[point] < up_to; ++reported_[point]) {
            if (sinks_.impact)
                sinks_.impact(point, events_.contact_impacts()[point].impacts[reported_[point]]);
        }
    }

    /// Saves or restores all that the next step and the result depend on.
    void serialize(Archive& archive) {
        double step_start = stepper_.time();
        archive(time_), archive(step_start), archive(step_), archive(initial_), archive(scale_);
        archive(largest_entry_), archive(largest_relative_error_), archive(rounding_);
        archive(steps_), archive(rejected_), archive(next_sample_);
        for (double& number : y_)
            archive(number);
        stepper_.restore_start(step_start);
        size_.serialize(archive);
        events_.serialize(archive);
        rest_watch_.serialize(archive, dynamics_.mechanism.contacts.size());
        orientation_.serialize(archive);
        archive(singular_positions_), archive(first_singular_);
    }

    Sample sample_at(double time, const std::vector<double>& y) {
        Sample sample = dynamics_.sample(time, y);
        rest_watch_.look(time, dynamics_);
        balance(sample.ledger);
        return sample;
    }

    /// Adds the initial energy and the errors to a ledger.
    void balance(Ledger& l) {
        mechanism::balance(l, initial_, rounding_, largest_entry_);
        largest_relative_error_ =
            std::max(largest_relative_error_, std::abs(l.relative_energy_error));
    }

    /// Updates the ranges that errors are compared with, from the accepted steps alone: samples
    /// must not change a step.
    void update_ranges() {
        scale_ = std::max({scale_, ledger_.kinetic, std::abs(ledger_.potential),
                           std::abs(ledger_.external_work), ledger_.stored});
        size_.update_ranges(y_, scale_);
    }

    Dynamics dynamics_;
    Stepper stepper_;
    StepSize size_;
    Events events_;
    const Sinks& sinks_;
    const bool long_solves_;
    const std::int64_t samples_;
    RunLength length_;
    double rounding_;  ///< energies below it are rounding [J]
    double time_ = 0.0, step_ = 0.0, initial_ = 0.0;
    double scale_ = 0.0;                   ///< largest energy at an accepted step [J]
    double largest_entry_ = 0.0;           ///< of the ledger, at any step or sample [J]
    double largest_relative_error_ = 0.0;  ///< of the ledger, at any step or sample [-]
    std::vector<double> y_, trial_, scratch_, stops_;
    std::vector<std::size_t> reported_;  ///< number of impacts passed to sinks_, by contact point
    std::vector<ContactKinematics> kinematics_, kinematics_after_;
    RestWatch rest_watch_;
    LoopOrientation orientation_;
    std::int64_t singular_positions_ = 0;
    double first_singular_ = 0.0;  ///< end of the step that passed the first [s]
    bool in_trial_ = false;        ///< nothing that a trial step changes is needed any more
    Ledger ledger_;
    std::int64_t steps_ = 0, rejected_ = 0, next_sample_ = 1;
};

}  // namespace

std::int64_t samples_of(const Mechanism& mechanism) {
    if (!(mechanism.interval > 0.0)) return 1;
    // A whole number of intervals must stay that number in spite of rounding.
    const double count = std::ceil(mechanism.end / mechanism.interval * (1.0 - 1e-12));
    constexpr double most = 9e15;
    return static_cast<std::int64_t>(std::clamp(count, 1.0, most));
}

Result simulate(const Mechanism& mechanism, const Sinks& sinks, const std::vector<double>* from) {
    check(mechanism);
    if (mechanism.stepping) return step_in_time(mechanism, sinks, from);
    const bool long_solves = solves_long(mechanism);
    std::optional<Solve> start(std::in_place, sinks, long_solves, 0.0);
    Run run(mechanism, sinks, long_solves);
    if (from == nullptr)
        run.begin();
    else
        run.begin(*from);
    start.reset();
    return run.go();
}

Result simulate(const Mechanism& mechanism, const SampleCallback& on_sample) {
    return simulate(mechanism, Sinks{.sample = on_sample});
}

}  // namespace beadwave::mechanism
