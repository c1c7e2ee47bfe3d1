#include "subjects/mechanism/mechanism_job.hpp"

#include "base/long_run.hpp"
#include "jobs/stepped_job.hpp"
#include "mechanism/deep_impact.hpp"
#include "mechanism/fast_impact.hpp"
#include "mechanism/run_length.hpp"
#include "mechanism/simulate.hpp"
#include "mechanism/start.hpp"
#include "mechanism/streams.hpp"
#include "mechanism/wear_streams.hpp"
#include "observers/observables.hpp"
#include "subjects/mechanism/mechanism_summary.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace beadwave::jobs {
namespace {

using mechanism::Impact;

/// Without an impact there is no largest force, no time of it and no fastest one: NaN. Impacts that
/// are impulses have no force.
struct Totals {
    double impacts = 0.0, peak_force = none, peak_time = none, fastest = none;
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();
};

Totals totals_of(const mechanism::Result& result) {
    Totals totals;
    for (const mechanism::ContactImpacts& point : result.contact_points) {
        totals.impacts += static_cast<double>(point.impacts.size());
        for (const Impact& impact : point.impacts) {
            totals.fastest = std::fmax(totals.fastest, impact.impact_speed);
            if (std::isnan(impact.peak_force) || impact.peak_force <= totals.peak_force) continue;
            totals.peak_force = impact.peak_force;
            totals.peak_time = impact.peak_time;
        }
    }
    return totals;
}

struct ImpactColumn {
    io::Quantity quantity;
    double Totals::*value;
};

const std::vector<ImpactColumn>& impact_columns() {
    static const std::vector<ImpactColumn> columns{
        {{"impacts", "", "", ""}, &Totals::impacts},
        {{"peak_force", "N", "N", ""}, &Totals::peak_force},
        {{"peak_time", "s", "s", ""}, &Totals::peak_time},
        {{"fastest_impact", "m s-1", "m_per_s", ""}, &Totals::fastest}};
    return columns;
}

/// The observables of a mechanism, computed from a sample; to add one, add a row.
const std::vector<observers::Observable<mechanism::Sample>>& mechanism_observables() {
    static const std::vector<observers::Observable<mechanism::Sample>> all;
    return all;
}

/// Runs. A failure of the run is a RunError, an error in the scenario an InputError.
mechanism::Result simulate(const mechanism::Mechanism& mechanism, const io::ReadMechanism& read,
                           const mechanism::Sinks& sinks, const std::vector<double>* from) {
    return io::located(read.origin, [&] {
        try {
            return mechanism::simulate(mechanism, sinks, from);
        } catch (const running::RunError&) {
            throw;
        } catch (const WriteError&) {
            throw;
        } catch (const std::length_error&) {
            throw;
        } catch (const std::runtime_error& error) {
            throw running::RunError(error.what());
        }
    });
}

/// Repeats the run with a hundredth of the accuracy, or with the strictest; in time steps with a
/// quarter of the step. Writes nothing. Throws InputError if the accuracy is the strictest already.
/// Throws RunError also when the callback stops it.
Stricter run_stricter(const io::ReadMechanism& read, ProgressCallback& callback) {
    constexpr double strictest = 1e-13, part_of_step = 0.25;
    mechanism::Mechanism stricter = read.mechanism;
    if (stricter.stepping) {
        stricter.stepping->step *= part_of_step;
    } else if (stricter.accuracy <= strictest) {
        read.origin.fail(
            "integrator.accuracy",
            "is the strictest accuracy: --check cannot compare it with a stricter one");
    }
    stricter.accuracy = std::max(strictest, 1e-2 * stricter.accuracy);
    bool stopped = false;
    mechanism::Sinks sinks;
    sinks.accepts_long_runs = callback.accepts_long_runs;
    sinks.stop = [&] { return stopped = callback.stop(); };
    mechanism::Result result = simulate(stricter, read, sinks, nullptr);
    if (stopped) throw running::RunError("interrupted in the run with a stricter accuracy");
    return {.accuracy = stricter.accuracy,
            .step = stricter.stepping ? stricter.stepping->step : 0.0,
            .result = std::move(result)};
}

}  // namespace

MechanismJob::MechanismJob(io::ReadMechanism read) : read_(std::move(read)) {
    io::located(read_.origin, [&] {
        mechanism::check(read_.mechanism);
        for (std::string& warning : mechanism::check_start(read_.mechanism))
            read_.warnings.push_back(std::move(warning));
    });
}

double MechanismJob::least_wall_time() const {
    return mechanism::least_wall_time(read_.mechanism);
}

io::Columns MechanismJob::columns() const {
    io::Columns columns;
    columns.body = "body";
    for (const ImpactColumn& column : impact_columns())
        columns.of_run.push_back(column.quantity);
    for (const recording::LedgerEntry& entry :
         recording::entries_of(recording::SystemKind::mechanism))
        columns.of_run.push_back({entry.quantity, entry.unit, entry.unit, entry.name});
    columns.of_run.push_back({"steps", "", "", ""});
    if (mechanism::wears(read_.mechanism)) columns.of_run.push_back({"worn", "m3", "m3", ""});
    return columns;
}

