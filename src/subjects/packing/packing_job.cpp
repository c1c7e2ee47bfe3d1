#include "subjects/packing/packing_job.hpp"

#include "jobs/message_count.hpp"
#include "jobs/shared_progress.hpp"
#include "jobs/stepped_job.hpp"
#include "jobs/threads.hpp"
#include "packing/elements/unfelt_overlap.hpp"
#include "packing/walls/narrow_hollows.hpp"
#include "packing_system/falling.hpp"
#include "packing_system/meeting_speed.hpp"
#include "packing_system/piston_stress.hpp"
#include "running/chain_system.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace beadwave::jobs {
namespace {

/// The columns of sensors, in one order for all systems: force, arrival, velocity.
const std::vector<SensorColumn>& sensor_columns() {
    using observers::SensorResult;
    static const std::vector<SensorColumn> columns{
        {{"peak_contact_force", "N", "N", ""}, &SensorResult::peak_force, "net force"},
        {{"arrival_time", "s", "s", ""}, &SensorResult::arrival_time, "arrival"},
        {{"peak_speed", "m s-1", "m_per_s", ""}, &SensorResult::peak_velocity, "peak speed"}};
    return columns;
}

const char* work_of(const packing::Packing& packing) {
    if (packing.box.strain) return " by gravity, moving walls and the box";
    return packing.elements.empty() ? " by gravity and moving walls"
                                    : " by gravity, moving walls, loads and drives";
}

std::vector<double> components(const packing::Vec3& v) {
    return {v.x, v.y, v.z};
}

nlohmann::ordered_json measures_json(const observers::EndMeasures& measures) {
    nlohmann::ordered_json stress = nlohmann::ordered_json::array();
    for (std::size_t row = 0; row < 3; ++row) {
        const double* const of = &measures.stress[3 * row];
        stress.push_back({of[0], of[1], of[2]});
    }
    return {{"stress", std::move(stress)},
            {"coordination", measures.coordination},
            {"volume_fraction", measures.volume_fraction}};
}

nlohmann::ordered_json parts_json(const packing::DissipationParts& parts) {
    nlohmann::ordered_json json;
    for (std::size_t k = 0; k < packing::DissipationParts::count; ++k)
        json[packing::DissipationParts::names[k]] = parts.*packing::DissipationParts::all[k];
    return json;
}

nlohmann::ordered_json impacts_json(const running::ImpactResults& impacts) {
    const running::ImpactSums& ended = impacts.ended;
    const double restitution = ended.restitution();
    return {{"count", ended.count},
            {"open", impacts.open.count},
            {"energy", parts_json(ended.dissipated)},
            {"open_energy", parts_json(impacts.open.dissipated)},
            {"restitution", std::isfinite(restitution) ? nlohmann::ordered_json(restitution)
                                                       : nlohmann::ordered_json(nullptr)},
            {"spectrum",
             {{"edges", running::ImpactSpectrum::edges()}, {"counts", ended.spectrum.counts}}}};
}

nlohmann::ordered_json heat_json(const running::HeatResult& heat) {
    const auto number = [](double value) {
        return std::isfinite(value) ? nlohmann::ordered_json(value)
                                    : nlohmann::ordered_json(nullptr);
    };
    return {{"particles", heat.totals.particles},
            {"walls", heat.totals.walls},
            {"exits", heat.totals.taken},
            {"dissipated", heat.totals.dissipated},
            {"error", heat.totals.error()},
            {"lowest_temperature", number(heat.lowest)},
            {"mean_temperature", number(heat.mean)},
            {"highest_temperature", number(heat.highest)},
            {"largest_adiabatic_rise", heat.adiabatic_rise}};
}

nlohmann::ordered_json pistons_json(const std::vector<running::PistonStress>& pistons) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const running::PistonStress& piston : pistons)
        json.push_back({{"axis", std::string(1, "xyz"[piston.axis])},
                        {"stress", piston.asked},
                        {"held_stress", piston.held},
                        {"from", piston.begin},
                        {"to", piston.end}});
    return json;
}

nlohmann::ordered_json rigid_json(const packing::RigidReport& rigid, std::int64_t steps) {
    return {{"iterations_per_step", static_cast<double>(rigid.iterations) /
                                        static_cast<double>(std::max<std::int64_t>(steps, 1))},
            {"unconverged_steps", rigid.unconverged},
            {"largest_penetration", rigid.penetration.overlap},
            {"largest_penetration_depth", rigid.penetration.depth}};
}

