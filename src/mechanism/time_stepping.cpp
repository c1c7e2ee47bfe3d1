#include "mechanism/time_stepping.hpp"

#include "mechanism/finite_numbers.hpp"
#include "mechanism/ledger_balance.hpp"
#include "mechanism/long_solve.hpp"
#include "mechanism/moreau_step.hpp"
#include "mechanism/worn_bearing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace beadwave::mechanism {
namespace {

/// Steps that divide the time between samples evenly, each at most the given step.
class StepTimes {
  public:
    explicit StepTimes(const Mechanism& mechanism)
        : end_(mechanism.end),
          interval_(mechanism.interval > 0.0 ? mechanism.interval : mechanism.end),
          step_(mechanism.stepping.value().step),
          samples_(samples_of(mechanism)) {}

    /// The end of step `number`, from 1, of those before this sample; from 1 as well [s].
    double end_of(std::int64_t sample, std::int64_t number) const {
        const double from = sample_time(sample - 1), to = sample_time(sample);
        const std::int64_t steps = steps_before(sample);
        if (number >= steps) return to;
        return from + (to - from) * (static_cast<double>(number) / static_cast<double>(steps));
    }
    std::int64_t steps_before(std::int64_t sample) const {
        const double length = sample_time(sample) - sample_time(sample - 1);
        // A whole number of steps must stay that number in spite of rounding.
        constexpr double rounding = 1e-9;
        return std::max<std::int64_t>(1, std::llround(std::ceil(length / step_ - rounding)));
    }
    std::int64_t samples() const { return samples_; }
    double sample_time(std::int64_t sample) const {
        return sample >= samples_ ? end_ : static_cast<double>(sample) * interval_;
    }

  private:
    double end_, interval_, step_;
    std::int64_t samples_;
};

class SteppedRun {
  public:
    SteppedRun(const Mechanism& mechanism, const Sinks& sinks)
        : dynamics_(mechanism),
          step_(dynamics_),
          times_(mechanism),
          sinks_(sinks),
          long_solves_(solves_long(mechanism)),
          tolerance_(penetration_tolerance_of(mechanism)),
          rounding_(dynamics_.rounding_energy()),
          y_(dynamics_.first_state()),
          reported_(dynamics_.contact_states.size(), 0) {
        for (const ContactState& state : dynamics_.contact_states)
            impacts_.push_back(
                {.contact = state.point.contact, .corner = state.point.corner, .impacts = {}});
    }

    void begin() {
        const Ledger ledger = dynamics_.ledger(0.0, y_);
        initial_ = ledger.kinetic + ledger.stored;
        if (sinks_.sample) sinks_.sample(sample_at(0.0));
    }

    void begin(const std::vector<double>& from) {
        Archive archive(from);
        serialize(archive);
        if (!archive.exhausted()) throw std::length_error("the saved state is too long");
        if (!(time_ >= 0.0 && time_ < dynamics_.mechanism.end && is_finite(y_) && sample_ >= 1 &&
              sample_ <= times_.samples() && number_ >= 0))
            throw std::length_error("the saved state is damaged");
        for (std::size_t i = 0; i < reported_.size(); ++i)
            reported_[i] = ended(i);
        dynamics_.multibody.start_step(time_);
        dynamics_.contact_kinematics(time_, y_, kinematics_);
    }

    Result go() {
        const double end = dynamics_.mechanism.end;
        while (time_ < end) {
            {
                const Solve solve(sinks_, long_solves_, time_);
                advance();
            }
            for (std::size_t i = 0; i < reported_.size(); ++i)
                report(i, ended(i));
            if (!(time_ < end)) break;
            const bool stopped = sinks_.stop && sinks_.stop();
            const std::int64_t passed = sample_ - 1;
            if (sinks_.checkpoint && (stopped || long_solves_ ||
                                      (sinks_.checkpoint_due && sinks_.checkpoint_due(passed)))) {
                Archive archive;
                serialize(archive);
                sinks_.checkpoint(passed, archive.numbers());
            }
            if (stopped) break;
        }
        for (std::size_t i = 0; i < reported_.size(); ++i)
            report(i, impacts_[i].impacts.size());
        Result result;
        result.last = sample_at(time_);
        if (sinks_.sample && !(time_ < end)) sinks_.sample(result.last);
        result.contact_points = impacts_;
        result.steps = steps_;
        result.evaluations = dynamics_.evaluations;
        // Of the largest energy of the run: a run from rest begins with none.
        result.largest_relative_energy_error = relative_error();
        result.penetration = penetration_;
        result.warnings = warnings(result.last);
        return result;
    }

