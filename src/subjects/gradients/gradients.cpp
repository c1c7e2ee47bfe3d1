#include "subjects/gradients/gradients.hpp"

#include "beadwave/input_error.hpp"
#include "jobs/read_job.hpp"
#include "subjects/chain/chain_job.hpp"
#include "subjects/gradients/objective_file.hpp"

#include <fmt/format.h>

namespace beadwave::tasks {

GradientResult gradient_of(const jobs::Job& job, const std::string& name,
                           const MakeObjectives& objectives, const GradientRequest& request) {
    const auto* const chain = dynamic_cast<const jobs::ChainJob*>(&job);
    if (chain == nullptr)
        throw InputError(fmt::format("{}: is no chain; gradients are computed of chains", name));
    const chain::Chain& beads = chain->system();
    gradients::ReadyChain ready{.chain = beads,
                                .bodies = chain->contact_bodies(),
                                .settings = chain->settings(),
                                .time_step = *chain->chosen_step(),
                                .in_equilibrium = chain->starts_in_equilibrium(),
                                .name = name};
    const std::vector<gradients::Input> inputs =
        gradients::read_inputs(request.inputs, ready.bodies, "--inputs");
    return {.gradient = gradients::gradient_of(ready, objectives(beads.beads(), ready.settings.end),
                                               inputs, request.check, request.stop),
            .warnings = job.warnings()};
}

GradientResult gradient_of(const GradientRequest& request) {
    const auto job = jobs::read_job(request.scenario, request.overrides);
    return gradient_of(
        *job, request.scenario,
        [&](std::size_t beads, double end) {
            return io::read_objectives(request.objective, beads, end);
        },
        request);
}

}  // namespace beadwave::tasks
