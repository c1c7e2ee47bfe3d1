#include "cli/run_job.hpp"

#include "beadwave/input_error.hpp"
#include "cli/pause_at_step.hpp"
#include "cli/progress_bar.hpp"
#include "cli/signal_guard.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::cli {
namespace {

class RunDisplay : public jobs::ProgressCallback {
  public:
    RunDisplay(const jobs::Job& job, const Display& display) : job_(job), display_(display) {}

    bool stop() override { return interrupted(); }
    void warn(const std::string& warning) override { print_warning(warning); }
    void begin(std::int64_t steps, double time_step, std::size_t count) override {
        if (!bar_) {  // not once more when the run restarts with a shorter step
            for (const std::string& warning : job_.warnings())
                warn(warning);
        }
        bar_.emplace(!display_.quiet && !display_.log_interval, steps, time_step,
                     Bodies{count, job_.columns().body});
        steps_ = steps;
        time_step_ = time_step;
        next_log_ = 0.0;  // the time begins anew
        announces_ = !display_.quiet && !display_.log_interval && !bar_->shown();
    }
    void progress(std::int64_t step, double wall_seconds) override {
        bar_->show(step, wall_seconds);
        log(step, wall_seconds);
        announce(step, wall_seconds);
        pause_.reached(step);
    }
    void solve_begins(const std::string& last_words) override {
        end_at_once("beadwave: " + last_words + "\n");
    }
    void solve_ends() override { end_when_asked(); }
    void clear() { bar_.reset(); }
    bool has_begun() const { return bar_.has_value(); }

  private:
    /// A line of --log, if one is due: for files of batch systems, where a bar would be one long
    /// line.
    void log(std::int64_t step, double wall_seconds) {
        if (!display_.log_interval || wall_seconds < next_log_) return;
        next_log_ = wall_seconds + *display_.log_interval;
        const double done =
            steps_ > 0 ? static_cast<double>(step) / static_cast<double>(steps_) : 1.0;
        print_to_stderr(fmt::format(
            "beadwave: {:.1f} %, step {} of {}, t = {:.6g} s, after {:.0f} s, {}\n", 100.0 * done,
            step, steps_, static_cast<double>(step) * time_step_, wall_seconds,
            time_left(done > 0.0 ? wall_seconds * (1.0 - done) / done : 0.0)));
    }

    /// One line about a run that will take long, where no bar says so.
    void announce(std::int64_t step, double wall_seconds) {
        constexpr double known = 1.0, long_run = 30.0;  // s
        if (!announces_ || wall_seconds < known || step <= 0) return;
        announces_ = false;
        const double whole = wall_seconds * static_cast<double>(steps_) / static_cast<double>(step);
        if (whole < long_run) return;
        print_to_stderr(
            fmt::format("beadwave: about {} in all to t = {:.6g} s; --log 60 prints a line per "
                        "minute\n",
                        hours_text(whole), static_cast<double>(steps_) * time_step_));
    }

    const jobs::Job& job_;
    Display display_;
    bool announces_ = false;
    std::int64_t steps_ = 0;
    double time_step_ = 0.0, next_log_ = 0.0;
    std::optional<ProgressBar> bar_;
    PauseAtStep pause_;
};

/// What a history too large for the disk may come from: a time in another unit, such as a run of
/// 300 s in place of 300 us. Empty: no time is doubted, or the error is another one.
std::string doubted_time(const InputError& error, const jobs::Job& job) {
    if (std::string_view(error.what()).find("--ignore-disk-space") == std::string_view::npos)
        return {};
    for (const std::string& warning : job.warnings()) {
        if (warning.starts_with("time.") && warning.find(" is not expected; ") != warning.npos)
            return warning;
    }
    return {};
}

}  // namespace

int run_job(const jobs::Job& job, const jobs::RunRequest& request, const Display& display,
            bool accepts_long_runs) {
    const SignalGuard signals;
    RunDisplay terminal(job, display);
    terminal.accepts_long_runs = accepts_long_runs;
    const jobs::JobResult result = [&] {
        try {
            return job.run(request, terminal);
        } catch (const InputError& error) {
            if (terminal.has_begun()) throw;
            const std::string doubt = doubted_time(error, job);
            if (doubt.empty()) throw;
            throw InputError(fmt::format("{}; {}", error.what(), doubt));
        }
    }();
    terminal.clear();
    if (display.json) print_json(*result.json);
    if (!display.quiet) display.json ? print_to_stderr(result.text) : print(result.text);
    for (const std::string& warning : result.diagnostics)
        terminal.warn(warning);
    if (!result.stopped.empty()) throw running::RunError(result.stopped);
    return 0;
}

}  // namespace beadwave::cli