  private:
    void advance() {
        const double next = times_.end_of(sample_, number_ + 1);
        watch_rotation(next - time_);
        try {
            step_.advance(time_, next, y_);
        } catch (const simbody::NoSolution&) {
            throw std::runtime_error(
                fmt::format("the mechanism locks at {:.9g} s: its equations of motion have no "
                            "solution there",
                            time_));
        }
        if (!is_finite(y_)) {
            throw std::runtime_error(fmt::format(
                "the motion has no finite values after {:.6g} s; give a shorter time.step", time_));
        }
        time_ = next;
        ++steps_;
        record_impacts();
        watch_penetration();
        Ledger ledger = dynamics_.ledger(time_, y_);
        watch_gain(ledger.kinetic);
        balance(ledger);
        if (++number_ < times_.steps_before(sample_)) return;
        if (sinks_.sample && sample_ < times_.samples()) sinks_.sample(sample_at(time_));
        number_ = 0;
        ++sample_;
    }

    void watch_rotation(double step) const {
        constexpr double most = 0.5;  // [rad]
        for (std::size_t i = 0; i < dynamics_.mechanism.bodies.size(); ++i) {
            const double angle = std::abs(dynamics_.multibody.bodies()[i].angular_velocity) * step;
            if (angle <= most) continue;
            throw std::runtime_error(
                fmt::format("at {:.6g} s body \"{}\" turns by {:.3g} rad in one step of {:.3g} s; "
                            "give a shorter time.step",
                            time_, dynamics_.mechanism.bodies[i].name, angle, step));
        }
    }

    /// An impact lasts from the first step in which a contact pushes to the one in which its bodies
    /// part, which may be the same.
    void record_impacts() {
        constexpr double rounding = 1e-12, of_changes = 1e-9;
        double slow = 0.0;  // speeds below it are rounding
        for (const BodyState& body : dynamics_.multibody.bodies())
            slow = std::max(slow, rounding * length(body.velocity));
        for (const ContactStep& done : step_.contacts())
            slow = std::max(slow, of_changes * done.normal * done.inverse_mass);
        for (std::size_t i = 0; i < impacts_.size(); ++i) {
            const ContactStep& done = step_.contacts()[i];
            std::vector<Impact>& impacts = impacts_[i].impacts;
            const bool lasts = !impacts.empty() && std::isnan(impacts.back().end);
            if (!lasts && !(done.normal * done.inverse_mass > slow)) continue;
            if (!lasts) {
                impacts.push_back({.start = time_,
                                   .impact_speed = std::max(0.0, done.approach_before),
                                   .peak_force = Impact::none,
                                   .peak_time = time_,
                                   .mass = 1.0 / done.inverse_mass});
            }
            impacts.back().dissipated += done.normal_loss;
            if (done.inverse_mass > 0.0 && done.separation_after <= slow) continue;
            impacts.back().end = time_;
            impacts.back().separation_speed = done.separation_after;
        }
    }

    void watch_penetration() {
        dynamics_.contact_kinematics(time_, y_, kinematics_);
        for (std::size_t i = 0; i < kinematics_.size(); ++i) {
            if (!(kinematics_[i].overlap > penetration_.depth)) continue;
            penetration_ = {
                .depth = kinematics_[i].overlap,
                .time = time_,
                .contact = static_cast<std::int64_t>(dynamics_.contact_states[i].point.contact)};
        }
    }

    /// Newton's restitution of speeds can create energy where friction couples them to the slip.
    void watch_gain(double kinetic) {
        constexpr double rounding = 1e-9;
        if (!(step_.gain() > rounding * kinetic)) return;
        ++gains_;
        if (!(step_.gain() > largest_gain_)) return;
        largest_gain_ = step_.gain();
        largest_gain_time_ = time_;
    }

    double relative_error() const {
        return largest_entry_ > 0.0 ? largest_error_ / largest_entry_ : 0.0;
    }

