#include "subjects/gradients/gradients.hpp"

#include "beadwave/input_error.hpp"
#include "chain/pair_equilibrium.hpp"
#include "jobs/read_job.hpp"
#include "jobs/threads.hpp"
#include "subjects/chain/chain_job.hpp"
#include "subjects/gradients/objective_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::tasks {

gradients::ReadyChain ready_chain(const jobs::Job& job, const std::string& name) {
    const auto* const chain = dynamic_cast<const jobs::ChainJob*>(&job);
    if (chain == nullptr)
        throw InputError(fmt::format("{}: is no chain; gradients are computed of chains", name));
    return {.chain = chain->system(),
            .bodies = chain->contact_bodies(),
            .settings = chain->settings(),
            .time_step = *chain->chosen_step(),
            .in_equilibrium =
                chain->starts_in_equilibrium() || chain::pair_equilibrium_wanted(chain->scenario()),
            .static_loads = chain->static_loads(),
            .name = name};
}

GradientResult gradient_of(const jobs::Job& job, const std::string& name,
                           const MakeMeasure& measure, const GradientRequest& request) {
    const gradients::ReadyChain ready = ready_chain(job, name);
    const std::vector<gradients::Input> inputs =
        gradients::read_inputs(request.inputs, ready, "--inputs");
    if (request.states == 1)
        throw InputError("states: is 1; expected 0, or at least 2: a state and a record of a step");
    // A second thread is worth its start in runs of a tenth of a second.
    constexpr double worthwhile = 1e7;
    const double bead_steps =
        static_cast<double>(ready.chain.beads()) * static_cast<double>(ready.time_step.count);
    const int threads =
        bead_steps < worthwhile ? 1 : jobs::startable_threads(std::min(request.threads, 2));
    return {.gradient =
                gradients::gradient_of(ready, measure(ready), inputs, request.check, request.stop,
                                       {.most_states = request.states, .threads = threads}),
            .warnings = job.warnings()};
}

GradientResult gradient_of(const GradientRequest& request) {
    const auto job = jobs::read_job(request.scenario, request.overrides);
    return gradient_of(
        *job, request.scenario,
        [&](const gradients::ReadyChain& ready) {
            return gradients::Measure(
                io::read_objectives(request.objective, ready.chain.beads(), ready.settings.end),
                ready.time_step);
        },
        request);
}

}  // namespace beadwave::tasks
