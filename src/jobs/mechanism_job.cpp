#include "jobs/mechanism_job.hpp"

#include "jobs/checkpoints.hpp"
#include "jobs/mechanism_recording.hpp"
#include "jobs/mechanism_summary.hpp"
#include "mechanism/multibody.hpp"

#include <algorithm>
#include <utility>
#include <vector>

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

}  // namespace

MechanismJob::MechanismJob(io::ReadMechanism read) : read_(std::move(read)) {
    io::located(read_.origin, [&] { mechanism::Multibody(read_.mechanism).first_rates(); });
}

io::Columns MechanismJob::columns() const {
    io::Columns columns;
    columns.body = "body";
    for (const RunColumn& column : run_columns())
        columns.of_run.push_back(column.quantity);
    return columns;
}

Outcome MechanismJob::run(const Request& request, Watcher& watcher) const {
    const auto memory =
        request.keep && request.output.empty() ? std::make_shared<MechanismMemory>(read_) : nullptr;
    const RecordedMechanism recorded = record_mechanism(read_, request, watcher, memory.get());
    const mechanism::Result& result = recorded.result;
    const mechanism::Mechanism& given = read_.mechanism;
    const bool stopped = result.last.time < given.end;
    MechanismSummary summary{.read = read_,
                             .result = result,
                             .wall_seconds = recorded.wall_seconds,
                             .output = request.output.string(),
                             .stricter = {}};
    if (request.check && !stopped) summary.stricter = run_stricter(read_, watcher);

    Outcome outcome{
        .numbers = {},
        .notes = read_.notes,
        .doubts = {},
        .stopped = {},
        .updates = static_cast<double>(result.steps) * static_cast<double>(given.bodies.size()),
        .wall_seconds = recorded.wall_seconds,
        .largest_energy = result.last.ledger.scale,
        .text = summary.text(),
        .json = summary.json(),
        .recording = memory};
    const Totals totals = totals_of(result);
    for (const RunColumn& column : run_columns())
        outcome.numbers.push_back(column.of(result, totals));
    if (stopped)
        outcome.stopped =
            interrupted(result.last.time, given.end, request.output, recorded.how_to_continue);
    return outcome;
}

}  // namespace beadwave::jobs
