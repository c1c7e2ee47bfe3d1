#include "shapes/impact.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/collision.hpp"
#include "laws/neck.hpp"

#include <boost/math/tools/minima.hpp>
#include <boost/numeric/odeint.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>

namespace beadwave::shapes {
namespace {

namespace odeint = boost::numeric::odeint;

// The state has, for each body: moved [length], velocity [speed], turned (vector part of the
// quaternion from the start, [length/reach]), angular momentum [mass reach speed]. Then impulse and
// work. So every number is of the order of one where it matters, and increments keep their digits.
constexpr std::size_t per_body = 12;
using State = std::array<double, 2 * per_body + 2>;

Vector vector_at(const State& x, std::size_t place) {
    return {x[place], x[place + 1], x[place + 2]};
}
void put(State& x, std::size_t place, const Vector& v) {
    x[place] = v.x;
    x[place + 1] = v.y;
    x[place + 2] = v.z;
}

/// The units of the state.
struct Scale {
    double length, speed, mass, time;
};

class BodyState {
  public:
    BodyState(const Body& start, const Scale& scale, std::size_t place)
        : start_(start), scale_(scale), place_(place) {
        const Vector& a = start.shape.semi_axes;
        reach_ = std::max({a.x, a.y, a.z});
        momentum_ = scale.mass * reach_ * scale.speed;
        turned_ = scale.length / reach_;
    }

    void write_start(State& x) const {
        put(x, place_, {});
        put(x, place_ + 3, start_.velocity * (1.0 / scale_.speed));
        put(x, place_ + 6, {});
        put(x, place_ + 9, start_.momentum * (1.0 / momentum_));
    }

    Body at(const State& x) const {
        Body b = start_;
        b.shape.centre += scale_.length * vector_at(x, place_);
        b.velocity = scale_.speed * vector_at(x, place_ + 3);
        b.shape.orientation = start_.shape.orientation * turn(x);
        b.momentum = momentum_ * vector_at(x, place_ + 9);
        return b;
    }

    /// The rate under a force at `arm` from the centre, both in space.
    void rate(const Body& now, const State& x, const Vector& force, const Vector& arm,
              State& rate) const {
        put(rate, place_, now.velocity * (scale_.time / scale_.length));
        put(rate, place_ + 3, force * (scale_.time / (now.mass * scale_.speed)));
        const Vector w = body_spin(now);
        const Quaternion q = turn(x);
        const Vector k{q.x, q.y, q.z};
        put(rate, place_ + 6, (0.5 * scale_.time / turned_) * (q.w * w + cross(k, w)));
        const Vector torque = to_body(now.shape.orientation, cross(arm, force));
        put(rate, place_ + 9, (scale_.time / momentum_) * (torque + cross(now.momentum, w)));
    }

  private:
    /// The turn from the axes of the body to those at the start; of unit length by construction.
    Quaternion turn(const State& x) const {
        const Vector k = turned_ * vector_at(x, place_ + 6);
        const double size2 = dot(k, k);
        if (!(size2 < 0.9)) {
            throw std::runtime_error(
                "a body turns by more than 140 degrees while it touches: this is no "
                "impact");
        }
        return {std::sqrt(1.0 - size2), k.x, k.y, k.z};
    }

    Body start_;
    Scale scale_;
    std::size_t place_;
    double reach_ = 0.0, momentum_ = 0.0, turned_ = 0.0;
};

class ImpactIntegration {
  public:
    ImpactIntegration(const Pair& start, const laws::AnyLaw& law)
        : start_(start),
          law_(law),
          first_gap_(gap_between(start)),
          scale_(scale_of()),
          first_(start.first, scale_, 0),
          second_(second_of(start), scale_, per_body) {
        // The contact closes with a positive overlap too small to matter.
        commit(std::numeric_limits<double>::min(), first_gap_.approach);
    }

