#include "beadwave/running/simulation.hpp"
#include "cli/commands.hpp"
#include "cli/progress_bar.hpp"
#include "cli/signal_guard.hpp"
#include "cli/terminal.hpp"
#include "tasks/sweep.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

namespace beadwave::cli {
namespace {

class Terminal : public tasks::SweepWatcher {
  public:
    explicit Terminal(bool quiet) : quiet_(quiet) {}

    /// While runs are checked a signal ends the program: there is nothing to lose yet.
    void begin(std::int64_t /*runs*/, double, std::size_t) override {
        bar_.reset();
        signals_.emplace();
    }
    bool stop() override { return interrupted(); }
    void say(const std::string& note) override {
        bar_.reset();
        say_note(note);
    }
    void hint(const std::string& note) override {
        if (!quiet_) say(note);
    }
    void checking(std::size_t done, std::size_t runs, double wall) override {
        show("checking ", done, runs, wall);
        // Where there is no terminal, one line.
        if (quiet_ || said_ || bar_->shown() || wall < 2.0) return;
        said_ = true;
        say_note(
            fmt::format("checking {} runs before the first begins; {} are checked", runs, done));
    }
    void running(std::size_t done, std::size_t runs, double wall) override {
        show("", done, runs, wall);
    }
    void clear() { bar_.reset(); }

  private:
    void show(const char* what, std::size_t done, std::size_t runs, double wall) {
        if (!bar_) {
            bar_.emplace(!quiet_, [=](std::int64_t now, double seconds) {
                return what + sweep_line(static_cast<std::size_t>(now), runs, seconds);
            });
        }
        bar_->show(static_cast<std::int64_t>(done), wall);
    }

    bool quiet_, said_ = false;
    std::optional<ProgressBar> bar_;
    std::optional<SignalGuard> signals_;
};

}  // namespace

int sweep_command(const SweepOptions& options, ranks::Ranks& ranks) {
    const std::string output =
        options.output.empty()
            ? std::filesystem::path(options.scenario).stem().concat(".sweep.h5").string()
            : options.output;
    const tasks::SweepRequest request{.scenario = options.scenario,
                                      .vary = options.vary,
                                      .overrides = options.overrides,
                                      .output = output,
                                      .csv = options.csv,
                                      .threads = options.threads,
                                      .force = options.force};
    Terminal terminal(options.quiet);
    if (!ranks.first()) {
        tasks::help_sweep(request, terminal, ranks);
        return 0;
    }
    const tasks::Sweep sweep = tasks::sweep(request, terminal, ranks);
    terminal.clear();
    if (options.json) print_json(sweep.json());
    if (!options.quiet) options.json ? say(sweep.text()) : print(sweep.text());
    if (sweep.table.noted() > 0) {
        say_note(fmt::format("{} of {} runs are noted in the table's column note",
                             sweep.table.noted(), sweep.table.plan().runs()));
    }
    const std::string trouble = sweep.trouble();
    if (!trouble.empty()) throw running::RunError(trouble);
    return 0;
}

}  // namespace beadwave::cli
