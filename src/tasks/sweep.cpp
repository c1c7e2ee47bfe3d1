#include "tasks/sweep.hpp"

#include "base/long_run.hpp"
#include "base/machine_memory.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "io/durable/checksum.hpp"
#include "io/files/error_message.hpp"
#include "io/tables/sweep_journal.hpp"
#include "jobs/keys.hpp"
#include "jobs/read_job.hpp"
#include "jobs/threads.hpp"
#include "ranks/on_threads.hpp"
#include "ranks/work_queue.hpp"
#include "tasks/null_progress.hpp"
#include "tasks/over_time.hpp"
#include "tasks/sweep_runs.hpp"
#include "tasks/vary.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::tasks {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

/// The results of the checks of all runs, before the first run starts.
struct Checked {
    std::map<std::string, std::size_t> warnings;  ///< and the number of runs with each
    std::map<std::size_t, std::string>
        failures;                  ///< runs without a time step: two bodies that do not separate
    std::uint64_t files = 0;       ///< checksum of all files that the scenarios name
    double memory = 0.0;           ///< of the largest run [bytes]
    double least_wall_time = 0.0;  ///< of all runs, one after the other [s]
    std::vector<CheckedRun> runs;
};

/// The number of threads wanted on this rank, and the number that can be started; one more thread
/// shows the progress.
struct Threads {
    int wanted, startable;
};

Threads threads_for(const SweepRequest& request, const io::SweepPlan& plan,
                    const ranks::Communicator& ranks) {
    const auto available = static_cast<std::size_t>(jobs::wanted_threads(request.threads, ranks));
    const int wanted = static_cast<int>(std::min(plan.runs(), available));
    return {wanted, std::max(1, jobs::startable_threads(wanted + 1) - 1)};
}

/// The number of threads: at most `wanted`, and so few that each can have a run of `run` bytes at
/// the same time, on all ranks of this machine.
int threads_in_memory(int wanted, double run, const ranks::Communicator& ranks) {
    const double available = machine_memory() / ranks.on_this_node();
    return run * wanted <= available ? wanted : std::max(1, static_cast<int>(available / run));
}

/// The sum over all runs does not depend on their order.
std::uint64_t checksum_of_files(const jobs::Job& job, std::size_t run) {
    if (job.file_texts().empty()) return 0;
    std::uint64_t sum = io::checksum(std::to_string(run));
    for (const auto& [key, text] : job.file_texts())
        sum = io::checksum(text, io::checksum(key, sum));
    return sum;
}

/// Reads and checks the job of one run.
std::unique_ptr<jobs::Job> check(const jobs::JobFile& file, const io::SweepPlan& plan,
                                 std::size_t run) {
    try {
        return file.variant(plan.settings(run));
    } catch (const InputError& error) {
        const std::string why = error.what();
        if (why.starts_with("--vary ")) throw;
        throw InputError(fmt::format("with --vary {}: {}", plan.words(run), why));
    }
}

/// Checks every run, so that no run starts with wrong input. Throws the error of the first run that
/// is wrong.
Checked check_all(const jobs::JobFile& file, const io::SweepPlan& plan, int threads,
                  SweepProgressCallback& callback) {
    Checked checked{};
    checked.runs.resize(plan.runs());
    std::mutex mutex;
    std::atomic<std::size_t> first_wrong = plan.runs();
    std::exception_ptr error;
    const auto check_one = [&](std::size_t run) {
        if (run > first_wrong || callback.stop()) return;
        try {
            const std::unique_ptr<jobs::Job> job = check(file, plan, run);
            const std::vector<std::string> warnings = job->warnings();
            const std::uint64_t files = checksum_of_files(*job, run);
            const double memory = job->memory(), seconds = job->least_wall_time();
            checked.runs[run] = {job->chosen_step(), job->together_key(), job->most_together()};
            const std::lock_guard lock(mutex);
            checked.memory = std::max(checked.memory, memory);
            checked.least_wall_time += seconds;
            checked.files += files;
            for (const std::string& warning : warnings)
                ++checked.warnings[warning];
        } catch (const InputError&) {
            const std::lock_guard lock(mutex);
            if (run > first_wrong) return;
            first_wrong = run;
            error = std::current_exception();
        } catch (const std::exception& failure) {
            const std::lock_guard lock(mutex);
            checked.failures[run] = io::message_of(failure);
        }
    };
    const auto began = Clock::now();
    ranks::for_each_on_threads(plan.runs(), threads, check_one, [&](std::size_t done) {
        callback.checking(done, plan.runs(), seconds_since(began));
    });
    if (callback.stop()) throw running::RunError("interrupted before the first run");
    if (error) std::rethrow_exception(error);
    return checked;
}

