#include "io/tables/ensemble.hpp"
#include "tasks/sweep.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace beadwave::tasks {

using Status = io::SweepTable::Status;

namespace {

/// The name of the things that a speed counts.
std::string pace_of(const std::string& body) {
    return body == "collision" ? "collisions" : body + "_steps";
}

nlohmann::ordered_json json_of(const io::Spread& spread) {
    return {{"mean", spread.mean},
            {"standard_deviation", spread.standard_deviation},
            {"quantiles", spread.quantiles}};
}

/// The number of runs if none failed.
std::size_t first_failed(const io::SweepTable& table) {
    std::size_t run = 0;
    while (run < table.plan().runs() && table.status(run) != Status::failed)
        ++run;
    return run;
}

}  // namespace

std::string Sweep::text() const {
    std::string out;
    const auto row = [&](const char* what, const std::string& value) {
        out += fmt::format("  {:<14}{}\n", what, value);
    };
    std::string varied;
    for (const io::VariedKey& key : table.plan().keys()) {
        if (key.role == io::VariedKey::Role::disturbed) continue;
        varied +=
            fmt::format("{}{} ({})", varied.empty() ? "" : " x ", key.names(), key.values.size());
    }
    row("varied", varied);
    row("runs", fmt::format("{}: {} done, {} failed, {} not run", table.plan().runs(),
                            table.count(Status::done), table.count(Status::failed),
                            table.count(Status::not_run)));
    const std::string& body = table.columns().body;
    row("speed", fmt::format("{:.3g} {}/s, {:.3g} s on {} thread{}", updates_per_second(),
                             body == "collision" ? "collisions" : body + "-steps", wall_seconds,
                             threads, threads == 1 ? "" : "s"));
    if (table.plan().members() > 0 && table.plan().ensembles() == 1) {
        const io::Columns& columns = table.columns();
        constexpr std::size_t most_rows = 6;
        for (std::size_t q = 0; q < std::min(columns.over_time.size(), most_rows); ++q) {
            const io::Spread s = io::spread_over_time(table, 0, q, columns.times.size() - 1);
            row("at the end",
                fmt::format("{} {:.6g} +- {:.3g} {}, {} members", columns.over_time[q].name, s.mean,
                            s.standard_deviation, columns.over_time[q].unit, s.count));
        }
    }
    if (!hdf5.empty()) row("table", fmt::format("{}, {}", hdf5, csv));
    return out;
}

nlohmann::ordered_json Sweep::json() const {
    using nlohmann::ordered_json;
    ordered_json varied = ordered_json::array();
    for (const io::VariedKey& key : table.plan().keys()) {
        if (key.role == io::VariedKey::Role::disturbed) continue;
        varied.push_back({{"key", key.key}, {"values", key.values.size()}});
        if (!key.linked.empty()) varied.back()["linked"] = key.linked;
    }
    ordered_json object{{"runs", table.plan().runs()},
                        {"done", table.count(Status::done)},
                        {"failed", table.count(Status::failed)},
                        {"not_run", table.count(Status::not_run)},
                        {"runs_with_warnings", table.runs_with_warnings()},
                        {"varied", varied},
                        {"wall_seconds", wall_seconds},
                        {pace_of(table.columns().body) + "_per_second", updates_per_second()},
                        {"threads", threads}};
    if (table.plan().members() > 0) object["ensembles"] = ensembles_json();
    if (!hdf5.empty()) object["files"] = {{"hdf5", hdf5}, {"csv", csv}};
    const std::size_t first = first_failed(table);
    if (first < table.plan().runs())
        object["first_failed"] = {{"run", first}, {"error", table.error(first)}};
    return object;
}

nlohmann::ordered_json Sweep::ensembles_json() const {
    using nlohmann::ordered_json;
    const io::SweepPlan& plan = table.plan();
    const io::Columns& columns = table.columns();
    ordered_json all = ordered_json::array();
    for (std::size_t n = 0; n < plan.ensembles(); ++n) {
        ordered_json one{{"members", plan.members()},
                         {"varied", ordered_json::object()},
                         {"results", ordered_json::object()}};
        for (std::size_t k = 0; k + 1 < plan.combined(); ++k)
            one["varied"][plan.keys()[k].key] = plan.value(n * plan.members(), k);
        for (std::size_t q = 0; q < columns.of_run.size(); ++q)
            one["results"][columns.of_run[q].json_name()] = json_of(io::spread_of_run(table, n, q));
        for (std::size_t q = 0; q < columns.over_time.size(); ++q) {
            one["at_end"][columns.over_time[q].name] =
                json_of(io::spread_over_time(table, n, q, columns.times.size() - 1));
        }
        all.push_back(std::move(one));
    }
    return all;
}

std::string Sweep::failure() const {
    const std::size_t runs = table.plan().runs(), failed = table.count(Status::failed),
                      not_run = table.count(Status::not_run);
    std::string text;
    if (not_run > 0) text = fmt::format("interrupted: {} of {} runs not run", not_run, runs);
    if (failed > 0) {
        const std::size_t first = first_failed(table);
        text +=
            fmt::format("{}{} of {} runs failed, first run {} ({}): {}", text.empty() ? "" : "; ",
                        failed, runs, first, table.plan().words(first), table.error(first));
    }
    if (text.empty() || hdf5.empty()) return text;
    text += fmt::format("; {} and {} hold the other runs", hdf5, csv);
    if (not_run > 0) text += fmt::format("; the same command continues, from {}", rows);
    return text;
}

}  // namespace beadwave::tasks