/// A line about rigid contacts, for people.
std::string rigid_text(const packing::RigidReport& rigid, std::int64_t steps) {
    return fmt::format(
        "{:.1f} iterations per step, {} steps without convergence; largest penetration {:.3g} m, "
        "{:.2g} of the radius",
        static_cast<double>(rigid.iterations) /
            static_cast<double>(std::max<std::int64_t>(steps, 1)),
        rigid.unconverged, rigid.penetration.overlap, rigid.penetration.depth);
}

/// A line about heat, for people.
std::string heat_text(const running::HeatResult& heat) {
    std::string text = fmt::format("{:.4g} J in particles, {:.4g} J into walls",
                                   heat.totals.particles, heat.totals.walls);
    if (std::isfinite(heat.mean))  // particles are there
        text += fmt::format("; {:.6g} K to {:.6g} K", heat.lowest, heat.highest);
    return text;
}

/// A line about impacts, for people.
std::string impacts_text(const running::ImpactResults& impacts) {
    const running::ImpactSums& ended = impacts.ended;
    std::string text = fmt::format("{} ended, in which {:.4g} J were dissipated; {} last",
                                   ended.count, ended.dissipated.sum(), impacts.open.count);
    if (const double restitution = ended.restitution(); std::isfinite(restitution))
        text += fmt::format("; mean restitution {:.4g}", restitution);
    return text;
}

SteppedNumbers summary_numbers(const packing::Packing& packing,
                               const running::PackingResult& result) {
    std::vector<nlohmann::ordered_json> positions;
    for (const observers::SensorResult& sensor : result.sensors)
        positions.emplace_back(components(packing.position[static_cast<std::size_t>(sensor.body)]));
    return {
        .result = result,
        .momenta = {{"momentum", "momentum", "kg m/s", components(result.momentum),
                     components(result.initial_momentum)},
                    {"angular", "angular_momentum", "kg m^2/s", components(result.angular_momentum),
                     components(result.initial_angular_momentum)}},
        .more = measures_json(result.measures),
        .positions = std::move(positions)};
}

/// The results that only some runs have.
void add_results(SteppedSummary& summary, const running::PackingResult& result,
                 const packing::Packing& packing) {
    if (result.dissipation) summary.more["dissipation"] = parts_json(*result.dissipation);
    if (!result.worn.empty()) summary.more["wall_wear"] = result.worn;
    if (result.heat) {
        summary.more_rows.emplace_back("heat", heat_text(*result.heat));
        summary.more["heat"] = heat_json(*result.heat);
    }
    if (result.impacts) {
        summary.more_rows.emplace_back("impacts", impacts_text(*result.impacts));
        summary.more["impacts"] = impacts_json(*result.impacts);
    }
    if (result.rigid) {
        summary.more_rows.emplace_back("rigid", rigid_text(*result.rigid, result.steps));
        summary.more["rigid"] = rigid_json(*result.rigid, result.steps);
    }
    if (!result.pistons.empty()) {
        summary.more_rows.emplace_back("pistons",
                                       running::held_text(result.pistons, packing.dimension));
        summary.more["pistons"] = pistons_json(result.pistons);
    }
    if (!packing.pours.empty() || !packing.exits.empty()) {
        const running::FlowCounts& flow = result.flow;
        summary.more_rows.emplace_back(
            "flow", fmt::format("{} particles inside at the end, {} waiting, {} left", flow.inside,
                                flow.waiting, flow.left));
        summary.more["particles_inside"] = flow.inside;
        summary.more["particles_waiting"] = flow.waiting;
        summary.more["particles_left"] = flow.left;
    }
}

}  // namespace

PackingJob::PackingJob(io::ReadPacking read, ranks::Communicator* ranks)
    : read_(std::move(read)),
      ranks_(ranks),
      packing_(packing::build_packing(read_.scenario, ranks)),
      time_step_(running::choose_time_step(read_.scenario, packing_, ranks)) {
    if (auto warning = packing::narrow_hollow(packing_))
        read_.warnings.push_back(std::move(*warning));
    if (auto warning = packing::unfelt_overlap(packing_, read_.scenario.time.end))
        read_.warnings.push_back(std::move(*warning));
    if (auto warning = running::nothing_below(packing_, read_.scenario.time.end))
        read_.warnings.push_back(std::move(*warning));
    if (auto warning = running::bursting_spin(packing_))
        read_.warnings.push_back(std::move(*warning));
    if (ranks_ != nullptr) running::check_shared(read_.scenario, packing_, *ranks_);
}

