#include "jobs/half_step.hpp"

namespace beadwave::jobs {

running::StepTrial at_half_step(const running::StepTrial& whole,
                                const running::Settings& settings) {
    const dynamics::TimeStep& step = whole.time_step;
    running::StepTrial half{
        .time_step = dynamics::with_step(step, 0.5 * step.step, settings.step_request())};
    half.time_step.given = true;  // so that the run does not restart with another step
    return half;
}

HalfStep run_at_half_step(const chain::Chain& chain, const running::Settings& settings,
                          const running::Finished& whole, ProgressCallback& callback) {
    const running::StepTrial half = at_half_step(whole.trial, settings);
    const auto finished = running::run_chain(chain, settings, half, whole.threads,
                                             [&](const running::StepTrial&, dynamics::Engine&) {
                                                 running::Sinks sinks;
                                                 sinks.stop = [&] { return callback.stop(); };
                                                 return sinks;
                                             });
    if (finished.result.stopped)
        throw running::RunError("interrupted in the run with half the time step");
    return {.time_step = half.time_step.step, .result = finished.result};
}

}  // namespace beadwave::jobs