    Impact run(Pair& pair, const std::function<void(const laws::CollisionMoment&)>& watch) {
        constexpr double tolerance = 1e-13;
        constexpr int most_steps = 200'000;
        auto stepper =
            odeint::make_dense_output(tolerance, tolerance, odeint::runge_kutta_dopri5<State>());
        const auto system = [this](const State& x, State& rate, double) { rates(x, rate); };
        State x0{};
        first_.write_start(x0);
        if (start_.other() != nullptr) second_.write_start(x0);
        stepper.initialize(x0, 0.0, 1e-4);

        Impact result{};
        Gap before = first_gap_;
        if (watch) {
            const double least = std::numeric_limits<double>::min();
            watch({0.0, 0.0, before.approach, law_.respond(least, before.approach, {}).force});
        }
        const auto at = [&](double time) {
            State x;
            stepper.calc_state(time, x);
            return x;
        };
        for (int step = 1; step <= most_steps; ++step) {
            const auto [begin, accepted_end] = stepper.do_step(system);
            if (!std::isfinite(accepted_end) || accepted_end <= begin)
                throw std::runtime_error("the impact cannot be followed: its force is not finite");
            double end = accepted_end;
            const bool closing = before.approach > 0.0;
            Gap now = gap(stepper.current_state());
            const bool turns = closing && now.approach <= 0.0;
            const bool over = !closing && ended(now);
            if (turns) {
                end = first_time(begin, end, [&](double t) { return gap(at(t)).approach <= 0.0; });
            } else if (over) {
                end = first_time(begin, end, [&](double t) { return ended(gap(at(t))); });
            }
            const State x = at(end);
            now = gap(x);
            note_force(result, begin, end, at);
            if (watch) watch({end * scale_.time, now.overlap, now.approach, force(now)});
            commit(now.overlap, now.approach);
            if (turns && now.overlap > result.max_overlap) {
                result.max_overlap = now.overlap;
                result.compression_time = end * scale_.time;
            }
            if (over) {
                result.separation_speed = -now.approach;
                result.residual_overlap = std::max(0.0, now.overlap);
                result.duration = end * scale_.time;
                result.impulse = x[2 * per_body] * scale_.mass * scale_.speed;
                result.contact_work =
                    x[2 * per_body + 1] * scale_.mass * scale_.speed * scale_.speed;
                result.steps = step;
                pair = pair_at(x);
                return result;
            }
            if (turns) {
                stepper.initialize(x, end, 0.1 * (accepted_end - begin));
                now.approach = std::min(now.approach, 0.0);
            }
            before = now;
        }
        throw std::runtime_error(
            "the two bodies do not separate: the law is overdamped at this speed");
    }

  private:
    static const Body& second_of(const Pair& pair) {
        return pair.other() != nullptr ? *pair.other() : pair.first;
    }

    Scale scale_of() const {
        const double mass = impact_mass(start_, first_gap_), speed = first_gap_.approach;
        const double length = laws::stopping_overlap(
            [&](double overlap) { return law_.respond(overlap, 0.0, {}).force; },
            0.5 * mass * speed * speed);
        return {.length = length, .speed = speed, .mass = mass, .time = length / speed};
    }

    Pair pair_at(const State& x) const {
        Pair pair{.first = first_.at(x), .second = start_.second};
        if (Body* const other = pair.other()) *other = second_.at(x);
        return pair;
    }
    Gap gap(const State& x) const { return gap_between(pair_at(x), first_gap_.normal); }
    double force(const Gap& g) const { return law_.respond(g.overlap, g.approach, memory_).force; }
    void commit(double overlap, double approach) {
        memory_ = law_.respond(overlap, approach, memory_).memory;
    }
    bool ended(const Gap& g) const {
        return g.overlap <= 0.0 || (!law_.ends_in_tension() && g.approach < 0.0 && force(g) <= 0.0);
    }

    void rates(const State& x, State& rate) const {
        const Pair pair = pair_at(x);
        const Gap g = gap_between(pair, first_gap_.normal);
        const double f = force(g);
        first_.rate(pair.first, x, -f * g.normal, g.arm_1, rate);
        if (const Body* const other = pair.other()) {
            second_.rate(*other, x, f * g.normal, g.arm_2, rate);
        } else {
            std::fill_n(rate.begin() + per_body, per_body, 0.0);
        }
        rate[2 * per_body] = f * scale_.time / (scale_.mass * scale_.speed);
        rate[2 * per_body + 1] =
            f * g.approach * scale_.time / (scale_.mass * scale_.speed * scale_.speed);
    }

    /// First time in (begin, end] at which a condition that holds at `end` holds.
    template <class Condition>
    static double first_time(double begin, double end, Condition condition) {
        for (int halving = 0; halving < 50; ++halving) {
            const double middle = 0.5 * (begin + end);
            (condition(middle) ? end : begin) = middle;
        }
        return end;
    }

    /// Steps are far shorter than the peak of the force: a search pays only where a parabola
    /// through three points has its maximum in the step or beside it.
    template <class At>
    void note_force(Impact& result, double begin, double end, At at) const {
        if (!(end > begin)) return;
        const auto negative = [&](double t) { return -force(gap(at(t))); };
        const double first = -negative(begin), last = -negative(end);
        const double middle = -negative(0.5 * (begin + end));
        result.max_force = std::max({result.max_force, first, middle, last});
        const double slope = last - first, bend = first - 2.0 * middle + last;
        if (!(bend < 0.0) || std::abs(slope) > -4.0 * bend) return;
        std::uintmax_t most = 100;
        const auto lowest = boost::math::tools::brent_find_minima(negative, begin, end, 26, most);
        result.max_force = std::max(result.max_force, -lowest.second);
    }

    Pair start_;
    const laws::AnyLaw& law_;
    laws::AnyMemory memory_{};
    Gap first_gap_;
    Scale scale_;
    BodyState first_, second_;
};

}  // namespace

Impact collide(Pair& pair, const laws::AnyLaw& law,
               const std::function<void(const laws::CollisionMoment&)>& watch) {
    if (laws::is_adhesive(law)) {
        throw ArgumentError(
            "the law has adhesion, and the neck between surfaces with two radii of curvature is "
            "not known; "
            "expected a law without adhesion");
    }
    return ImpactIntegration(pair, law).run(pair, watch);
}

}  // namespace beadwave::shapes
