#include "packing_gradients/gradient.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "laws/neck.hpp"
#include "laws/tangential/sliding_coefficient.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing_gradients/law_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace beadwave::packing_gradients {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What of a packing's particles and box has no gradient; null: nothing.
const char* missing_of(const packing::Packing& p) {
    if (p.has_shapes())
        return "gradients are those of packings of spheres, and it has other shapes";
    if (p.has_line_contacts())
        return "gradients are those of packings of spheres, and it has cylinders";
    const packing::Elements& carried = p.elements;
    if (p.is_rigid()) return "its contacts are rigid: their impulses jump, which has no gradient";
    if (!carried.bonds.empty()) return "its particles are bonded, which has no gradient yet";
    if (!carried.resonators.empty())
        return "its particles have masses inside, which have no gradient yet";
    for (const packing::DrivenParticle& each : carried.driven) {
        const packing::PrescribedMotion& motion = carried.motions[each.motion];
        if (motion.rotates || motion.turning || !motion.is_complete(p.dimension))
            return "its driven particles turn or are free along an axis, which has no gradient "
                   "yet; expected drives along all axes without rotation";
    }
    if (!p.pours.empty() || !p.exits.empty())
        return "particles come or leave during its run, which has no gradient";
    const auto curved = [](const auto& of) { return laws::depends_on_slip_speed(of.friction); };
    if (curved(p) || std::ranges::any_of(p.pairs, curved))
        return "its coefficient of friction depends on the slip speed, which has no gradient yet";
    if (p.box.strain) return "its box strains, which has no gradient yet; expected a box at rest";
    if (p.precision != packing::Precision::full)
        return "gradients are computed in full precision; expected precision = \"double\"";
    return nullptr;
}

const char* missing_of(const packing::Wall& wall) {
    if (!std::holds_alternative<packing::Plane>(wall.shape))
        return "is no plane, and only planes have a gradient yet";
    if (wall.load) return "has a mass that a load moves, which has no gradient yet";
    if (wall.angular_velocity != 0.0) return "turns, which has no gradient yet";
    return nullptr;
}

gradients::CheckedInput checked_input(const VariedPacking& varied, const Input& input) {
    gradients::CheckedInput checked{numbers_of(varied, input), 0.0};
    checked.scale = gradients::scale_of(checked.numbers);
    // A coordinate may be zero, and is no length that forces know.
    if (input.kind == Input::Kind::position) {
        checked.scale = gradients::scale_of(varied.packing.radius);
        std::ranges::fill(checked.numbers, 0.0);
    }
    return checked;
}

}  // namespace

void check_packing(const packing::Packing& packing, const std::string& name) {
    if (const char* const missing = missing_of(packing))
        throw InputError(fmt::format("{}: {}", name, missing));
    for (std::size_t w = 0; w < packing.walls.size(); ++w) {
        if (const char* const missing = missing_of(packing.walls[w]))
            throw InputError(fmt::format("{}: wall {} {}", name, w, missing));
    }
    const laws::AnyLaw law = packing::PairLaws(packing).normal();
    if (laws::is_adhesive(law))
        throw InputError(fmt::format(
            "{}: its law has adhesion, whose necks form and break with a jump of the force", name));
    if (packing.law.name == "tabulated")
        throw InputError(
            fmt::format("{}: its law is a table, whose rows have no derivative by the "
                        "inputs yet; expected another law",
                        name));
}

gradients::Gradient gradient_of(const packing::Packing& packing, const stepping::TimeStep& step,
                                const gradients::Measure& measure, const std::vector<Input>& inputs,
                                const std::string& name, bool check, const gradients::Stop& stop,
                                const gradients::SweepCost& cost) {
    check_packing(packing, name);
    const Clock::time_point begin = Clock::now();
    const VariedPacking varied(packing);
    AdjointRun run(varied, step.step, step.count, measure.channels(), measure.energies(), stop,
                   cost.most_states, cost.threads);
    run.forward(true);
    gradients::Gradient gradient;
    gradient.steps = step.count;
    gradient.time_step = step.step;
    gradient.run_seconds = since(begin);
    gradients::Readings seeds = measure.no_seeds();
    const gradients::Values values = measure.of(run.readings(), run.energies(), &seeds);
    gradient.value = values.sum;
    gradient.objectives = values.each;
    const Bars bars = run.reverse(seeds);
    for (const Input& input : inputs) {
        gradient.inputs.push_back({.name = input.name,
                                   .unit = input.unit(),
                                   .of = input.of(),
                                   .columns = input.columns()});
        gradient.by_input.push_back(gradient_by(varied, input, bars, run.table()));
    }
    gradients::require_finite(gradient);
    gradient.states = run.states();
    gradient.seconds = since(begin);
    gradient.warnings = law_warnings(run.table());
    if (!check) return gradient;
    std::vector<gradients::CheckedInput> checked;
    for (const Input& input : inputs)
        checked.push_back(checked_input(varied, input));
    const auto value_with = [&](std::size_t k, std::size_t index, double x) {
        VariedPacking changed = varied;
        const bool moves = inputs[k].kind == Input::Kind::position;
        const double from = moves ? numbers_of(varied, inputs[k])[index] : 0.0;
        change(changed, inputs[k], index, from + x);
        AdjointRun other(changed, step.step, step.count, measure.channels(), measure.energies(),
                         stop);
        other.forward(false);
        return measure.of(other.readings(), other.energies(), nullptr).sum;
    };
    // Collisions one after another curve the value as they amplify every change.
    gradient.check = compare(gradient, checked, value_with, 1e-6);
    return gradient;
}

}  // namespace beadwave::packing_gradients