io::Columns PackingJob::columns() const {
    std::vector<io::Quantity> more;
    for (const char* axis : {"x", "y", "z"})
        more.push_back({fmt::format("momentum_{}", axis), "kg m s-1", "kg_m_per_s", ""});
    more.push_back({"contacts", "", "", ""});
    return columns_of(read_.scenario, recording::SystemKind::packing, sensor_columns(), "particle",
                      more);
}

JobResult PackingJob::run(const RunRequest& request, ProgressCallback& callback) const {
    return run(request, {}, callback);
}

JobResult PackingJob::run_with(const running::MakePackingEngine& make,
                               ProgressCallback& callback) const {
    return run({.record = ToMemory{}}, make, callback);
}

JobResult PackingJob::run(const RunRequest& request, const running::MakePackingEngine& make,
                          ProgressCallback& own_callback) const {
    std::optional<SharedProgressCallback> shared;
    if (ranks_ != nullptr) shared.emplace(own_callback, *ranks_);
    ProgressCallback& callback = shared ? *shared : own_callback;
    const MessageCount messages(ranks_);
    const packing::Scenario& scenario = read_.scenario;
    const running::PackingSettings settings = running::settings_of(scenario);
    const running::StepTrial first = first_trial(request, time_step_, settings);
    const std::size_t own =
        packing_.particles() / (ranks_ != nullptr ? static_cast<std::size_t>(ranks_->count()) : 1);
    const int threads =
        start_threads(request.threads > 0 ? request.threads : threads_per_rank(ranks_),
                      running::worthwhile_threads(own), callback);
    RunRecorder recorder(request, source_of(scenario, read_.warnings), callback, ranks_);
    const running::PackingFinished finished =
        recorder.run([&](const auto& start, const auto* from) {
            running::PackingFinished done =
                running::run_packing(packing_, settings, first, threads, start, from, make, ranks_);
            if (auto fast = running::fast_meeting(packing_, done.result.fastest))
                done.diagnostics.push_back(std::move(*fast));
            return done;
        });
    const running::PackingResult& result = finished.result;
    SteppedSummary summary{
        .scenario = scenario,
        .system = recording::SystemKind::packing,
        .body = "particle",
        .bodies = packing_.particles(),
        .sensor_columns = sensor_columns(),
        .time_step = finished.trial.time_step,
        .threads = finished.threads,
        .warnings = recorder.all_warnings(finished.warnings()),
        .output = output_of(request),
        .notes = {{&recording::Ledger::external_work, work_of(packing_)}},
        .numbers = summary_numbers(packing_, result),
        .more_rows = {{"contacts", fmt::format("{} closed at the end, of {} pairs in the neighbour "
                                               "list; list rebuilt {} times",
                                               result.closed_contacts, result.listed_pairs,
                                               result.neighbour_list_builds)}},
        .more = {{"contacts", result.closed_contacts},
                 {"listed_pairs", result.listed_pairs},
                 {"neighbour_list_builds", result.neighbour_list_builds}}};
    summary.device = result.device;
    add_results(summary, result, packing_);
    if (const auto sent = messages.so_far())
        summary.more.update(sent->entries("particle", packing_.particles(), result.steps));
    std::optional<HalfStep<running::PackingResult>> half;
    if (request.check && !result.stopped) {
        half = at_half_step<running::PackingResult>(
            finished, settings, callback, [&](const auto& trial, const auto& start) {
                return running::run_packing(packing_, settings, trial, finished.threads, start,
                                            nullptr, {}, ranks_);
            });
        summary.half_step.emplace(SteppedSummary::Half{
            .time_step = half->time_step, .numbers = summary_numbers(packing_, half->result)});
    }
    return job_result(finished, summary, request, recorder, settings.end,
                      numbers_of(finished, recording::SystemKind::packing, sensor_columns(),
                                 {result.momentum.x, result.momentum.y, result.momentum.z,
                                  static_cast<double>(result.closed_contacts)}));
}

}  // namespace beadwave::jobs
