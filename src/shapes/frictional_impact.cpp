#include "shapes/frictional_impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <variant>

namespace beadwave::shapes {
namespace {

/// The state at the end of a step.
struct Moment {
    Pair pair;
    Vector normal{};          ///< from the first to the second
    Vector arm_1{}, arm_2{};  ///< from both centres to where friction acts [m]
    double overlap = 0.0, approach = 0.0;
    laws::AnyMemory memory{};
    laws::SliderMemory<double> sliding{};
    double normal_force = 0.0;
    Vector friction{};  ///< on the second body [N]
    Vector slip{};      ///< speed of the slip [m/s]

    Vector force() const { return normal_force * normal + friction; }
};

/// The slip in a step, of the material of the first body along that of the second, in the plane of
/// contact [m/s].
struct Slip {
    Vector start, mean, end;
};

/// What a step added.
struct StepSums {
    double impulse, normal_work, friction_work;
    Vector tangential_impulse;
};

/// Velocities and spins of both, at one time.
struct Rates {
    std::array<Vector, 2> velocity{}, spin{};

    /// Of the first body's material against the second's [m/s].
    Vector apart(const Vector& arm_1, const Vector& arm_2) const {
        return velocity[0] + cross(spin[0], arm_1) - velocity[1] - cross(spin[1], arm_2);
    }
};

Rates rates_of(const Pair& pair) {
    Rates rates{.velocity = {pair.first.velocity, {}}, .spin = {spin(pair.first), {}}};
    if (const Body* const other = pair.other()) {
        rates.velocity[1] = other->velocity;
        rates.spin[1] = spin(*other);
    }
    return rates;
}

void kick(Body& body, const Vector& force, const Vector& arm, double time) {
    body.velocity += (time / body.mass) * force;
    body.momentum += to_body(body.shape.orientation, time * cross(arm, force));
}

void kick(Moment& m, double time) {
    kick(m.pair.first, -m.force(), m.arm_1, time);
    if (Body* const other = m.pair.other()) kick(*other, m.force(), m.arm_2, time);
}

void drift(Body& body, double time) {
    body.shape.centre += time * body.velocity;
    Rotation rotation{.orientation = body.shape.orientation, .momentum = body.momentum};
    turn_freely(rotation, body.moments, time);
    body.shape.orientation = rotation.orientation;
    body.momentum = rotation.momentum;
}

/// Takes the normal, the overlap and the arms of the present places.
void face(Moment& m, const Gap& gap) {
    m.normal = gap.normal;
    m.overlap = gap.overlap;
    const Body* const other = m.pair.other();
    double part = 1.0;
    if (other != nullptr) {
        const double first = farthest(m.pair.first.shape);
        part = first / (first + farthest(other->shape));
    }
    m.arm_1 = gap.arm_1 - (part * gap.overlap) * gap.normal;
    m.arm_2 = other != nullptr ? m.arm_1 + (m.pair.first.shape.centre - other->shape.centre)
                               : Vector{0.0, 0.0, 0.0};
}

class Integration {
  public:
    Integration(const Pair& start, const laws::AnyLaw& law, const laws::AnySlider& slider,
                double step, int parts)
        : law_(law), slider_(slider), step_(step), parts_(parts), now_{.pair = start} {
        // The contact closes with a positive overlap too small to matter.
        const Gap gap = gap_between(start);
        face(now_, gap);
        now_.overlap = std::numeric_limits<double>::min();
        now_.approach = gap.approach;
        now_.slip = across(now_, rates_of(start).apart(now_.arm_1, now_.arm_2));
        press(now_, now_.approach);
        slide(now_, now_, {.start = now_.slip, .mean = {}, .end = now_.slip}, 0.0);
        result_.slip_speed = length(now_.slip);
        result_.normal.max_force = std::max(0.0, now_.normal_force);
        result_.max_friction = length(now_.friction);
    }