    std::vector<std::string> warnings(const Sample& last) const {
        const Mechanism& mechanism = dynamics_.mechanism;
        std::vector<std::string> all;
        constexpr double bad_balance = 0.05;
        if (relative_error() > bad_balance) {
            all.push_back(fmt::format(
                "the energies balance only to {:.2g} of the largest: do not trust the result. "
                "Compare it with a run of a shorter time.step (--check)",
                relative_error()));
        }
        if (penetration_.depth > tolerance_) {
            all.push_back(fmt::format(
                "the bodies of contact \"{}\" overlap by {:.3g} m at {:.6g} s, more than "
                "integrator.penetration_tolerance, {:.3g} m: give a shorter time.step",
                mechanism.contacts.at(static_cast<std::size_t>(penetration_.contact)).name,
                penetration_.depth, penetration_.time, tolerance_));
        }
        if (gains_ > 0) {
            all.push_back(fmt::format(
                "{} created energy, {:.3g} J at most, at {:.6g} s: with friction, Newton's "
                "restitution of speeds, which the scheme has, can",
                gains_ == 1 ? "a step" : fmt::format("{} steps", gains_), largest_gain_,
                largest_gain_time_));
        }
        std::vector<ContactPoint> points;
        for (const ContactState& state : dynamics_.contact_states)
            points.push_back(state.point);
        for (std::string& warning : wear_warnings(mechanism, points, last))
            all.push_back(std::move(warning));
        return all;
    }

    /// Number of impacts of a contact point that have ended: all, or all except the last.
    std::size_t ended(std::size_t point) const {
        const std::vector<Impact>& impacts = impacts_[point].impacts;
        return impacts.size() - (!impacts.empty() && std::isnan(impacts.back().end) ? 1 : 0);
    }

    void report(std::size_t point, std::size_t up_to) {
        for (; reported_[point] < up_to; ++reported_[point]) {
            if (sinks_.impact) sinks_.impact(point, impacts_[point].impacts[reported_[point]]);
        }
    }

    void serialize(Archive& archive) {
        archive(time_), archive(sample_), archive(number_), archive(steps_), archive(initial_);
        archive(largest_entry_), archive(largest_error_);
        archive(penetration_.depth), archive(penetration_.time), archive(penetration_.contact);
        const auto contacts = static_cast<std::int64_t>(dynamics_.mechanism.contacts.size());
        if (penetration_.contact < 0 ||
            penetration_.contact > std::max<std::int64_t>(contacts, 1) - 1)
            throw std::length_error("the saved state is damaged");
        archive(gains_), archive(largest_gain_), archive(largest_gain_time_);
        for (double& number : y_)
            archive(number);
        dynamics_.serialize(archive);
        serialize_impacts(archive, impacts_);
    }

    Sample sample_at(double time) {
        dynamics_.multibody.start_step(time);
        Sample sample = dynamics_.sample(time, y_);
        balance(sample.ledger);
        return sample;
    }

    /// Adds the initial energy and the errors to a ledger.
    void balance(Ledger& l) {
        mechanism::balance(l, initial_, rounding_, largest_entry_);
        largest_error_ = std::max(largest_error_, std::abs(l.energy_error));
    }

    Dynamics dynamics_;
    MoreauStep step_;
    const StepTimes times_;
    const Sinks& sinks_;
    const bool long_solves_;
    const double tolerance_;  ///< of penetration [m]
    const double rounding_;   ///< energies below it are rounding [J]
    double time_ = 0.0, initial_ = 0.0;
    double largest_entry_ = 0.0;  ///< of the ledger [J]
    double largest_error_ = 0.0;  ///< of the ledger, at any step [J]
    Penetration penetration_;
    std::int64_t gains_ = 0;  ///< steps that created energy
    double largest_gain_ = 0.0, largest_gain_time_ = 0.0;
    std::int64_t sample_ = 1;  ///< the next
    std::int64_t number_ = 0;  ///< steps since the last sample
    std::int64_t steps_ = 0;
    std::vector<double> y_;
    std::vector<std::size_t> reported_;  ///< number of impacts passed to sinks_, by contact point
    std::vector<ContactImpacts> impacts_;
    std::vector<ContactKinematics> kinematics_;
};

}  // namespace

Result step_in_time(const Mechanism& mechanism, const Sinks& sinks,
                    const std::vector<double>* from) {
    SteppedRun run(mechanism, sinks);
    if (from == nullptr)
        run.begin();
    else
        run.begin(*from);
    return run.go();
}

double time_steps_of(const Mechanism& mechanism) {
    const StepTimes times(mechanism);
    const double last = static_cast<double>(times.steps_before(times.samples()));
    return times.samples() == 1 ? last
                                : last + static_cast<double>(times.samples() - 1) *
                                             static_cast<double>(times.steps_before(1));
}

double penetration_tolerance_of(const Mechanism& mechanism) {
    constexpr double part = 1e-3;
    const auto given = mechanism.stepping.value().penetration_tolerance;
    return given ? *given : part * size_of(mechanism, contact_points_of(mechanism));
}

}  // namespace beadwave::mechanism
