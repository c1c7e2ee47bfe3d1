#include "gradients/gradient.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/run_error.hpp"
#include "laws/neck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace beadwave::gradients {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string_view row_of(const Input& input) {
    if (input.kind == Input::Kind::carried) return "number";
    return is_per_bead(input) ? "bead" : "contact";
}

/// Gaps and stretches are beside overlaps where all are zero; other numbers that are all zero
/// beside 1, that of the motion.
CheckedInput checked_input(const Inputs& all, const Input& input, double largest_overlap) {
    CheckedInput checked;
    for (std::size_t i = 0; i < all.count(input); ++i)
        checked.numbers.push_back(all.value(input, i));
    checked.scale = scale_of(checked.numbers);
    if (input.kind == Input::Kind::gap || input.name == "bond.stretch")
        checked.scale = std::max(checked.scale, largest_overlap);
    return checked;
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
    for (const Input& input : inputs) {
        gradient.inputs.push_back(
            {.name = input.name, .unit = std::string(unit_of(input)), .of = row_of(input)});
    }
    gradient.steps = step.count;
    gradient.time_step = step.step;
    gradient.run_seconds = since(begin);
    Readings seeds = measure.no_seeds();
    const Values values = measure.of(run.readings(), run.energies(), &seeds);
    gradient.value = values.sum;
    gradient.objectives = values.each;
    MotionNumbers bars = run.reverse(seeds);
    all.balance(bars);
    for (const Input& input : inputs)
        gradient.by_input.push_back(all.gradient(input, bars));
    require_finite(gradient);
    gradient.states = run.states();
    gradient.seconds = since(begin);
    if (!check) return gradient;
    std::vector<CheckedInput> checked;
    for (const Input& input : inputs)
        checked.push_back(checked_input(all, input, run.largest_overlap()));
    gradient.check = compare(gradient, checked, [&](std::size_t k, std::size_t index, double x) {
        AdjointRun varied(ready.chain, all.with(inputs[k], index, x), step.step, step.count,
                          measure.channels(), measure.energies(), stop);
        varied.forward(false);
        return measure.of(varied.readings(), varied.energies(), nullptr).sum;
    });
    return gradient;
}

}  // namespace beadwave::gradients
