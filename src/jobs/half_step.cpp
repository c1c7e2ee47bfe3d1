#include "jobs/half_step.hpp"

namespace beadwave::jobs {

running::Attempt at_half_step(const running::Attempt& whole, const running::Settings& settings) {
    const dynamics::TimeStep& step = whole.time_step;
    running::Attempt half{.time_step =
                              dynamics::with_step(step, 0.5 * step.step, settings.step_request())};
    half.time_step.given = true;  // whatever it meets, it is this step that is asked for
    return half;
}

HalfStep run_at_half_step(const chain::Chain& chain, const running::Settings& settings,
                          const running::Finished& whole, Watcher& watcher) {
    const running::Attempt half = at_half_step(whole.attempt, settings);
    const auto finished = running::run_chain(chain, settings, half, whole.threads,
                                             [&](const running::Attempt&, dynamics::Engine&) {
                                                 running::Sinks sinks;
                                                 sinks.stop = [&] { return watcher.stop(); };
                                                 return sinks;
                                             });
    if (finished.result.stopped) throw running::RunError("interrupted in the run at half the step");
    return {.time_step = half.time_step.step, .result = finished.result};
}

}  // namespace beadwave::jobs
