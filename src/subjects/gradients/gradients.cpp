#include "subjects/gradients/gradients.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "chain/pair_equilibrium.hpp"
#include "jobs/read_job.hpp"
#include "jobs/threads.hpp"
#include "packing_gradients/gradient.hpp"
#include "subjects/chain/chain_job.hpp"
#include "subjects/packing/packing_job.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::tasks {

gradients::ReadyChain ready_chain(const jobs::Job& job, const std::string& name) {
    const auto* const chain = dynamic_cast<const jobs::ChainJob*>(&job);
    if (chain == nullptr)
        throw InputError(
            fmt::format("{}: is no chain; designs and traces are those of chains", name));
    return {.chain = chain->system(),
            .bodies = chain->contact_bodies(),
            .settings = chain->settings(),
            .time_step = *chain->chosen_step(),
            .in_equilibrium =
                chain->starts_in_equilibrium() || chain::pair_equilibrium_wanted(chain->scenario()),
            .static_loads = chain->static_loads(),
            .name = name};
}

namespace {

gradients::Gradient gradient_of(const jobs::ChainJob& job, const std::string& name,
                                const MakeMeasure& measure, const GradientRequest& request) {
    const gradients::ReadyChain ready = ready_chain(job, name);
    const std::vector<gradients::Input> inputs =
        gradients::read_inputs(request.inputs, ready, "--inputs");
    // A second thread is worth its start in runs of a tenth of a second.
    constexpr double worthwhile = 1e7;
    const double bead_steps =
        static_cast<double>(ready.chain.beads()) * static_cast<double>(ready.time_step.count);
    const int threads =
        bead_steps < worthwhile ? 1 : jobs::startable_threads(std::min(request.threads, 2));
    return gradients::gradient_of(
        ready, measure({{ready.chain.beads(), ready.settings.end}, ready.time_step, name}), inputs,
        request.check, request.stop, {.most_states = request.states, .threads = threads});
}

gradients::Gradient gradient_of(const jobs::PackingJob& job, const std::string& name,
                                const MakeMeasure& measure, const GradientRequest& request) {
    const packing::Packing& packing = job.system();
    packing_gradients::check_packing(packing, name);
    if (job.scenario().law.is("impact_speed", "initial") &&
        laws::depends_on_impact_speed(job.scenario().law)) {
        throw InputError(
            fmt::format("{}: law.impact_speed follows from the velocities at the start, which has "
                        "no derivative yet; expected a number, in m/s",
                        name));
    }
    const std::vector<packing_gradients::Input> inputs =
        packing_gradients::read_inputs(request.inputs, packing, "--inputs");
    const stepping::TimeStep& step = job.first_step();
    // Threads that wait for each other at every step are worth it for some hundred pairs.
    constexpr std::size_t worthwhile = 100;
    const int threads =
        packing.particles() < worthwhile ? 1 : jobs::startable_threads(request.threads);
    const io::Observed of{packing.particles(), job.scenario().time.end, packing.walls.size(),
                          packing.dimension == 2};
    return packing_gradients::gradient_of(packing, step, measure({of, step, name}), inputs, name,
                                          request.check, request.stop,
                                          {.most_states = request.states, .threads = threads});
}

}  // namespace

GradientResult gradient_of(const jobs::Job& job, const std::string& name,
                           const MakeMeasure& measure, const GradientRequest& request) {
    if (request.states == 1)
        throw InputError("states: is 1; expected 0, or at least 2: a state and a record of a step");
    GradientResult result{.gradient = {}, .warnings = job.warnings()};
    if (const auto* const chain = dynamic_cast<const jobs::ChainJob*>(&job)) {
        result.gradient = gradient_of(*chain, name, measure, request);
    } else if (const auto* const packing = dynamic_cast<const jobs::PackingJob*>(&job)) {
        result.gradient = gradient_of(*packing, name, measure, request);
    } else {
        throw InputError(
            fmt::format("{}: is a mechanism; gradients are computed of chains and packings", name));
    }
    const std::vector<std::string>& more = result.gradient.warnings;
    result.warnings.insert(result.warnings.end(), more.begin(), more.end());
    return result;
}

GradientResult gradient_of(const GradientRequest& request) {
    const auto job = jobs::read_job(request.scenario, request.overrides);
    return gradient_of(
        *job, request.scenario,
        [&](const Measured& measured) {
            return gradients::Measure(io::read_objectives(request.objective, measured.of),
                                      measured.time_step);
        },
        request);
}

}  // namespace beadwave::tasks
