#include "jobs/mechanism_job.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "io/history/mechanism_history.hpp"
#include "mechanism/multibody.hpp"
#include "mechanism/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace beadwave::jobs {
namespace {

using mechanism::Impact;

struct Totals {
    double impacts = 0.0, peak_force = 0.0, peak_time = 0.0, fastest = 0.0;
};

Totals totals_of(const mechanism::Result& result) {
    Totals totals;
    for (const mechanism::SpotRecord& spot : result.spots) {
        totals.impacts += static_cast<double>(spot.impacts.size());
        for (const Impact& impact : spot.impacts) {
            totals.fastest = std::max(totals.fastest, impact.closing_speed);
            if (!(impact.peak_force > totals.peak_force)) continue;  // an impulse has none
            totals.peak_force = impact.peak_force;
            totals.peak_time = impact.peak_time;
        }
    }
    return totals;
}

struct RunColumn {
    io::Quantity quantity;
    double (*of)(const mechanism::Result&, const Totals&);
};

using Result = mechanism::Result;

const std::vector<RunColumn>& run_columns() {
    static const std::vector<RunColumn> columns{
        {{"impacts", "", "", ""}, [](const Result&, const Totals& t) { return t.impacts; }},
        {{"peak_force", "N", "N", ""}, [](const Result&, const Totals& t) { return t.peak_force; }},
        {{"peak_force_time", "s", "s", ""},
         [](const Result&, const Totals& t) { return t.peak_time; }},
        {{"fastest_impact", "m s-1", "m_per_s", ""},
         [](const Result&, const Totals& t) { return t.fastest; }},
        {{"initial_energy", "J", "J", "initial"},
         [](const Result& r, const Totals&) { return r.last.ledger.initial; }},
        {{"kinetic_energy", "J", "J", "kinetic"},
         [](const Result& r, const Totals&) { return r.last.ledger.kinetic; }},
        {{"potential_energy", "J", "J", "potential"},
         [](const Result& r, const Totals&) { return r.last.ledger.potential; }},
        {{"stored_energy", "J", "J", "stored"},
         [](const Result& r, const Totals&) { return r.last.ledger.stored; }},
        {{"dissipated_energy", "J", "J", "dissipated"},
         [](const Result& r, const Totals&) { return r.last.ledger.dissipated; }},
        {{"friction_energy", "J", "J", "friction"},
         [](const Result& r, const Totals&) { return r.last.ledger.friction; }},
        {{"work", "J", "J", "work"},
         [](const Result& r, const Totals&) { return r.last.ledger.work; }},
        {{"residual", "", "", "residual"},
         [](const Result& r, const Totals&) { return r.last.ledger.relative_residual(); }},
        {{"steps", "", "", ""},
         [](const Result& r, const Totals&) { return static_cast<double>(r.steps); }}};
    return columns;
}

/// Physics' own errors, with the file.
template <typename Action>
auto with_file(const std::string& file, const Action& action) {
    try {
        return action();
    } catch (const ArgumentError& error) {
        throw InputError(fmt::format("{}: {}", file, error.what()));
    }
}

}  // namespace

MechanismJob::MechanismJob(io::ReadMechanism read) : read_(std::move(read)) {
    with_file(read_.file, [&] { mechanism::Multibody(read_.mechanism).first_rates(); });
}

io::Columns MechanismJob::columns() const {
    io::Columns columns;
    columns.body = "body";
    for (const RunColumn& column : run_columns())
        columns.of_run.push_back(column.quantity);
    return columns;
}

Outcome MechanismJob::run(const Request& request, Watcher& watcher) const {
    using Clock = std::chrono::steady_clock;
    const mechanism::Mechanism& given = read_.mechanism;
    if (request.check)
        throw InputError(
            "--check: a mechanism's steps follow its accuracy; "
            "set integrator.accuracy lower instead");
    std::optional<io::MechanismHistory> history;
    if (!request.output.empty()) history.emplace(request.output, read_);
    const auto samples = static_cast<std::int64_t>(std::ceil(given.end / given.interval));
    watcher.begin(samples, given.interval, given.bodies.size());
    const auto start = Clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    std::int64_t sample = 0;
    bool stopped = false;
    const auto watch = [&](const mechanism::Moment& moment) {
        if (history) history->append(moment);
        watcher.progress(std::min(sample++, samples), seconds());
    };
    const auto stop = [&](double) { return stopped = watcher.stop(); };
    const mechanism::Result result = with_file(read_.file, [&] {
        try {
            return mechanism::simulate(given, watch, stop);
        } catch (const ArgumentError&) {
            throw;
        } catch (const std::runtime_error& error) {
            throw running::RunError(error.what());
        }
    });
    const double wall_seconds = seconds();
    if (history) history->close(result);

    Outcome outcome{
        .numbers = {},
        .notes = read_.notes,
        .doubts = {},
        .stopped = {},
        .updates = static_cast<double>(result.steps) * static_cast<double>(given.bodies.size()),
        .wall_seconds = wall_seconds,
        .largest_energy = result.last.ledger.scale,
        .text = mechanism_text(read_, result, wall_seconds, request.output.string()),
        .json = mechanism_json(read_, result, wall_seconds)};
    const Totals totals = totals_of(result);
    for (const RunColumn& column : run_columns())
        outcome.numbers.push_back(column.of(result, totals));
    if (stopped) {
        outcome.stopped =
            fmt::format("interrupted at t = {:.6g} s of {:.6g} s", result.last.time, given.end);
        if (history)
            outcome.stopped +=
                fmt::format("; {} holds the history up to there", request.output.string());
    }
    return outcome;
}

}  // namespace beadwave::jobs
