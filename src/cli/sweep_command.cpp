#include "beadwave/input_error.hpp"
#include "cli/commands.hpp"
#include "cli/on_threads.hpp"
#include "cli/progress_bar.hpp"
#include "cli/signal_guard.hpp"
#include "cli/sweep_summary.hpp"
#include "cli/until_interrupted.hpp"
#include "cli/vary.hpp"
#include "io/tables/sweep_table.hpp"
#include "jobs/read_job.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>

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
        failures;  ///< runs without a time step: two bodies that do not separate
};

/// Reads and checks the job of one run; the notes are its scenario's.
std::vector<std::string> check(const jobs::JobFile& file, const io::SweepPlan& plan,
                               std::size_t run) {
    try {
        return file.variant(plan.settings(run))->notes();
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
            const std::vector<std::string> notes = check(file, plan, run);
            if (notes.empty()) return;
            const std::lock_guard lock(mutex);
            for (const std::string& note : notes)
                ++checked.notes[note];
        } catch (const InputError&) {
            const std::lock_guard lock(mutex);
            if (run > first_wrong) return;
            first_wrong = run;
            error = std::current_exception();
        } catch (const std::exception& failure) {
            const std::lock_guard lock(mutex);
            checked.failures[run] = failure.what();
        }
    };
    const auto began = Clock::now();
    ProgressBar bar(shows_progress, [&](std::int64_t done, double wall) {
        return "checking " + sweep_line(static_cast<std::size_t>(done), plan.runs(), wall);
    });
    for_each_on_threads(plan.runs(), threads, check_one, [&](std::size_t done) {
        bar.show(static_cast<std::int64_t>(done), seconds_since(began));
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

io::SweepFiles create_files(const SweepOptions& options, SweepSummary& summary) {
    const std::filesystem::path hdf5 =
        options.output.empty() ? std::filesystem::path(options.scenario).stem().concat(".sweep.h5")
                               : std::filesystem::path(options.output);
    const std::filesystem::path csv = options.csv.empty()
                                          ? std::filesystem::path(hdf5).replace_extension(".csv")
                                          : std::filesystem::path(options.csv);
    summary.hdf5 = hdf5.string();
    summary.csv = csv.string();
    return {hdf5, csv};
}

}  // namespace

int sweep_command(const SweepOptions& options) {
    const io::SweepPlan plan = read_plan(options.vary, options.overrides);
    const jobs::JobFile file(options.scenario, options.overrides);
    const int threads = static_cast<int>(std::min(
        plan.runs(),
        static_cast<std::size_t>(options.threads > 0 ? options.threads : omp_get_max_threads())));
    const Checked checked = check_all(file, plan, threads, !options.quiet);

    io::SweepTable table(plan, columns_of(file, plan, checked));
    for (const auto& [number, failure] : checked.failures)
        table.set_failed(number, failure);
    SweepSummary summary{.table = table, .threads = threads};
    io::SweepFiles files = create_files(options, summary);
    if (!options.quiet) {
        for (const auto& [note, runs] : checked.notes) {
            fmt::print(stderr, "beadwave: note: {} (in {} of {} runs)\n", note, runs, plan.runs());
        }
    }

    const SignalGuard signals;
    std::atomic<double> updates = 0.0;
    const auto run = [&](std::size_t number) {
        if (interrupted()) return;
        if (table.status(number) == io::SweepTable::Status::failed) return;
        try {
            UntilInterrupted watcher;
            const jobs::Outcome outcome =
                file.variant(plan.settings(number))->run({.threads = 1}, watcher);
            if (!outcome.stopped.empty()) return;
            updates += outcome.updates;
            table.set_done(number, outcome.numbers, outcome.notes);
        } catch (const std::exception& error) {
            table.set_failed(number, error.what());
        }
    };
    const auto began = Clock::now();
    ProgressBar bar(!options.quiet, [&](std::int64_t done, double wall) {
        return sweep_line(static_cast<std::size_t>(done), plan.runs(), wall);
    });
    for_each_on_threads(plan.runs(), threads, run, [&](std::size_t done) {
        bar.show(static_cast<std::int64_t>(done), seconds_since(began));
    });
    summary.wall_seconds = seconds_since(began);
    summary.updates = updates;
    files.write(table, file.text());
    bar.clear();

    if (options.json) fmt::print("{}\n", summary.json().dump(2));
    if (!options.quiet) fmt::print(options.json ? stderr : stdout, "{}", summary.text());
    if (table.noted() > 0) {
        fmt::print(stderr, "beadwave: note: {} of {} runs are noted in the table's column note\n",
                   table.noted(), plan.runs());
    }
    const std::string trouble = summary.trouble();
    if (!trouble.empty()) throw running::RunError(trouble);
    return 0;
}

}  // namespace beadwave::cli
