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
    for (const mechanism::ContactImpacts& point : result.contact_points) {
        totals.impacts += static_cast<double>(point.impacts.size());
        for (const Impact& impact : point.impacts) {
            totals.fastest = std::max(totals.fastest, impact.impact_speed);
            if (!(impact.peak_force > totals.peak_force)) continue;  // NaN for an impulse
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
        {{"peak_time", "s", "s", ""}, [](const Result&, const Totals& t) { return t.peak_time; }},
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
        {{"normal_dissipation", "J", "J", "normal"},
         [](const Result& r, const Totals&) { return r.last.ledger.normal_dissipation; }},
        {{"friction_dissipation", "J", "J", "friction"},
         [](const Result& r, const Totals&) { return r.last.ledger.friction_dissipation; }},
        {{"external_work", "J", "J", ""},
         [](const Result& r, const Totals&) { return r.last.ledger.external_work; }},
        {{"energy_error", "J", "J", ""},
         [](const Result& r, const Totals&) { return r.last.ledger.energy_error; }},
        {{"relative_energy_error", "", "", ""},
         [](const Result& r, const Totals&) { return r.last.ledger.relative_energy_error; }},
        {{"steps", "", "", ""},
         [](const Result& r, const Totals&) { return static_cast<double>(r.steps); }}};
    return columns;
}

}  // namespace

MechanismJob::MechanismJob(io::ReadMechanism read) : read_(std::move(read)) {
    io::located(read_.origin, [&] { mechanism::Multibody(read_.mechanism).initial_speeds(); });
}

io::Columns MechanismJob::columns() const {
    io::Columns columns;
    columns.body = "body";
    for (const RunColumn& column : run_columns())
        columns.of_run.push_back(column.quantity);
    return columns;
}

JobResult MechanismJob::run(const RunRequest& request, ProgressCallback& callback) const {
    const auto memory =
        request.keep && request.output.empty() ? std::make_shared<MechanismMemory>(read_) : nullptr;
    const RecordedMechanism recorded = record_mechanism(read_, request, callback, memory.get());
    const mechanism::Result& result = recorded.result;
    const mechanism::Mechanism& given = read_.mechanism;
    const bool stopped = result.last.time < given.end;
    MechanismSummary summary{.read = read_,
                             .result = result,
                             .wall_seconds = recorded.wall_seconds,
                             .output = request.output.string(),
                             .stricter = {}};
    if (request.check && !stopped) summary.stricter = run_stricter(read_, callback);

    JobResult outcome{
        .numbers = {},
        .warnings = read_.warnings,
        .diagnostics = {},
        .stopped = {},
        .updates = static_cast<double>(result.steps) * static_cast<double>(given.bodies.size()),
        .wall_seconds = recorded.wall_seconds,
        .largest_energy = result.last.ledger.largest_entry,
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
