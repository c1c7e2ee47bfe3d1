#include "jobs/packing_job.hpp"

#include "jobs/packing_summary.hpp"
#include "jobs/stepped_job.hpp"
#include "jobs/threads.hpp"
#include "running/chain_system.hpp"

#include <fmt/format.h>

#include <utility>

namespace beadwave::jobs {
namespace {

/// In the same order for all systems: force, arrival, velocity.
const std::vector<SensorColumn>& sensor_columns() {
    using observers::SensorResult;
    static const std::vector<SensorColumn> columns{
        {{"peak_contact_force", "N", "N", ""}, &SensorResult::peak_force},
        {{"arrival_time", "s", "s", ""}, &SensorResult::arrival_time},
        {{"peak_speed", "m s-1", "m_per_s", ""}, &SensorResult::peak_velocity}};
    return columns;
}

}  // namespace

PackingJob::PackingJob(io::ReadPacking read)
    : read_(std::move(read)),
      packing_(packing::build_packing(read_.scenario)),
      time_step_(running::choose_time_step(read_.scenario, packing_)) {}

io::Columns PackingJob::columns() const {
    std::vector<io::Quantity> more;
    for (const char* axis : {"x", "y", "z"})
        more.push_back({fmt::format("momentum_{}", axis), "kg m s-1", "kg_m_per_s", ""});
    more.push_back({"contacts", "", "", ""});
    return columns_of(read_.scenario, recording::SystemKind::packing, sensor_columns(), "particle",
                      more);
}

JobResult PackingJob::run(const RunRequest& request, ProgressCallback& callback) const {
    const packing::Scenario& scenario = read_.scenario;
    const running::Settings settings = running::settings_of(scenario);
    const running::StepTrial first = first_trial(request, time_step_, settings);
    const int threads =
        start_threads(request.threads, running::worthwhile_threads(packing_.particles()), callback);
    RunRecorder recorder(request, source_of(scenario), callback);
    const running::PackingFinished finished =
        recorder.run([&](const auto& start, const auto* from) {
            return running::run_packing(packing_, settings, first, threads, start, from);
        });
    const running::PackingResult& result = finished.result;
    PackingSummary summary{.scenario = scenario,
                           .packing = packing_,
                           .finished = finished,
                           .output = output_of(request),
                           .half_step = {}};
    if (request.check && !result.stopped) {
        summary.half_step = at_half_step<running::PackingResult>(
            finished, settings, callback, [&](const auto& trial, const auto& start) {
                return running::run_packing(packing_, settings, trial, finished.threads, start);
            });
    }
    return job_result(finished, summary, request, recorder, settings.end, packing_.particles(),
                      numbers_of(finished, recording::SystemKind::packing, sensor_columns(),
                                 {result.momentum.x, result.momentum.y, result.momentum.z,
                                  static_cast<double>(result.closed_contacts)}));
}

}  // namespace beadwave::jobs
