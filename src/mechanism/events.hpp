// Contacts that close, turn from loading to unloading, and end; their impacts.
//
// Under the law "impulse", the contacts that close at the same instant share one set of impulses
// with those that rest, by the definition of restitution of each (contact_impulses.hpp). Spheres in
// a row that touch without a force do not close: one impulse after the other passes through them. A
// contact whose rebound height is of
// the size of rounding comes to rest: a normal reaction keeps it closed until the reaction would
// have to pull. With friction it then sticks or slips: coulomb_forces.hpp decides, whenever a
// contact closes, opens, stops, or can no longer be held.
#pragma once

#include "mechanism/contact_impulses.hpp"
#include "mechanism/stepper.hpp"

#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace beadwave::mechanism {

class Events {
  public:
    /// `ignore_releases`: see Sinks.
    Events(Dynamics&, Stepper&, bool ignore_releases);

    /// Contact points that overlap at the start are touching from the start.
    void begin(const std::vector<ContactKinematics>& kinematics, std::vector<double>& y);

    /// The length of the step just tried up to its first event [s], or the whole step; y becomes
    /// the state there. `before` is the kinematics at the start of the step.
    double shorten(double step, const std::vector<ContactKinematics>& before,
                   std::vector<double>& y);

    /// Updates the peak forces with those of a step that will be taken unchanged.
    void record_peak_forces(double step, const std::vector<ContactKinematics>& before,
                            const std::vector<double>& y);

    /// The step was taken: commits the memories of the laws and carries out the event that ended
    /// the step. True if y changed.
    bool commit_step(double time, const std::vector<ContactKinematics>& kinematics,
                     std::vector<double>& y);

    /// Between two steps: bearings get the shape of their wear (Dynamics::update_worn_bearings()),
    /// and contacts that it parts end. `kinematics` become the new ones.
    void follow_wear(double time, const std::vector<double>& y,
                     std::vector<ContactKinematics>& kinematics);

    /// All impacts so far.
    const std::vector<ContactImpacts>& contact_impacts() const { return contact_impacts_; }

    /// Impacts that created energy, and those that would have, one sentence each.
    std::vector<std::string> warnings() const;

    /// Saves or restores the impacts and the state of the contacts.
    void serialize(Archive&);

  private:
    /// Slip: friction can no longer hold a contact that rests and sticks. Stop: one that rests and
    /// slips comes to a stop. Joint_stop, joint_slip: the same for joints
    /// with friction.
    enum class Kind { close, turn, end, resume, stick, slip, stop, joint_stop, joint_slip };
    struct Event {
        std::size_t point;
        Kind kind;
    };

    std::optional<Kind> detect(std::size_t point, const ContactKinematics& before,
                               const ContactKinematics& after) const;
    bool ended(const ContactState&, const ContactKinematics&) const;
    bool resumes(const ContactState&, const ContactKinematics&) const;
    /// The time in the step at which the contact just touches, or just parts, if it does neither at
    /// the ends of the step; empty if there is none.
    std::optional<double> extremum_between(std::size_t point, double step,
                                           const ContactKinematics& before,
                                           const ContactKinematics& after);
    /// A part of the step just tried [s].
    struct Span {
        double low, high;
    };
    /// Where a contact at rest first parts or begins to slip, or a joint that friction holds to
    /// move: nothing does before `low`, and `high` is past it. If `high` is the whole step, its end
    /// says whether anything does.
    Span find_release(double step, const std::vector<double>& y);
    /// The end of sliding, where the slip turns: the tangential spring is then at its limit, and
    /// holds from there on. Shortens the step to the first.
    double shorten_to_stick(double step, const std::vector<ContactKinematics>& before,
                            std::vector<double>& y);
    /// Shortens the step to where contacts that rest with Coulomb's friction stop, or begin to
    /// slip, but not before `low`.
    double shorten_to_friction(double step, double low,
                               const std::vector<ContactKinematics>& before,
                               std::vector<double>& y);
    /// Shortens the step for joints with friction, as shorten_to_friction() for contacts.
    double shorten_to_joint_friction(double step, double low, std::vector<double>& y);
    double locate(const Event&, double step, const ContactKinematics& before,
                  const ContactKinematics& after);
    const ContactKinematics& kinematics_at(std::size_t point, double step);
    /// `high` if the number has one sign at both ends. Found to this part of `high`.
    template <class Number>
    static double find_root(Number number, double low, double high, double part = 1e-15) {
        const double at_low = number(low), at_high = number(high);
        if (at_low == 0.0) return low;
        if (!(at_low * at_high < 0.0)) return high;
        std::uintmax_t most = 100;
        const auto close_enough = [=](double a, double b) { return b - a <= part * high; };
        return boost::math::tools::toms748_solve(number, low, high, at_low, at_high, close_enough,
                                                 most)
            .second;
    }
    /// The first time at which a condition holds. It holds at `high`. Found to this part of `high`.
    template <class Condition>
    static double find_first(Condition condition, double low, double high, double part = 0.0) {
        const double enough = part * high;
        for (int halving = 0; halving < 52 && high - low > enough; ++halving) {
            const double middle = 0.5 * (low + high);
            (condition(middle) ? high : low) = middle;
        }
        return high;
    }
    /// The first such time where a number passes zero nearby, which takes fewer trials.
    template <class Condition, class Number>
    static double find_first(Condition condition, Number number, double low, double high) {
        const double zero = find_root(number, low, high, 1e-10);
        for (double width = 1e-9 * high; low < zero - width || zero + width < high; width *= 64.0) {
            const double above = zero + width, below = zero - width;
            if (above < high && !condition(above)) {
                low = above;
                continue;
            }
            high = std::min(high, above);
            if (below <= low) break;
            if (!condition(below)) {
                low = below;
                break;
            }
            high = below;
        }
        return find_first(condition, low, high, 1e-13);
    }
    double force_slope(std::size_t point, double time, const std::vector<double>& y,
                       std::span<const double> dydt, double step,
                       const ContactKinematics& kinematics);

