#include "tasks/sweep.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "io/files/error_words.hpp"
#include "io/tables/sweep_journal.hpp"
#include "jobs/hand_out.hpp"
#include "jobs/on_threads.hpp"
#include "jobs/read_job.hpp"
#include "jobs/threads.hpp"
#include "machine_memory.hpp"
#include "tasks/unseen.hpp"
#include "tasks/vary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace beadwave::tasks {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

/// What is found about all runs before the first one starts.
struct Checked {
    std::map<std::string, std::size_t> notes;  ///< and in how many runs
    std::map<std::size_t, std::string>
        failures;             ///< runs without a time step: two bodies that do not separate
    std::uint64_t files = 0;  ///< checksum of all files that the scenarios name
    double memory = 0.0;      ///< of the run that takes most [bytes]
};

/// How many threads of this rank are wanted, and how many can be had, for one looks on.
struct Threads {
    int wanted, startable;
};

Threads threads_for(const SweepRequest& request, const io::SweepPlan& plan,
                    const ranks::Ranks& ranks) {
    const auto available = static_cast<std::size_t>(jobs::wanted_threads(request.threads, ranks));
    const int wanted = static_cast<int>(std::min(plan.runs(), available));
    return {wanted, std::max(1, jobs::startable_threads(wanted + 1) - 1)};
}

/// So many that all can have a run that takes so much [bytes] at once, on all ranks of a machine.
int threads_in_memory(int wanted, double run, const ranks::Ranks& ranks) {
    const double room = machine_memory() / ranks.on_this_node();
    return run * wanted <= room ? wanted : std::max(1, static_cast<int>(room / run));
}

/// The order of runs does not change their sum.
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

/// Checks every run, so that nothing runs before all input is right; throws the error of the first
/// that is wrong.
Checked check_all(const jobs::JobFile& file, const io::SweepPlan& plan, int threads,
                  SweepWatcher& watcher) {
    Checked checked{};
    std::mutex mutex;
    std::atomic<std::size_t> first_wrong = plan.runs();
    std::exception_ptr error;
    const auto check_one = [&](std::size_t run) {
        if (run > first_wrong || watcher.stop()) return;
        try {
            const std::unique_ptr<jobs::Job> job = check(file, plan, run);
            const std::vector<std::string> notes = job->notes();
            const std::uint64_t files = checksum_of_files(*job, run);
            const double memory = job->memory();
            const std::lock_guard lock(mutex);
            checked.memory = std::max(checked.memory, memory);
            checked.files += files;
            for (const std::string& note : notes)
                ++checked.notes[note];
        } catch (const InputError&) {
            const std::lock_guard lock(mutex);
            if (run > first_wrong) return;
            first_wrong = run;
            error = std::current_exception();
        } catch (const std::exception& failure) {
            const std::lock_guard lock(mutex);
            checked.failures[run] = io::words_of(failure);
        }
    };
    const auto began = Clock::now();
    jobs::for_each_on_threads(plan.runs(), threads, check_one, [&](std::size_t done) {
        watcher.checking(done, plan.runs(), seconds_since(began));
    });
    if (watcher.stop()) throw running::RunError("interrupted before the first run");
    if (error) std::rethrow_exception(error);
    return checked;
}

/// The columns, which are those of every run; a run that fails has none to ask.
io::Columns columns_of(const jobs::JobFile& file, const io::SweepPlan& plan,
                       const Checked& checked) {
    std::size_t run = 0;
    while (run < plan.runs() && checked.failures.contains(run))
        ++run;
    if (run == plan.runs()) {
        throw running::RunError(fmt::format("none of {} runs can start: {}", plan.runs(),
                                            checked.failures.begin()->second));
    }
    io::Columns columns = file.variant(plan.settings(run))->columns();
    constexpr double most_numbers = 4e8;
    const double numbers = static_cast<double>(plan.runs()) * static_cast<double>(columns.width());
    if (numbers > most_numbers) {
        throw InputError(fmt::format(
            "--vary: {} runs with {} sensors make a table of {:.2g} numbers; at most {:.2g}",
            plan.runs(), columns.sensors.size(), numbers, most_numbers));
    }
    return columns;
}

/// What a rank tells of a run; nothing of one that was stopped.
std::string result_of(const jobs::JobFile& file, const io::SweepPlan& plan, std::size_t number,
                      SweepWatcher& watcher) {
    if (watcher.stop()) return {};
    json result;
    try {
        Unseen unseen(watcher);
        const jobs::Outcome outcome =
            file.variant(plan.settings(number))->run({.threads = 1}, unseen);
        if (!outcome.stopped.empty()) return {};
        result = {
            {"numbers", outcome.numbers}, {"notes", outcome.notes}, {"updates", outcome.updates}};
    } catch (const std::exception& error) {
        result = {{"error", io::words_of(error)}};
    }
    std::string bytes;
    json::to_cbor(result, bytes);  // which keeps numbers to the bit
    return bytes;
}

