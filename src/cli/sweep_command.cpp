#include "beadwave/running/simulation.hpp"
#include "cli/commands.hpp"
#include "cli/pause_at_step.hpp"
#include "cli/progress_bar.hpp"
#include "cli/signal_guard.hpp"
#include "cli/terminal.hpp"
#include "tasks/sweep.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

namespace beadwave::cli {
namespace {

class Terminal : public tasks::SweepProgressCallback {
  public:
    explicit Terminal(bool quiet) : quiet_(quiet) {}

    /// A signal while runs are checked ends the program at once: nothing is lost.
    void begin(std::int64_t /*runs*/, double, std::size_t) override {
        bar_.reset();
        signals_.emplace();
    }
    bool stop() override { return interrupted(); }
    void warn(const std::string& warning) override {
        bar_.reset();
        print_warning(warning);
    }
    void hint(const std::string& warning) override {
        if (!quiet_) warn(warning);
    }
    void checking(std::size_t done, std::size_t runs, double wall) override {
        show("checking ", done, runs, wall);
        // One line if there is no terminal.
        if (quiet_ || reported_ || bar_->shown() || wall < 2.0) return;
        reported_ = true;
        print_to_stderr(
            fmt::format("beadwave: checking {} runs before the first one starts; {} are checked\n",
                        runs, done));
    }
    void running(std::size_t done, std::size_t runs, double wall) override {
        show("", done, runs, wall);
        pause_.reached(static_cast<std::int64_t>(done));
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

    bool quiet_, reported_ = false;
    std::optional<ProgressBar> bar_;
    PauseAtStep pause_;
    std::optional<SignalGuard> signals_;
};

}  // namespace

int sweep_command(const SweepOptions& options, ranks::Communicator& ranks) {
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
                                      .overwrite = options.overwrite};
    Terminal terminal(options.quiet);
    if (!ranks.first()) {
        tasks::serve_sweep(request, terminal, ranks);
        return 0;
    }
    const tasks::Sweep sweep = tasks::sweep(request, terminal, ranks);
    terminal.clear();
    if (options.json) print_json(sweep.json());
    if (!options.quiet) options.json ? print_to_stderr(sweep.text()) : print(sweep.text());
    if (sweep.table.runs_with_warnings() > 0) {
        print_warning(
            fmt::format("{} of {} runs have warnings: see the column warnings of the table",
                        sweep.table.runs_with_warnings(), sweep.table.plan().runs()));
    }
    const std::string failure = sweep.failure();
    if (!failure.empty()) throw running::RunError(failure);
    return 0;
}

}  // namespace beadwave::cli