    FrictionalImpact run(Pair& pair, int most_steps,
                         const std::function<void(const laws::CollisionMoment&)>& watch) {
        Impact& normal = result_.normal;
        double time = 0.0;
        for (int count = 1; count <= most_steps; ++count) {
            if (watch) watch({time, now_.overlap, now_.approach, now_.normal_force});
            double step = step_;
            StepSums sums{};
            Moment next = stepped(step, sums);
            if (!std::isfinite(next.overlap) || !std::isfinite(next.approach))
                throw std::runtime_error("the impact cannot be followed: its force is not finite");
            const bool turns = now_.approach > 0.0 && next.approach <= 0.0;
            const bool over = now_.approach <= 0.0 && ended(next);
            if (turns || over) {
                step = first_step(
                    [&](const Moment& m) { return over ? ended(m) : m.approach <= 0.0; });
                next = stepped(step, sums);
            }
            time += step;
            now_ = std::move(next);
            add(sums);
            if (now_.overlap > normal.max_overlap) {
                normal.max_overlap = now_.overlap;
                normal.compression_time = time;
            }
            if (!over) continue;
            finish(pair, time, count);
            if (watch) watch({time, now_.overlap, now_.approach, now_.normal_force});
            return result_;
        }
        throw std::runtime_error(
            "the two bodies do not separate: the law is overdamped at this speed");
    }

  private:
    static Vector across(const Moment& m, const Vector& v) {
        return v - dot(v, m.normal) * m.normal;
    }

    bool ended(const Moment& m) const {
        return m.overlap <= 0.0 ||
               (!law_.ends_in_tension() && m.approach < 0.0 && m.normal_force <= 0.0);
    }

    /// `approach`: predicted. Where the bodies part, the force is that of an overlap that vanishes:
    /// a law may end in tension.
    void press(Moment& m, double approach) const {
        const double overlap = std::max(m.overlap, std::numeric_limits<double>::min());
        const auto normal = law_.respond(overlap, approach, m.memory);
        m.memory = normal.memory;
        m.normal_force = normal.force;
    }

    /// Returns the work on spring and slider [J].
    double slide(const Moment& before, Moment& m, const Slip& slip, double time) const {
        double work = 0.0;
        const auto between = [](double a, double b, double part) { return a + part * (b - a); };
        for (int k = 0; k < parts_; ++k) {
            const double middle = (k + 0.5) / parts_, end = (k + 1.0) / parts_;
            const Vector turn = slip.end - slip.start;
            const Vector mean = slip.mean + (middle - 0.5) * turn;
            const laws::Slide<double> part{
                .slip = (time / parts_) * mean,
                .mean = mean,
                .velocity = slip.start + end * turn,
                .overlap = between(before.overlap, m.overlap, end),
                .normal_force = between(before.normal_force, m.normal_force, end)};
            const auto response =
                std::visit([&](const auto& law) { return law.respond(part, m.sliding); }, slider_);
            m.sliding = response.memory;
            m.friction = response.force;
            work += response.work;
        }
        return work;
    }

    Moment stepped(double time, StepSums& sums) const {
        Moment m = now_;
        kick(m, 0.5 * time);
        const Rates first = rates_of(m.pair);
        drift(m.pair.first, time);
        if (Body* const other = m.pair.other()) drift(*other, time);
        Rates half = rates_of(m.pair);
        for (std::size_t k = 0; k < 2; ++k)
            half.spin[k] = 0.5 * (first.spin[k] + half.spin[k]);
        Pair predicted = m.pair;
        kick(predicted.first, -now_.force(), now_.arm_1, 0.5 * time);
        if (Body* const other = predicted.other())
            kick(*other, now_.force(), now_.arm_2, 0.5 * time);

        face(m, gap_between(m.pair, now_.normal));
        const Vector middle = now_.normal + m.normal;
        const double inverse_squared = 1.0 / dot(middle, middle);
        const Vector mean = half.apart(0.5 * (now_.arm_1 + m.arm_1), 0.5 * (now_.arm_2 + m.arm_2));
        const double closing = dot(mean, middle) * inverse_squared;
        const Vector slip = mean - closing * middle;
        const Vector end = rates_of(predicted).apart(m.arm_1, m.arm_2);
        const Vector start = now_.slip - dot(now_.slip, m.normal) * m.normal;
        m.sliding.vector = laws::turned(m.sliding.vector, middle, inverse_squared, m.normal);
        press(m, dot(m.normal, end));
        sums.friction_work =
            slide(now_, m, {.start = start, .mean = slip, .end = across(m, end)}, time);
        kick(m, 0.5 * time);
        const Vector apart = rates_of(m.pair).apart(m.arm_1, m.arm_2);
        m.approach = dot(m.normal, apart);
        m.slip = across(m, apart);
        const double mean_force = 0.5 * (now_.normal_force + m.normal_force);
        sums.impulse = time * mean_force;
        sums.normal_work = mean_force * (m.overlap - now_.overlap);
        sums.tangential_impulse = (0.5 * time) * (now_.friction + m.friction);
        return m;
    }

