#include "cli/run_job.hpp"

#include "cli/progress_bar.hpp"
#include "cli/signal_guard.hpp"
#include "cli/terminal.hpp"

#include <optional>

namespace beadwave::cli {
namespace {

class Terminal : public jobs::Watcher {
  public:
    Terminal(const jobs::Job& job, const Display& display) : job_(job), display_(display) {}

    bool stop() override { return interrupted(); }
    void say(const std::string& note) override { say_note(note); }
    void begin(std::int64_t steps, double time_step, std::size_t count) override {
        if (!bar_ && !display_.quiet) {
            for (const std::string& note : job_.notes())
                say(note);
        }
        bar_.emplace(!display_.quiet, steps, time_step, count);
    }
    void progress(std::int64_t step, double wall_seconds) override {
        bar_->show(step, wall_seconds);
    }
    void clear() { bar_.reset(); }

  private:
    const jobs::Job& job_;
    Display display_;
    std::optional<ProgressBar> bar_;
};

}  // namespace

int run_job(const jobs::Job& job, const jobs::Request& request, const Display& display) {
    const SignalGuard signals;
    Terminal terminal(job, display);
    const jobs::Outcome outcome = job.run(request, terminal);
    terminal.clear();
    if (display.json) print_json(outcome.json);
    if (!display.quiet) display.json ? cli::say(outcome.text) : print(outcome.text);
    for (const std::string& doubt : outcome.doubts)
        terminal.say(doubt);
    if (!outcome.stopped.empty()) throw running::RunError(outcome.stopped);
    return 0;
}

}  // namespace beadwave::cli