/// Puts it into the table and, if it is done, into the rows; the run's updates.
double enter(io::SweepTable& table, io::SweepJournal* rows, std::size_t number,
             const std::string& bytes) {
    if (bytes.empty()) return 0.0;
    const json result = json::from_cbor(bytes);
    if (result.contains("error")) {
        table.set_failed(number, result["error"].get<std::string>());
        return 0.0;
    }
    table.set_done(number, result["numbers"].get<std::vector<double>>(),
                   result["notes"].get<std::vector<std::string>>());
    if (rows != nullptr) rows->add(number);
    return result["updates"].get<double>();
}

std::string lost(int rank) {
    return fmt::format("rank {} is not heard of any more: others make its runs", rank);
}

/// Where the results stand.
struct Results {
    Results(const SweepRequest& request, Sweep& sweep, std::uint64_t checksum)
        : hdf5(sweep.hdf5, request.force),
          files(hdf5, io::Output(sweep.csv, request.force)),
          rows(hdf5, sweep.table, checksum) {
        sweep.rows = rows.path().string();
    }

    io::Output hdf5;
    io::SweepFiles files;
    io::SweepJournal rows;
};

}  // namespace

Sweep sweep(const SweepRequest& request, SweepWatcher& watcher, ranks::Ranks& ranks) {
    const io::SweepPlan plan = read_plan(request.vary, request.overrides);
    const jobs::JobFile file(request.scenario, request.overrides);
    const auto [wanted, startable] = threads_for(request, plan, ranks);
    const Checked checked = check_all(file, plan, startable, watcher);
    const int threads = threads_in_memory(startable, checked.memory, ranks);
    if (threads < wanted) {
        watcher.say(fmt::format("on {} of {} threads: there is no room for more here{}", threads,
                                wanted, threads < startable ? ", each with a run of its own" : ""));
    }

    Sweep result{.table = io::SweepTable(plan, columns_of(file, plan, checked)),
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
            watcher.say(fmt::format("goes on after {} of {} runs, whose rows stand in {}",
                                    results->rows.found(), plan.runs(), result.rows));
        }
    }
    for (const auto& [note, runs] : checked.notes)
        watcher.hint(fmt::format("{} (in {} of {} runs)", note, runs, plan.runs()));

    watcher.begin(static_cast<std::int64_t>(plan.runs()), 0.0, 1);
    std::vector<std::size_t> left;
    for (std::size_t number = 0; number < plan.runs(); ++number) {
        if (table.status(number) == io::SweepTable::Status::not_run) left.push_back(number);
    }
    const std::size_t before = plan.runs() - left.size();
    std::atomic<double> updates = 0.0;
    io::SweepJournal* const rows = results ? &results->rows : nullptr;
    const auto began = Clock::now();
    double memory = checked.memory;
    ranks.broadcast(memory);
    jobs::hand_out(
        ranks, left, threads,
        {.work = [&](std::size_t number) { return result_of(file, plan, number, watcher); },
         .take = [&](std::size_t number,
                     const std::string& told) { updates += enter(table, rows, number, told); },
         .watch =
             [&](std::size_t done) {
                 watcher.running(before + done, plan.runs(), seconds_since(began));
             },
         .lost = [&](int rank) { watcher.say(lost(rank)); }});
    result.wall_seconds = seconds_since(began);
    result.updates = updates;
    if (!results) return result;
    if (!results->rows.trouble().empty()) {
        watcher.say(
            fmt::format("{}: cannot be written ({}): a killed sweep could not go on from there",
                        result.rows, results->rows.trouble()));
    }
    results->files.write(table, file.text());
    if (table.count(io::SweepTable::Status::not_run) == 0) results->rows.remove();
    return result;
}

Sweep sweep(const SweepRequest& request, SweepWatcher& watcher) {
    const auto alone = ranks::one_rank();
    return sweep(request, watcher, *alone);
}

void help_sweep(const SweepRequest& request, SweepWatcher& watcher, ranks::Ranks& ranks) {
    const io::SweepPlan plan = read_plan(request.vary, request.overrides);
    const jobs::JobFile file(request.scenario, request.overrides);
    const int startable = threads_for(request, plan, ranks).startable;
    watcher.begin(static_cast<std::int64_t>(plan.runs()), 0.0, 1);
    double memory = 0.0;
    ranks.broadcast(memory);
    jobs::hand_out(
        ranks, {}, threads_in_memory(startable, memory, ranks),
        {.work = [&](std::size_t number) { return result_of(file, plan, number, watcher); }});
}

}  // namespace beadwave::tasks
