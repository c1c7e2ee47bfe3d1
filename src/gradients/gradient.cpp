#include "gradients/gradient.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/run_error.hpp"
#include "laws/neck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

namespace beadwave::gradients {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The size of an input's numbers; where all are zero, that of the motion. Gaps and stretches are
/// beside overlaps.
double scale_of(const Inputs& all, const Input& input, double largest_overlap) {
    double scale = 0.0;
    for (std::size_t i = 0; i < all.count(input); ++i) {
        const double x = std::fabs(all.value(input, i));
        if (std::isfinite(x)) scale = std::max(scale, x);
    }
    if (input.kind == Input::Kind::gap || input.name == "bond.stretch")
        scale = std::max(scale, largest_overlap);
    return scale > 0.0 ? scale : 1.0;
}

/// The most pairs of runs; of more numbers, evenly spaced ones are checked.
constexpr std::size_t most_checked = 100;

Check compare(const ReadyChain& ready, const Measure& measure, const Inputs& all,
              const Gradient& gradient, double largest_overlap, const Stop& stop) {
    // Several lengths: a long difference may cross a kink, a short one has rounding errors.
    constexpr std::array<double, 3> parts{1e-5, 1e-6, 1e-7};
    const double dt = ready.time_step.step;
    const auto value_with = [&](const Input& input, std::size_t index, double x) {
        AdjointRun run(ready.chain, all.with(input, index, x), dt, ready.time_step.count,
                       measure.channels(), measure.energies(), stop);
        run.forward(false);
        return measure.of(run, nullptr).sum;
    };
    std::vector<double> scales;
    const auto size = [&](std::size_t k, std::size_t i) {
        const double own = std::fabs(all.value(gradient.inputs[k], i));
        return own > 0.0 && std::isfinite(own) ? own : scales[k];
    };
    double largest = 0.0;
    std::size_t count = 0;
    for (std::size_t k = 0; k < gradient.inputs.size(); ++k) {
        scales.push_back(scale_of(all, gradient.inputs[k], largest_overlap));
        for (std::size_t i = 0; i < gradient.by_input[k].size(); ++i)
            largest = std::max(largest, std::fabs(gradient.by_input[k][i]) * size(k, i));
        count += gradient.by_input[k].size();
    }
    Check check;
    if (largest == 0.0) largest = std::max(std::fabs(gradient.value), 1e-300);
    const std::size_t stride = (count + most_checked - 1) / most_checked;
    std::size_t number = 0;
    for (std::size_t k = 0; k < gradient.inputs.size(); ++k) {
        for (std::size_t i = 0; i < gradient.by_input[k].size(); ++i, ++number) {
            const Input& input = gradient.inputs[k];
            const double own = all.value(input, i);
            if (number % stride != 0 || !std::isfinite(own)) continue;
            double least = std::numeric_limits<double>::infinity(), difference = 0.0;
            for (const double part : parts) {
                const double above = own + part * size(k, i), below = own - part * size(k, i);
                const double slope =
                    (value_with(input, i, above) - value_with(input, i, below)) / (above - below);
                const double deviation =
                    std::fabs(slope - gradient.by_input[k][i]) * size(k, i) / largest;
                if (!(deviation < least)) continue;
                least = deviation;
                difference = slope;
            }
            ++check.numbers;
            if (check.numbers > 1 && !(least > check.largest_deviation)) continue;
            check = {.numbers = check.numbers,
                     .largest_deviation = least,
                     .input = input.name,
                     .index = i,
                     .derivative = gradient.by_input[k][i],
                     .difference = difference};
        }
    }
    return check;
}

}  // namespace

void check_chain(const ReadyChain& ready) {
    const auto refuse = [&](const char* why) {
        throw InputError(fmt::format("{}: {}", ready.name, why));
    };
    if (ready.chain.partition) refuse("gradients are computed by one process");
    if (ready.in_equilibrium && !ready.chain.elements.pair_forces.empty())
        refuse(
            "the chain starts where its pair forces balance, and that place has no gradient yet; "
            "expected a start without precompression.force and without equilibrium");
    for (const chain::Bond& each : ready.chain.elements.bonds) {
        if (std::isfinite(each.strength))
            refuse("its bonds break, with a jump of the force; expected bonds without a strength");
        if (each.tension_only && each.damping > 0.0)
            refuse(
                "its bonds for tension only are damped, and begin to pull with a jump of the "
                "force; expected a damping of 0");
    }
    if (ready.settings.sleep_speed > 0.0)
        refuse("time.sleep_speed puts beads to sleep, which has no derivative; expected 0");
    if (ready.bodies.law.name == "tabulated")
        refuse(
            "its law is a table, whose rows have no derivative by the inputs yet; expected "
            "another law");
    if (laws::is_adhesive(ready.chain.contacts.first()))
        refuse("its law has adhesion, whose necks form and break with a jump of the force");
}

Gradient gradient_of(const ReadyChain& ready, const Measure& measure,
                     const std::vector<Input>& inputs, bool check, const Stop& stop,
                     const SweepCost& cost) {
    check_chain(ready);
    const Clock::time_point begin = Clock::now();
    const stepping::TimeStep& step = ready.time_step;
    const Inputs all(ready);
    AdjointRun run(ready.chain, all.numbers(), step.step, step.count, measure.channels(),
                   measure.energies(), stop, cost);
    run.forward(true);
    Gradient gradient;
    gradient.inputs = inputs;
    gradient.steps = step.count;
    gradient.time_step = step.step;
    gradient.run_seconds = since(begin);
    Readings seeds = measure.no_seeds();
    const Values values = measure.of(run, &seeds);
    gradient.value = values.sum;
    gradient.objectives = values.each;
    MotionNumbers bars = run.reverse(seeds);
    all.balance(bars);
    for (const Input& input : inputs) {
        gradient.by_input.push_back(all.gradient(input, bars));
        for (const double d : gradient.by_input.back()) {
            if (!std::isfinite(d))
                throw running::RunError(
                    fmt::format("the derivatives by {} are not finite", input.name));
        }
    }
    gradient.states = run.states();
    gradient.seconds = since(begin);
    if (check) gradient.check = compare(ready, measure, all, gradient, run.largest_overlap(), stop);
    return gradient;
}

}  // namespace beadwave::gradients
