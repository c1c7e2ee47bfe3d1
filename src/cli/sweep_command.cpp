#include "beadwave/running/simulation.hpp"
#include "cli/command_line.hpp"
#include "cli/pause_at_step.hpp"
#include "cli/progress_bar.hpp"
#include "cli/signal_guard.hpp"
#include "cli/terminal.hpp"
#include "tasks/sweep.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <mutex>
#include <optional>

namespace beadwave::cli {
namespace {

class SweepDisplay : public tasks::SweepProgressCallback {
  public:
    explicit SweepDisplay(bool quiet) : quiet_(quiet) {}

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
    }
    void entered(std::size_t done) override {
        const std::lock_guard lock(pausing_);
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
    std::mutex pausing_;
    PauseAtStep pause_;
    std::optional<SignalGuard> signals_;
};

}  // namespace

Command sweep_command(CLI::App& app) {
    struct Options {
        tasks::SweepRequest request;
        Display display;
        bool yes = false;
    };
    const auto given = std::make_shared<Options>();
    tasks::SweepRequest& request = given->request;
    Line line(app, "sweep", "Run one scenario with many values and write one table");
    add_scenario(line, request.scenario);
    add_repeated(
        line, "--vary", request.vary, "KEY=VALUES",
        "values of one key, law.psi=2.6:3.0:9 (first:last:count), law.psi=1:100:5:log (equal "
        "ratios) or law.name=hertz,ma-liu; given several times: all combinations are run; several "
        "keys, segment.0.radius,segment.1.radius=1e-3,2e-3, take the same value in each run");
    line.add_option("--members", request.ensemble.members,
                    "an ensemble: so many runs, each with its own disturbance");
    add_repeated(
        line, "--disturb", request.ensemble.disturb, "KEY=DEVIATION",
        "what differs between the members: a normally distributed number with this standard "
        "deviation, in the unit of the key or in %, is added to the key's value");
    line.add_option("--seed", request.ensemble.seed, "seed of the disturbances (default: 0)");
    line.add_option("--over-time", request.over_time,
                    "also keep recorded numbers over time, by their name in the history and the "
                    "number of the item: kinetic_energy,position.1.0")
        .delimiter(',')
        .type_name("NAMES");
    add_set(line, request.overrides);
    line.add_option("-o,--output", request.output,
                    "table, HDF5 (default: name of SCENARIO with .sweep.h5, in the current "
                    "folder)");
    line.add_option("--csv", request.csv,
                    "the same table, CSV (default: name of the HDF5 table with .csv)");
    add_threads(line, request.threads);
    add_overwrite(line, request.overwrite, ", and restart an interrupted sweep");
    add_yes(line, given->yes);
    add_quiet(line, given->display.quiet);
    add_json(line, given->display.json);

    const auto run = [given](ranks::Communicator& ranks) {
        tasks::SweepRequest& wanted = given->request;
        if (wanted.output.empty()) wanted.output = named_after(wanted.scenario, ".sweep.h5");
        SweepDisplay terminal(given->display.quiet);
        terminal.accepts_long_runs = given->yes;
        if (!ranks.first()) {
            tasks::serve_sweep(wanted, terminal, ranks);
            return 0;
        }
        const tasks::Sweep sweep = tasks::sweep(wanted, terminal, ranks);
        terminal.clear();
        print_result(sweep, given->display);
        if (sweep.table.runs_with_warnings() > 0) {
            print_warning(
                fmt::format("{} of {} runs have warnings: see the column warnings of the table",
                            sweep.table.runs_with_warnings(), sweep.table.plan().runs()));
        }
        const std::string failure = sweep.failure();
        if (!failure.empty()) throw running::RunError(failure);
        return 0;
    };
    return {.line = line, .run = run, .shared = true, .inputs = [given] {
                return std::vector<std::string>{given->request.scenario};
            }};
}

}  // namespace beadwave::cli
