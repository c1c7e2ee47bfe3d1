#include "beadwave/input_error.hpp"
#include "cli/commands.hpp"
#include "cli/progress_bar.hpp"
#include "cli/signal_guard.hpp"
#include "cli/sweep_summary.hpp"
#include "cli/terminal.hpp"
#include "cli/until_interrupted.hpp"
#include "cli/vary.hpp"
#include "io/files/error_words.hpp"
#include "io/tables/sweep_journal.hpp"
#include "io/tables/sweep_table.hpp"
#include "jobs/on_threads.hpp"
#include "jobs/read_job.hpp"
#include "jobs/threads.hpp"
#include "machine_memory.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace beadwave::cli {
namespace {

using Clock = std::chrono::steady_clock;

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

/// So many that all can have a run that takes so much [bytes] at once.
int threads_in_memory(int wanted, double run) {
    const double room = machine_memory();
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
                  bool shows_progress) {
    Checked checked{};
    std::mutex mutex;
    std::atomic<std::size_t> first_wrong = plan.runs();
    std::exception_ptr error;
    const auto check_one = [&](std::size_t run) {
        if (run > first_wrong) return;
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
    ProgressBar bar(shows_progress, [&](std::int64_t done, double wall) {
        return "checking " + sweep_line(static_cast<std::size_t>(done), plan.runs(), wall);
    });
    bool said = !shows_progress || bar.shown();
    jobs::for_each_on_threads(plan.runs(), threads, check_one, [&](std::size_t done) {
        bar.show(static_cast<std::int64_t>(done), seconds_since(began));
        // Where there is no terminal, one line.
        if (said || seconds_since(began) < 2.0) return;
        said = true;
        say_note(fmt::format("checking {} runs before the first begins; {} are checked",
                             plan.runs(), done));
    });
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

/// The names of the two tables.
void name_files(const SweepOptions& options, SweepSummary& summary) {
    const std::filesystem::path hdf5 =
        options.output.empty() ? std::filesystem::path(options.scenario).stem().concat(".sweep.h5")
                               : std::filesystem::path(options.output);
    const std::filesystem::path csv = options.csv.empty()
                                          ? std::filesystem::path(hdf5).replace_extension(".csv")
                                          : std::filesystem::path(options.csv);
    summary.hdf5 = hdf5.string();
    summary.csv = csv.string();
}

}  // namespace

int sweep_command(const SweepOptions& options) {
    const io::SweepPlan plan = read_plan(options.vary, options.overrides);
    const jobs::JobFile file(options.scenario, options.overrides);
    const int wanted = static_cast<int>(std::min(
        plan.runs(),
        static_cast<std::size_t>(options.threads > 0 ? options.threads : omp_get_max_threads())));
    // This one looks on.
    const int startable = std::max(1, jobs::startable_threads(wanted + 1) - 1);
    const Checked checked = check_all(file, plan, startable, !options.quiet);
    const int threads = threads_in_memory(startable, checked.memory);
    if (threads < wanted) {
        say_note(fmt::format("on {} of {} threads: there is no room for more here{}", threads,
                             wanted, threads < startable ? ", each with a run of its own" : ""));
    }

    io::SweepTable table(plan, columns_of(file, plan, checked));
    for (const auto& [number, failure] : checked.failures)
        table.set_failed(number, failure);
    SweepSummary summary{.table = table, .threads = threads};
    name_files(options, summary);
    const io::Output hdf5(summary.hdf5, options.force);
    io::SweepFiles files(hdf5, io::Output(summary.csv, options.force));
    io::SweepJournal rows(hdf5, table, io::checksum(file.text(), checked.files));
    summary.rows = rows.path().string();
    if (rows.found() > 0) {
        say_note(fmt::format("goes on after {} of {} runs, whose rows stand in {}", rows.found(),
                             plan.runs(), summary.rows));
    }
    if (!options.quiet) {
        for (const auto& [note, runs] : checked.notes)
            say_note(fmt::format("{} (in {} of {} runs)", note, runs, plan.runs()));
    }

    const SignalGuard signals;
    std::atomic<double> updates = 0.0;
    const auto run = [&](std::size_t number) {
        if (interrupted()) return;
        if (table.status(number) != io::SweepTable::Status::not_run) return;
        try {
            UntilInterrupted watcher;
            const jobs::Outcome outcome =
                file.variant(plan.settings(number))->run({.threads = 1}, watcher);
            if (!outcome.stopped.empty()) return;
            updates += outcome.updates;
            table.set_done(number, outcome.numbers, outcome.notes);
            rows.add(number);
        } catch (const std::exception& error) {
            table.set_failed(number, io::words_of(error));
        }
    };
    const auto began = Clock::now();
    ProgressBar bar(!options.quiet, [&](std::int64_t done, double wall) {
        return sweep_line(static_cast<std::size_t>(done), plan.runs(), wall);
    });
    jobs::for_each_on_threads(plan.runs(), threads, run, [&](std::size_t done) {
        bar.show(static_cast<std::int64_t>(done), seconds_since(began));
    });
    summary.wall_seconds = seconds_since(began);
    summary.updates = updates;
    bar.clear();
    if (!rows.trouble().empty()) {
        say_note(
            fmt::format("{}: cannot be written ({}): a killed sweep could not go on from there",
                        summary.rows, rows.trouble()));
    }
    files.write(table, file.text());
    if (table.count(io::SweepTable::Status::not_run) == 0) rows.remove();

    if (options.json) print_json(summary.json());
    if (!options.quiet) options.json ? say(summary.text()) : print(summary.text());
    if (table.noted() > 0) {
        say_note(fmt::format("{} of {} runs are noted in the table's column note", table.noted(),
                             plan.runs()));
    }
    const std::string trouble = summary.trouble();
    if (!trouble.empty()) throw running::RunError(trouble);
    return 0;
}

}  // namespace beadwave::cli
