// `beadwave watch`: prints the progress of a run at intervals, until the run has ended.

#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "cli/command_line.hpp"
#include "cli/progress_bar.hpp"
#include "cli/terminal.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "io/history/history_follower.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/si_text.hpp"
#include "tasks/progress.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace beadwave::cli {
namespace {

using Clock = std::chrono::steady_clock;
using State = io::HistoryFollower::State;

/// Steps per second of wall-clock time, between two samples with different steps; and how long
/// there has been no new one.
class Speed {
  public:
    /// Seconds since the step was first seen.
    double unchanged() const { return std::chrono::duration<double>(Clock::now() - when_).count(); }

    std::optional<double> at(std::int64_t step) {
        const Clock::time_point now = Clock::now();
        if (step_ >= 0 && step > step_) {
            speed_ = static_cast<double>(step - step_) /
                     std::chrono::duration<double>(now - when_).count();
        }
        if (step < step_) speed_ = 0.0;  // another run
        if (step != step_) when_ = now;
        step_ = step;
        if (speed_ > 0.0) return speed_;
        return std::nullopt;
    }

  private:
    std::int64_t step_ = -1;
    Clock::time_point when_;
    double speed_ = 0.0;  // 0: unknown
};

/// A run writes its samples twice per second. One that makes no progress, as it is stopped or its
/// machine is busy, differs from one with rare samples only in how long this lasts.
constexpr double worth_telling = 2.0;

std::string line_of(const io::Progress& p, std::optional<double> speed, double unchanged) {
    std::string line = fmt::format("{:5.1f} %  t = {} of {}", tasks::percent(p),
                                   jobs::si_text(p.time, "s"), jobs::si_text(p.end, "s"));
    if (unchanged >= worth_telling)
        line += fmt::format("  no new sample for {:.0f} s", unchanged);
    else if (speed)
        line +=
            fmt::format("  {:.3g} steps/s  {}", *speed, time_left(tasks::seconds_left(p, *speed)));
    if (p.energy) {
        line += fmt::format(
            "  kinetic {}, stored {}, dissipated {}", jobs::si_text(p.energy->kinetic, "J"),
            jobs::si_text(p.energy->stored, "J"), jobs::si_text(p.energy->dissipated, "J"));
    }
    if (p.peak) {
        line += fmt::format("  peak {} at {} {}, {}", jobs::si_text(p.peak->force, "N"),
                            p.peak->body, p.peak->bead, jobs::si_text(p.peak->time, "s"));
    }
    return line;
}

std::string up_to(const std::optional<io::Progress>& p) {
    return p ? fmt::format(" at t = {:.6g} s of {:.6g} s", p->time, p->end)
             : " before its first sample";
}

std::string how_to_continue(const std::filesystem::path& history) {
    const std::filesystem::path checkpoint = io::checkpoint_path(history);
    std::error_code ignored;
    return std::filesystem::exists(checkpoint, ignored) ? jobs::continue_with(checkpoint) : "";
}

struct WatchOptions {
    std::string history;    ///< the name that was given to the run
    double interval = 2.0;  ///< between two lines [s]
    bool once = false;
    bool json = false;
};

class Watch {
  public:
    explicit Watch(const WatchOptions& options)
        : options_(options), name_(tasks::final_name(options.history)), history_(name_) {}

    int follow() {
        State state = tasks::first_state(history_, name_);
        const bool came_late = state == State::closed;
        for (;; state = history_.poll()) {
            const std::optional<io::Progress> progress = history_.progress();
            const bool ended = state != State::growing;
            show(state, progress);
            if (ended) return end(state, progress, came_late);
            if (options_.once) return 0;
            wait(/*for_first_sample=*/!progress);
        }
    }

  private:
    void show(State state, const std::optional<io::Progress>& progress) {
        std::optional<double> speed;
        double unchanged = 0.0;
        if (progress && state == State::growing) {
            speed = speed_.at(progress->step);
            unchanged = speed_.unchanged();
        }
        if (options_.json) {
            print_json(tasks::progress_json(history_.path().string(),
                                            tasks::state_name(state, progress), progress, speed),
                       /*on_one_line=*/true);
        } else if (progress) {
            print(line_of(*progress, speed, unchanged) + "\n");
        } else if (state == State::growing) {
            print(fmt::format("no sample yet in {}\n", history_.path().string()));
        }
        flush_output();
    }

    /// Waits until the next line is due, the first sample is there, or the run has ended.
    void wait(bool for_first_sample) {
        const Clock::time_point due =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(options_.interval));
        while (Clock::now() < due) {
            std::this_thread::sleep_for(
                std::min<Clock::duration>(due - Clock::now(), std::chrono::milliseconds(200)));
            if (history_.poll() != State::growing) return;
            if (for_first_sample && history_.progress()) return;
        }
    }

    int end(State state, const std::optional<io::Progress>& progress, bool came_late) {
        const std::string file = history_.path().string();
        if (state == State::absent)
            throw running::RunError(fmt::format("{}: the history is gone", name_.string()));
        if (state == State::orphaned) {
            throw running::RunError(
                fmt::format("the run was killed{}; {} holds the history up to there{}",
                            up_to(progress), file, how_to_continue(name_)));
        }
        if (!progress || progress->step < progress->steps) {
            throw running::RunError(
                fmt::format("the run ended early{}; {} holds the history up to there{}",
                            up_to(progress), file, how_to_continue(name_)));
        }
        const std::string end =
            fmt::format("{}; the history is {}\n",
                        came_late ? "finished, and no run writes it now" : "finished", file);
        options_.json ? print_to_stderr(end) : print(end);
        return 0;
    }

    WatchOptions options_;
    std::filesystem::path name_;
    io::HistoryFollower history_;
    Speed speed_;
};

}  // namespace

Command watch_command(CLI::App& app) {
    const auto given = std::make_shared<WatchOptions>();
    Line line(app, "watch", "Follow a run until it ends");
    line.add_option("OUT.h5", given->history,
                    "the history, with the name that was given to the run")
        .required();
    line.add_option("--interval", given->interval,
                    "time between two lines in s, from 0.1 to 86400 (default: 2)")
        .range(0.1, 86400.0)
        .type_name("SECONDS");
    line.add_flag("--once", given->once, "print one line and exit");
    line.add_flag("--json", given->json, "print each line as one JSON object");

    return {.line = line, .run = [given](ranks::Communicator&) {
                if (!(given->interval >= 0.1 && given->interval <= 86400.0))  // also refuses nan
                    throw InputError(
                        fmt::format("--interval {}: must be from 0.1 to 86400 s", given->interval));
                return Watch(*given).follow();
            }};
}

}  // namespace beadwave::cli