/// All ranks check all runs, and that they have read the same files for them. Throws InputError
/// if the runs take too long in all. Collective.
Checked check_together(const jobs::JobFile& file, const io::SweepPlan& plan, int threads,
                       SweepProgressCallback& callback, ranks::Communicator& ranks) {
    Checked checked = check_all(file, plan, threads, callback);
    jobs::require_same_files(ranks, {{"all", fmt::format("{:x}", checked.files)}});
    std::int64_t all_threads = threads;
    ranks.sum({&all_threads, 1});
    const double least = checked.least_wall_time / static_cast<double>(all_threads);
    if (!callback.accepts_long_runs && least > longest_unasked_run) {
        throw InputError(fmt::format("the sweep of {} runs {}", plan.runs(), too_long_text(least)));
    }
    return checked;
}

io::SweepPlan plan_of(const SweepRequest& request, const jobs::JobFile& file) {
    auto members =
        members_of(request.ensemble, [&](const std::string& key) { return file.number(key); });
    if (request.vary.empty() && members.empty())
        throw InputError("nothing varies; give --vary, or --members with --disturb");
    std::vector<io::VariedKey> keys =
        read_plan(request.vary, request.overrides, std::move(members)).keys();
    for (io::VariedKey& key : keys)
        key.unit = jobs::key_unit(key.key);
    return io::SweepPlan(std::move(keys));
}

/// The quantities that are kept over time. The first run that does not fail, made here in advance,
/// shows what is recorded and when.
OverTime over_time_of(const SweepRequest& request, const jobs::JobFile& file,
                      const io::SweepPlan& plan, SweepProgressCallback& callback) {
    if (request.over_time.empty()) return {};
    std::string why;
    for (std::size_t run = 0; run < plan.runs() && !callback.stop(); ++run) {
        NullProgress null_progress(callback);
        const auto job = file.variant(plan.settings(run));
        try {
            const jobs::JobResult done =
                job->run({.record = jobs::ToMemory{}, .threads = 1}, null_progress);
            if (!done.stopped.empty()) break;
            return {request.over_time, over_time_arrays(done)};
        } catch (const running::RunError& error) {
            if (why.empty()) why = error.what();
        }
    }
    if (callback.stop()) throw running::RunError("interrupted before the first run");
    throw running::RunError(fmt::format("none of {} runs ends: {}", plan.runs(), why));
}

/// The columns, which are the same for all runs; a run that fails has none.
io::Columns columns_of(const jobs::JobFile& file, const io::SweepPlan& plan, const Checked& checked,
                       const OverTime& over_time) {
    std::size_t run = 0;
    while (run < plan.runs() && checked.failures.contains(run))
        ++run;
    if (run == plan.runs()) {
        throw running::RunError(fmt::format("none of {} runs can start: {}", plan.runs(),
                                            checked.failures.begin()->second));
    }
    io::Columns columns = file.variant(plan.settings(run))->columns();
    columns.over_time = over_time.quantities();
    columns.times = over_time.times();
    constexpr double most_numbers = 4e8;
    const double numbers = static_cast<double>(plan.runs()) * static_cast<double>(columns.width());
    if (numbers > most_numbers) {
        throw InputError(fmt::format(
            "--vary: {} runs with {} sensors{} make a table of {:.2g} numbers; at most {:.2g}",
            plan.runs(), columns.sensors.size(),
            columns.times.empty() ? ""
                                  : fmt::format(" and {} numbers at {} times",
                                                columns.over_time.size(), columns.times.size()),
            numbers, most_numbers));
    }
    return columns;
}

