#include "cli/run_job.hpp"

#include "cli/pause_at_step.hpp"
#include "cli/progress_bar.hpp"
#include "cli/signal_guard.hpp"

#include <optional>

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
        bar_.emplace(!display_.quiet, steps, time_step, Bodies{count, job_.columns().body});
    }
    void progress(std::int64_t step, double wall_seconds) override {
        bar_->show(step, wall_seconds);
        pause_.reached(step);
    }
    void solve_begins(const std::string& last_words) override {
        end_at_once("beadwave: " + last_words + "\n");
    }
    void solve_ends() override { end_when_asked(); }
    void clear() { bar_.reset(); }

  private:
    const jobs::Job& job_;
    Display display_;
    std::optional<ProgressBar> bar_;
    PauseAtStep pause_;
};

}  // namespace

int run_job(const jobs::Job& job, const jobs::RunRequest& request, const Display& display,
            bool accepts_long_runs) {
    const SignalGuard signals;
    RunDisplay terminal(job, display);
    terminal.accepts_long_runs = accepts_long_runs;
    const jobs::JobResult result = job.run(request, terminal);
    terminal.clear();
    if (display.json) print_json(*result.json);
    if (!display.quiet) display.json ? print_to_stderr(result.text) : print(result.text);
    for (const std::string& warning : result.diagnostics)
        terminal.warn(warning);
    if (!result.stopped.empty()) throw running::RunError(result.stopped);
    return 0;
}

}  // namespace beadwave::cli
