#include "translation/impact.hpp"

#include <boost/numeric/odeint.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace beadwave::translation {
namespace {

namespace odeint = boost::numeric::odeint;

/// {overlap / scale, approach speed / impact speed} against time * impact speed / scale.
using State = std::array<double, 2>;

}  // namespace

Impact impact(const Model& model, const Numbers& numbers, const Touch& touch, double speed,
              double scale) {
    constexpr double tolerance = 1e-10, longest = 2000.0;
    constexpr int most_steps = 20000;
    const double acceleration = scale / (touch.mass * speed * speed);
    const auto force = [&](const State& x) {
        const double f = model.force(numbers, touch, scale * std::max(x[0], 0.0), speed * x[1]);
        return model.pulls ? f : std::max(f, 0.0);
    };
    // A force that is cut stays 0 once the bodies separate.
    const auto ended = [&](const State& x) {
        return x[1] < 0.0 && (x[0] <= 0.0 || (!model.pulls && force(x) <= 0.0));
    };
    const auto rates = [&](const State& x, State& rate, double) {
        rate[0] = x[1];
        rate[1] = -acceleration * force(x);
    };
    auto stepper =
        odeint::make_dense_output(tolerance, tolerance, odeint::runge_kutta_dopri5<State>());
    stepper.initialize(State{0.0, 1.0}, 0.0, 1e-4);
    for (int step = 0; step < most_steps; ++step) {
        auto [begin, end] = stepper.do_step(rates);
        if (end > longest || !(stepper.current_state()[0] < 1e9)) break;
        if (!ended(stepper.current_state())) continue;
        State x{};
        for (int halving = 0; halving < 50; ++halving) {
            const double middle = 0.5 * (begin + end);
            stepper.calc_state(middle, x);
            (ended(x) ? end : begin) = middle;
        }
        stepper.calc_state(end, x);
        return {.restitution = -x[1], .duration = end * scale / speed};
    }
    return {.restitution = 0.0, .duration = std::numeric_limits<double>::infinity()};
}

}  // namespace beadwave::translation
