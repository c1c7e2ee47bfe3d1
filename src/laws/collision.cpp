#include "beadwave/laws/collision.hpp"

#include "laws/remembering_law.hpp"
#include "laws/visit_law.hpp"

#include <boost/math/tools/minima.hpp>
#include <boost/numeric/odeint.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace beadwave::laws {
namespace {

namespace odeint = boost::numeric::odeint;

/// {overlap / length, approach speed / impact speed} against time * impact speed / length.
using State = std::array<double, 2>;

double overlap_scale(const RememberingLaw& fresh, double mass, double speed, double largest) {
    return stopping_overlap([&](double overlap) { return fresh.force(overlap, 0.0); },
                            0.5 * mass * speed * speed, largest);
}

class Integration {
  public:
    Integration(RememberingLaw& law, double mass, double speed, double length)
        : law_(law),
          lowest_(-law.range() / length),
          speed_(speed),
          length_(length),
          acceleration_(length / (mass * speed * speed)) {
        // The contact closes with a positive overlap too small to matter.
        law_.commit(std::numeric_limits<double>::min(), speed_);
    }

    Collision run(double mass, bool wants_force,
                  const std::function<void(const CollisionMoment&)>& watch) {
        constexpr double tolerance = 1e-13;
        constexpr int most_steps = 2'000'000;
        auto stepper =
            odeint::make_dense_output(tolerance, tolerance, odeint::runge_kutta_dopri5<State>());
        const auto system = [this](const State& x, State& rate, double) {
            rate[0] = x[1];
            rate[1] = -force(x) * acceleration_;
        };
        stepper.initialize(State{0.0, 1.0}, 0.0, 1e-6);

        Collision result{};
        const auto at = [&](double time) {
            State x;
            stepper.calc_state(time, x);
            return x;
        };
        for (int step = 0; step < most_steps; ++step) {
            const auto [begin, accepted_end] = stepper.do_step(system);
            if (!std::isfinite(stepper.current_state()[0] + stepper.current_state()[1]))
                throw std::runtime_error(
                    "the collision cannot be followed: its force is not finite; its law's "
                    "parameters are "
                    "out of all proportion");
            double end = accepted_end;
            const bool closing = stepper.previous_state()[1] > 0.0;
            // They have no energy to part, and gain none: a second approach is not the last.
            if (closing && result.compression_time > 0.0 && law_.adhesive()) stick();

            const bool turns = closing && stepper.current_state()[1] <= 0.0;
            if (turns) {
                end = first_time(begin, end, [&](double t) { return at(t)[1] <= 0.0; });
                result.max_overlap = at(end)[0] * length_;
                result.compression_time = end * length_ / speed_;
            }
            const bool over = !closing && ended(stepper.current_state());
            if (over) end = first_time(begin, end, [&](double t) { return ended(at(t)); });

            if (wants_force) note_force(result, begin, end, at);
            const State x = at(end);
            commit(x);
            if (watch) watch({end * length_ / speed_, x[0] * length_, x[1] * speed_, force(x)});
            if (over) {
                result.rebound_speed = -x[1] * speed_;
                result.restitution = -x[1];
                result.residual_overlap = std::max(0.0, x[0] * length_);
                result.duration = end * length_ / speed_;
                result.dissipated_energy = 0.5 * mass * speed_ * speed_ * (1.0 - x[1] * x[1]);
                return result;
            }
            if (turns) stepper.initialize(State{x[0], 0.0}, end, 0.1 * (accepted_end - begin));
        }
        if (law_.adhesive()) stick();
        throw std::runtime_error(
            "the two bodies do not separate: the law is overdamped at this speed");
    }

  private:
    double force(const State& x) const { return law_.force(x[0] * length_, x[1] * speed_); }
    void commit(const State& x) { law_.commit(x[0] * length_, x[1] * speed_); }

    [[noreturn]] static void stick() {
        throw std::runtime_error(
            "the two bodies stick together: at this speed they do not overcome the adhesion of the "
            "law");
    }

    bool ended(const State& x) const {
        return x[0] <= lowest_ || (!law_.ends_in_tension() && x[1] < 0.0 && force(x) <= 0.0);
    }

    /// First time in (begin, end] at which a condition that holds at `end` holds.
    template <class Condition>
    static double first_time(double begin, double end, Condition condition) {
        for (int halving = 0; halving < 60; ++halving) {
            const double middle = 0.5 * (begin + end);
            (condition(middle) ? end : begin) = middle;
        }
        return end;
    }

    template <class At>
    void note_force(Collision& result, double begin, double end, At at) const {
        if (!(end > begin)) return;
        const auto negative = [&](double t) { return -force(at(t)); };
        const double first = -negative(begin), last = -negative(end);
        const double middle = -negative(0.5 * (begin + end));
        result.max_force = std::max({result.max_force, first, middle, last});
        // A step is far shorter than the peak of the force. A search pays only where a parabola
        // through these points has its maximum in the step, or in a neighbouring one. Two million
        // steps of a collision that does not end are not searched.
        const double slope = last - first, bend = first - 2.0 * middle + last;
        if (!(bend < 0.0) || std::abs(slope) > -4.0 * bend) return;
        std::uintmax_t most = 200;  // where the force is not finite there is no end
        const auto lowest = boost::math::tools::brent_find_minima(negative, begin, end, 26, most);
        result.max_force = std::max(result.max_force, -lowest.second);
    }

    RememberingLaw& law_;
    double lowest_;  ///< overlap at which contact ends at the latest, over length_
    double speed_, length_, acceleration_;
};

Collision integrate(const AnyLaw& law, double mass, double speed, bool wants_force,
                    const std::function<void(const CollisionMoment&)>& watch) {
    return visit_law(
        [&](const auto& l) {
            Remembering remembering(l);
            const double length = overlap_scale(remembering, mass, speed, 2.0);
            return Integration(remembering, mass, speed, length).run(mass, wants_force, watch);
        },
        law);
}

}  // namespace

Collision collide(const AnyLaw& law, double mass, double speed,
                  const std::function<void(const CollisionMoment&)>& watch) {
    return integrate(law, mass, speed, true, watch);
}

ContactTimes contact_times(const AnyLaw& law, double mass, double speed) {
    const Collision hit = integrate(law, mass, speed, false, {});
    return {.max_overlap = hit.max_overlap,
            .duration = hit.duration,
            .compression_time = hit.compression_time,
            .restitution = hit.restitution};
}

Collision collide(const LineLaw& law, double mass, double speed,
                  const std::function<void(const CollisionMoment&)>& watch) {
    Remembering remembering(law);
    const double length =
        overlap_scale(remembering, mass, speed, std::min(law.largest_overlap(), 2.0));
    return Integration(remembering, mass, speed, length).run(mass, true, watch);
}

}  // namespace beadwave::laws