JobResult MechanismJob::run(const RunRequest& request, ProgressCallback& callback) const {
    using Clock = std::chrono::steady_clock;
    const mechanism::Mechanism& given = read_.mechanism;
    const io::CheckpointFile* from = request.file() != nullptr ? request.file()->from : nullptr;
    if (from != nullptr) from->check_system("mechanism");
    const double least = least_wall_time();
    if (!callback.accepts_long_runs && from == nullptr && least > longest_unasked_run) {
        read_.origin.fail("time.end",
                          fmt::format("asks for {} samples, and forces have their "
                                      "periods: the run {}",
                                      mechanism::samples_of(given), too_long_text(least)));
    }
    RunRecorder recorder(request,
                         {.text = read_.text,
                          .law = read_.laws,
                          .file_texts = read_.file_texts,
                          .checkpoints = read_.checkpoints,
                          .warnings = read_.warnings},
                         callback);
    // Samples of the history count as steps: the steps of the integrator have no fixed length.
    const running::StepTrial trial{.time_step = {.step = given.interval,
                                                 .count = mechanism::samples_of(given),
                                                 .shortest_contact = 0.0,
                                                 .largest_speed = 0.0}};
    mechanism::Streams streams(given, read_.dissipation);
    recording::Description description = streams.description();
    observers::Observed<mechanism::Sample> observed(mechanism_observables());
    if (auto channels = observed.channels(); !channels.empty())
        description.streams.push_back({recording::Pace::snapshots, "", std::move(channels)});
    recording::Store* const store =
        request.has_summary() ? recorder.begin(trial, std::move(description), 1) : nullptr;
    callback.begin(trial.time_step.count, given.interval, given.bodies.size());
    const auto start = Clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    std::int64_t number = from == nullptr ? 0 : from->step() + 1;
    mechanism::Sinks sinks;
    sinks.accepts_long_runs = callback.accepts_long_runs || from != nullptr;
    sinks.sample = [&](const mechanism::Sample& sample) {
        streams.take(sample);
        observed.take(sample);
        if (store != nullptr) store->sample(recording::Pace::snapshots, number, sample.time);
        callback.progress(number++, seconds());
    };
    if (store != nullptr) {
        sinks.impact = [&](std::size_t point, const Impact& impact) {
            streams.take(impact);
            store->append_rows(point);
        };
    }
    sinks.stop = [&] {
        recorder.flush();
        return recorder.stop();
    };
    if (request.file() != nullptr) {
        sinks.checkpoint_due = [&](auto sample) { return recorder.checkpoint_due(sample); };
        sinks.checkpoint = [&](auto sample, const auto& state) {
            recorder.write_checkpoint({.system = "mechanism", .step = sample, .observers = state});
        };
    }
    sinks.solve_begins = [&](double time) {
        callback.solve_begins(
            fmt::format("interrupted in the step that begins at t = {:.6g} s of "
                        "{:.6g} s{}",
                        time, given.end, recorder.how_to_continue()));
    };
    sinks.solve_ends = [&] { callback.solve_ends(); };
    const mechanism::Result result = recorder.guarded([&] {
        try {
            mechanism::Result run =
                simulate(given, read_, sinks, from != nullptr ? &from->numbers() : nullptr);
            if (auto fast = mechanism::fast_impact(given, run))
                run.warnings.push_back(std::move(*fast));
            if (auto deep = mechanism::deep_impact(given, run))
                run.warnings.push_back(std::move(*deep));
            return run;
        } catch (const std::length_error& error) {
            if (from == nullptr) throw;
            from->refuse_other_build(error.what());
        }
    });
    const double wall_seconds = seconds();
    const bool stopped = result.last.time < given.end;
    for (const std::string& warning : result.warnings)
        callback.warn(warning);
    const std::vector<std::string> warnings = recorder.all_warnings(result.warnings);
    recorder.finish(stopped, result.warnings);
    MechanismSummary summary{.read = read_,
                             .result = result,
                             .warnings = warnings,
                             .wall_seconds = wall_seconds,
                             .output = output_of(request),
                             .stricter = {}};
    if (request.check && !stopped) summary.stricter = run_stricter(read_, callback);

    JobResult outcome{
        .numbers = {},
        .warnings = warnings,
        .diagnostics = {},
        .stopped = {},
        .updates = static_cast<double>(result.steps) * static_cast<double>(given.bodies.size()),
        .wall_seconds = wall_seconds,
        .largest_energy = result.last.ledger.scale,
        .text = summary.text(),
        .json = std::make_shared<const nlohmann::ordered_json>(summary.json()),
        .recording = recorder.recording()};
    const Totals totals = totals_of(result);
    for (const ImpactColumn& column : impact_columns())
        outcome.numbers.push_back(totals.*column.value);
    for (const recording::LedgerEntry& entry :
         recording::entries_of(recording::SystemKind::mechanism))
        outcome.numbers.push_back(entry.of(result.last.ledger));
    outcome.numbers.push_back(static_cast<double>(result.steps));
    if (mechanism::wears(given)) {
        double worn = 0.0;
        for (const mechanism::ContactSample& point : result.last.contact_points)
            worn += point.worn;
        outcome.numbers.push_back(worn);
    }
    if (stopped) {
        outcome.stopped = interrupted(result.last.time, given.end, output_of(request),
                                      recorder.how_to_continue());
    }
    return outcome;
}

}  // namespace beadwave::jobs