    /// True if y changed.
    bool carry_out(const Event&, double time, const std::vector<ContactKinematics>& kinematics,
                   std::vector<double>& y);
    void close(std::size_t point, double time, const ContactKinematics&, std::vector<double>& y);
    /// The force that keeps a resting contact closed, at this time after the start of the step [N].
    double normal_reaction(std::size_t point, double step);
    /// Whether the contact would have to pull, by more than rounding, where the step ends at y.
    bool pulls(std::size_t point, double step, const std::vector<double>& y);
    bool follows_impulse_law(std::size_t point) const;
    double least_rebound_height(std::size_t point) const;
    /// The overlap that counts as none where a contact may close [m]: bodies that part from rest
    /// begin with a speed of rounding.
    double rounding_overlap(std::size_t point) const;
    std::vector<std::size_t> impulse_group(std::size_t point,
                                           const std::vector<ContactKinematics>& kinematics) const;
    /// The impulses of an impact. Contacts at rest that restitution does not let leave stay: theirs
    /// becomes zero. `leaves`: whether such a contact leaves at this separation speed.
    std::vector<ContactImpulse> find_impulses(
        double time, std::vector<ImpactPoint>& meeting,
        const std::vector<ContactKinematics>& kinematics,
        const std::function<bool(std::size_t, double)>& leaves);
    void apply_impulses(std::size_t point, double time,
                        const std::vector<ContactKinematics>& kinematics, std::vector<double>& y);
    /// Contacts that rest slip, and no finite forces keep them closed: an impulse stops the slip.
    void stop_jam(double time, std::vector<double>& y);
    void watch_energy(double time, double kinetic, double gain,
                      const std::vector<std::size_t>& points);
    void start_impact(std::size_t point, double time, const ContactKinematics&, double mass,
                      std::span<const double> y);
    void end(std::size_t point, double time, const ContactKinematics&, std::span<const double> y);
    void open(std::size_t point);

    Dynamics& dynamics_;
    Stepper& stepper_;
    const bool ignore_releases_;
    std::optional<Event> pending_;
    double fastest_joint_ = 0.0;  ///< with friction, at the start of the step [rad/s or m/s]
    double fastest_slip_ = 0.0;   ///< of contacts that rest, at the start of the step [m/s]
    /// Impacts that created energy: how many, and the largest [J] with its time [s].
    std::int64_t gains_ = 0;
    double largest_gain_ = 0.0, largest_gain_time_ = 0.0;
    std::int64_t reductions_ = 0;   ///< impacts of which the restitution was reduced
    double first_reduction_ = 0.0;  ///< time of the first [s]
    std::vector<ContactImpacts> contact_impacts_;
    std::vector<double> scratch_, shifted_, dydt_;
    std::vector<ContactKinematics> kinematics_, kinematics_after_;
};

}  // namespace beadwave::mechanism