/// Enters a result into the table and, if the run is done, into the journal. Returns the updates of
/// the run.
double enter(io::SweepTable& table, io::SweepJournal* rows, std::size_t number,
             const json& result) {
    if (result.is_null()) return 0.0;
    if (result.contains("error")) {
        table.set_failed(number, result["error"].get<std::string>());
        return 0.0;
    }
    table.set_done(number, result["numbers"].get<std::vector<double>>(),
                   result["warnings"].get<std::vector<std::string>>());
    if (rows != nullptr) rows->add(number);
    return result["updates"].get<double>();
}

using Batches = std::vector<std::vector<std::size_t>>;

/// The batches of runs that a thread makes at a time. The first rank, which knows the runs that are
/// left, decides: the others may have other vectors. Collective.
Batches share_batches(const std::vector<std::size_t>& left, const Checked& checked,
                      const OverTime& over_time, int threads, ranks::Communicator& ranks) {
    std::int64_t all_threads = threads;
    ranks.sum({&all_threads, 1});
    Batches batches;
    if (!over_time.times().empty()) {
        for (const std::size_t run : left)
            batches.push_back({run});
    } else {
        batches = batches_of(left, checked.runs, static_cast<int>(all_threads));
    }
    if (ranks.alone()) return batches;
    // The numbers of the runs, and -1 behind each batch.
    std::vector<std::int64_t> numbers;
    for (const std::vector<std::size_t>& batch : batches) {
        numbers.insert(numbers.end(), batch.begin(), batch.end());
        numbers.push_back(-1);
    }
    auto count = static_cast<std::int64_t>(numbers.size());  // 0 on all other ranks
    ranks.sum({&count, 1});
    numbers.resize(static_cast<std::size_t>(count));
    ranks.sum(numbers);
    batches.clear();
    std::vector<std::size_t> batch;
    for (const std::int64_t number : numbers) {
        if (number >= 0) {
            batch.push_back(static_cast<std::size_t>(number));
        } else {
            batches.push_back(std::exchange(batch, {}));
        }
    }
    return batches;
}

std::string lost(int rank) {
    return fmt::format("rank {} does not answer any more; the other ranks make its runs", rank);
}

/// The files of the results.
struct Results {
    Results(const SweepRequest& request, Sweep& sweep, std::uint64_t checksum)
        : hdf5(sweep.hdf5, request.overwrite),
          files(hdf5, io::Output(sweep.csv, request.overwrite)),
          rows(hdf5, sweep.table, checksum) {
        sweep.rows = rows.path().string();
    }

    io::Output hdf5;
    io::SweepFiles files;
    io::SweepJournal rows;
};

}  // namespace

