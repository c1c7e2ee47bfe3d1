#include "tasks/sweep.hpp"

#include <fmt/format.h>

#include <iterator>

namespace beadwave::tasks {

using Status = io::SweepTable::Status;

namespace {

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
        varied += fmt::format("{}{} ({})", varied.empty() ? "" : " x ", key.key, key.values.size());
    }
    row("varied", varied);
    row("runs", fmt::format("{}: {} done, {} failed, {} not run", table.plan().runs(),
                            table.count(Status::done), table.count(Status::failed),
                            table.count(Status::not_run)));
    row("speed", fmt::format("{:.3g} {}-steps/s, {:.3g} s on {} thread{}", updates_per_second(),
                             table.columns().body, wall_seconds, threads, threads == 1 ? "" : "s"));
    if (!hdf5.empty()) row("table", fmt::format("{}, {}", hdf5, csv));
    return out;
}

nlohmann::ordered_json Sweep::json() const {
    using nlohmann::ordered_json;
    ordered_json varied = ordered_json::array();
    for (const io::VariedKey& key : table.plan().keys())
        varied.push_back({{"key", key.key}, {"values", key.values.size()}});
    ordered_json object{{"runs", table.plan().runs()},
                        {"done", table.count(Status::done)},
                        {"failed", table.count(Status::failed)},
                        {"not_run", table.count(Status::not_run)},
                        {"runs_with_warnings", table.runs_with_warnings()},
                        {"varied", varied},
                        {"wall_seconds", wall_seconds},
                        {table.columns().body + "_steps_per_second", updates_per_second()},
                        {"threads", threads}};
    if (!hdf5.empty()) object["files"] = {{"hdf5", hdf5}, {"csv", csv}};
    const std::size_t first = first_failed(table);
    if (first < table.plan().runs())
        object["first_failed"] = {{"run", first}, {"error", table.error(first)}};
    return object;
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