    /// The shortest step after which a condition holds that holds after the whole one [s].
    template <class Condition>
    double first_step(Condition condition) const {
        double low = 0.0, high = step_;
        StepSums unused{};
        for (int halving = 0; halving < 50; ++halving) {
            const double middle = 0.5 * (low + high);
            (condition(stepped(middle, unused)) ? high : low) = middle;
        }
        return high;
    }

    void add(const StepSums& sums) {
        result_.normal.impulse += sums.impulse;
        result_.normal.contact_work += sums.normal_work;
        result_.friction_work += sums.friction_work;
        result_.tangential_impulse += sums.tangential_impulse;
        result_.normal.max_force = std::max(result_.normal.max_force, now_.normal_force);
        result_.max_friction = std::max(result_.max_friction, length(now_.friction));
    }

    void finish(Pair& pair, double time, int steps) {
        Impact& normal = result_.normal;
        normal.separation_speed = -now_.approach;
        normal.residual_overlap = std::max(0.0, now_.overlap);
        normal.duration = time;
        normal.contact_work += result_.friction_work;
        normal.steps = steps;
        result_.slip_speed_after = length(now_.slip);
        pair = now_.pair;
    }

    const laws::AnyLaw& law_;
    const laws::AnySlider& slider_;
    double step_;
    int parts_;
    Moment now_;
    FrictionalImpact result_{};
};

/// The largest difference of velocities, and of spins times the reach of their body [m/s].
double difference(const Pair& one, const Pair& two) {
    const auto of = [](const Body& a, const Body& b) {
        return std::max(length(a.velocity - b.velocity),
                        farthest(a.shape) * length(spin(a) - spin(b)));
    };
    const double first = of(one.first, two.first);
    return one.other() != nullptr ? std::max(first, of(*one.other(), *two.other())) : first;
}

/// Refuses a tangential spring and dashpot that steps of so many seconds cannot follow.
void refuse_stiff(const Pair& pair, double stiffness, double damping, double step) {
    double mobility = 1.0 / pair.first.mass;
    if (const Body* const other = pair.other()) mobility += 1.0 / other->mass;
    constexpr double turns = 3.5;     // of a sphere: its rotation gives way too
    constexpr double resolved = 0.5;  // frequency or decay rate times step
    const double most_damping = resolved / (turns * mobility * step);
    const double most_stiffness = most_damping * resolved / step;
    const auto refuse = [](const char* what, double given, double most, const char* unit) {
        throw FrictionError(
            fmt::format("the tangential {}, {:.3g} {}, is too large to be followed through this "
                        "impact; expected at most {:.2g} {}",
                        what, given, unit, most, unit));
    };
    if (!(stiffness <= most_stiffness)) refuse("stiffness", stiffness, most_stiffness, "N/m");
    if (!(damping <= most_damping)) refuse("damping", damping, most_damping, "N s/m");
}

}  // namespace

FrictionalImpact collide(Pair& pair, const laws::AnyLaw& law, const laws::AnySlider& slider,
                         const std::function<void(const laws::CollisionMoment&)>& watch) {
    constexpr int fewest_steps = 1000, doublings = 6, longest = 100, steps_of_part = 250;
    constexpr double exact = 1e-7;
    Pair without_friction = pair;
    const Impact free = collide(without_friction, law);
    const double duration = free.duration;
    refuse_stiff(pair, laws::tangential_stiffness(slider, free.max_overlap),
                 laws::tangential_damping(slider, free.max_overlap),
                 duration / (fewest_steps << doublings));
    const auto run = [&](int steps, Pair& moved, const auto& watching) {
        return Integration(pair, law, slider, duration / steps, steps / steps_of_part)
            .run(moved, longest * steps, watching);
    };
    const std::function<void(const laws::CollisionMoment&)> none;
    Pair last = pair;
    FrictionalImpact result = run(fewest_steps, last, none);
    const double speed = gap_between(pair).approach + result.slip_speed;
    int steps = fewest_steps;
    for (int doubling = 0; doubling < doublings; ++doubling) {
        steps *= 2;
        Pair moved = pair;
        result = run(steps, moved, none);
        result.step_difference = difference(moved, last);
        last = moved;
        if (result.step_difference <= exact * speed) break;
    }
    if (watch) {
        Pair again = pair;
        constexpr int most_moments = 2000;
        const int stride = std::max(1, result.normal.steps / most_moments);
        int count = 0;
        run(steps, again, [&](const laws::CollisionMoment& now) {
            if (count % stride == 0 || count == result.normal.steps) watch(now);
            ++count;
        });
    }
    pair = last;
    return result;
}

}  // namespace beadwave::shapes