Sweep sweep(const SweepRequest& request, SweepProgressCallback& callback,
            ranks::Communicator& ranks) {
    const jobs::JobFile file(request.scenario, request.overrides);
    const io::SweepPlan plan = plan_of(request, file);
    const auto [wanted, startable] = threads_for(request, plan, ranks);
    const Checked checked = check_together(file, plan, startable, callback, ranks);
    const OverTime over_time = over_time_of(request, file, plan, callback);
    const int threads = threads_in_memory(startable, checked.memory, ranks);
    if (threads < wanted) {
        callback.warn(fmt::format("runs on {} of {} threads: this machine has {} for more", threads,
                                  wanted,
                                  threads < startable ? "not enough memory" : "no resources"));
    }

    Sweep result{.table = io::SweepTable(plan, columns_of(file, plan, checked, over_time)),
                 .threads = threads * ranks.count()};
    io::SweepTable& table = result.table;
    for (const auto& [number, failure] : checked.failures)
        table.set_failed(number, failure);
    std::optional<Results> results;
    if (!request.output.empty()) {
        result.hdf5 = request.output;
        result.csv = request.csv.empty()
                         ? std::filesystem::path(request.output).replace_extension(".csv").string()
                         : request.csv;
        results.emplace(request, result, io::checksum(file.text(), checked.files));
        if (results->rows.found() > 0) {
            callback.warn(fmt::format("continues after {} of {} runs, which are in {}",
                                      results->rows.found(), plan.runs(), result.rows));
        }
    }
    for (const auto& [warning, runs] : checked.warnings)
        callback.warn(fmt::format("{} (in {} of {} runs)", warning, runs, plan.runs()));

    callback.begin(static_cast<std::int64_t>(plan.runs()), 0.0, 1);
    std::vector<std::size_t> left;
    for (std::size_t number = 0; number < plan.runs(); ++number) {
        if (table.status(number) == io::SweepTable::Status::not_run) left.push_back(number);
    }
    const std::size_t before = plan.runs() - left.size();
    const Batches batches = share_batches(left, checked, over_time, threads, ranks);
    std::vector<std::size_t> pieces(batches.size());
    std::iota(pieces.begin(), pieces.end(), std::size_t{0});
    const SweepRuns runs(file, plan, checked.runs, over_time, callback);
    std::atomic<double> updates = 0.0;
    std::atomic<std::size_t> entered = 0;
    io::SweepJournal* const rows = results ? &results->rows : nullptr;
    const auto began = Clock::now();
    ranks::run_work_queue(ranks, pieces, threads,
                          {.work = [&](std::size_t piece) { return runs(batches[piece]); },
                           .collect =
                               [&](std::size_t piece, const std::string& message) {
                                   const json of_runs = json::from_cbor(message);
                                   const std::vector<std::size_t>& numbers = batches[piece];
                                   for (std::size_t i = 0; i < numbers.size(); ++i)
                                       updates += enter(table, rows, numbers[i], of_runs[i]);
                                   callback.entered(before + (entered += numbers.size()));
                               },
                           .progress =
                               [&](std::size_t) {
                                   callback.running(before + entered, plan.runs(),
                                                    seconds_since(began));
                               },
                           .rank_lost = [&](int rank) { callback.warn(lost(rank)); }});
    result.wall_seconds = seconds_since(began);
    result.updates = updates;
    if (!results) return result;
    if (!results->rows.write_error().empty()) {
        callback.warn(
            fmt::format("{}: cannot be written ({}): a killed sweep cannot continue from it",
                        result.rows, results->rows.write_error()));
    }
    results->files.write(table, file.text());
    if (table.count(io::SweepTable::Status::not_run) == 0) results->rows.remove();
    return result;
}

Sweep sweep(const SweepRequest& request, SweepProgressCallback& callback) {
    const auto alone = ranks::serial_communicator();
    return sweep(request, callback, *alone);
}

void serve_sweep(const SweepRequest& request, SweepProgressCallback& callback,
                 ranks::Communicator& ranks) {
    const jobs::JobFile file(request.scenario, request.overrides);
    const io::SweepPlan plan = plan_of(request, file);
    const int startable = threads_for(request, plan, ranks).startable;
    const Checked checked = check_together(file, plan, startable, callback, ranks);
    const OverTime over_time = over_time_of(request, file, plan, callback);
    const int threads = threads_in_memory(startable, checked.memory, ranks);
    callback.begin(static_cast<std::int64_t>(plan.runs()), 0.0, 1);
    const Batches batches = share_batches({}, checked, over_time, threads, ranks);
    const SweepRuns runs(file, plan, checked.runs, over_time, callback);
    ranks::run_work_queue(ranks, {}, threads,
                          {.work = [&](std::size_t piece) { return runs(batches[piece]); }});
}

}  // namespace beadwave::tasks
