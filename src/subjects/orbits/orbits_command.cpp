#include "beadwave/input_error.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/signal_guard.hpp"
#include "cli/terminal.hpp"
#include "subjects/orbits/basins.hpp"
#include "subjects/orbits/orbits.hpp"
#include "subjects/orbits/sections.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

extern "C" {
extern const int beadwave_registered_orbits_command;
const int beadwave_registered_orbits_command = 0;
}

namespace beadwave::cli {
namespace {

/// A signal ends a branch that has a file after its next point; a later call goes on from there.
tasks::BranchResult branch_of(tasks::OrbitRequest wanted, bool quiet) {
    std::string now;
    InterruptGuard callback(!quiet, [&now](std::int64_t points, double wall_seconds) {
        return fmt::format("{} orbits  {}  {:.0f} s", points, now, wall_seconds);
    });
    const auto begin = std::chrono::steady_clock::now();
    wanted.reached = [&](const orbits::BranchPoint& point, std::size_t points) {
        now = fmt::format("{:.6g}, {:.6g} Hz, {}", point.value, point.frequency,
                          point.stability.stable() ? "stable" : "unstable");
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        callback.progress(static_cast<std::int64_t>(points), seconds.count());
    };
    if (!wanted.output.empty()) {
        callback.begin(0, 0.0, 0);
        wanted.stop = [&callback] { return callback.stop(); };
    }
    tasks::BranchResult result = tasks::branch_of(wanted);
    callback.clear();
    return result;
}

/// A signal ends the motions; there is no result then.
tasks::BasinsResult basins_of(tasks::OrbitRequest wanted, bool quiet) {
    InterruptGuard callback(!quiet, [](std::int64_t done, double wall_seconds) {
        return fmt::format("{} starts  {:.0f} s", done, wall_seconds);
    });
    callback.begin(0, 0.0, 0);
    wanted.stop = [&callback] { return callback.stop(); };
    const auto begin = std::chrono::steady_clock::now();
    wanted.running = [&](std::size_t done) {
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        callback.progress(static_cast<std::int64_t>(done), seconds.count());
    };
    tasks::BasinsResult result = tasks::basins_of(wanted);
    callback.clear();
    return result;
}

Command orbit_command(CLI::App& app) {
    struct Options {
        tasks::OrbitRequest request;
        Display display;
        std::optional<std::int64_t> bead{}, mode{}, crossing{};

        /// The request with the numbers of beads. Throws InputError.
        tasks::OrbitRequest complete() const {
            tasks::OrbitRequest all = request;
            const auto number = [](const char* option, std::optional<std::int64_t> value) {
                if (value && *value < 0)
                    throw InputError(
                        fmt::format("{} {}: expected a number from 0", option, *value));
                return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
            };
            all.basins.bead = all.section.bead = number("--bead", bead);
            all.basins.mode = number("--mode", mode);
            all.section.crossing = number("--section", crossing);
            return all;
        }
    };
    const auto given = std::make_shared<Options>();
    const auto print_all = [](const auto& result, const Display& display) {
        for (const std::string& warning : result.warnings)
            print_warning(warning);
        print_result(result, display);
        return 0;
    };
    tasks::OrbitRequest& request = given->request;
    Line line(app, "orbit", "Periodic orbits of a chain, their stability and branches");
    add_scenario(line, request.scenario);
    line.add_option(
        "-o,--output", request.output,
        "file of the orbit, a history of one period, or of the branch (default: none is "
        "written)");
    line.add_option("--run-scenario", request.run_scenario,
                    "scenario that is written for `beadwave run`: that of the orbit, which starts "
                    "at the file of -o")
        .type_name("TOML");
    line.add_option("--frequency", request.frequency,
                    "of the orbit, in Hz; of a driven chain also that of the drive (default: the "
                    "drive's)")
        .type_name("HZ");
    line.add_option(
            "--guess", request.guess,
            "where the search begins: mode:K, a linear mode, numbered from 0; history:FILE, "
            "the last state of a history, or an orbit; zero, the rest of a driven chain "
            "(default: chosen)")
        .type_name("GUESS");
    line.add_option("--which", request.which,
                    "of several orbits of this frequency, in the order in which the search meets "
                    "them: from small amplitudes on, or while the drive grows")
        .type_name("N")
        .range(std::uint64_t{1}, std::uint64_t{100});
    line.add_option("--travelling", request.travelling,
                    "a wave that keeps its shape and is N beads further on after each period, such "
                    "as a solitary wave (1)")
        .type_name("N")
        .range(std::uint64_t{1}, std::uint64_t{1000});
    line.add_option("--steps", request.steps,
                    "the orbit of this number of steps per period (default: extrapolated from "
                    "several numbers, to --accuracy)")
        .type_name("N");
    line.add_option("--accuracy", request.accuracy,
                    "relative change of the state at which the extrapolation ends (default: 1e-9, "
                    "of chains up to 16 beads 1e-11)")
        .type_name("REL")
        .range(1e-14, 1e-2);
    line.add_option("--continue", request.continuation,
                    "the branch of orbits along frequency, or a number of the scenario, with "
                    "its folds and bifurcations")
        .type_name("KEY=FROM:TO");
    line.add_option("--solver", request.solver,
                    "of Newton's method: matrix, with the whole derivative, or krylov, by products "
                    "with it (default: by the size of the chain)")
        .type_name("NAME");
    line.add_option("--switch", request.switch_at,
                    "with --continue, in place of the branch that which leaves it at its "
                    "bifurcation number N, counted from 1: orbits of twice the period, or with "
                    "less symmetry; -N leaves in the opposite direction")
        .type_name("N");
    line.add_option("--points", request.most_points,
                    "largest number of points of a branch (default: 1000)")
        .type_name("N")
        .range(std::uint64_t{2}, std::uint64_t{100'000});
    line.add_flag("--lyapunov", request.lyapunov.wanted,
                  "in place of an orbit the largest Lyapunov exponents of the motion, with their "
                  "standard errors");
    line.add_option("--basins", request.basins.axes,
                    "in place of an orbit the states that the starts of a grid reach, along one or "
                    "two of displacement (m), velocity (m/s), frequency (Hz), drive (times its "
                    "amplitudes)")
        .type_name("AXIS=FROM:TO");
    line.add_option("--grid", request.basins.grid,
                    "with --basins, the number of starts along each axis (default: 24)")
        .type_name("N[,M]");
    line.add_option("--bead", given->bead,
                    "with --basins, the bead that starts displaced; with --poincare, the bead "
                    "whose points are given (default: the middle one)")
        .type_name("N");
    line.add_option("--mode", given->mode,
                    "with --basins, the linear mode along which all beads start displaced, "
                    "numbered from 0")
        .type_name("K");
    line.add_flag("--poincare", request.section.wanted,
                  "in place of an orbit a Poincare section of the motion: displacement and "
                  "velocity of a bead once per period of the drive, or where a bead turns");
    line.add_option("--section", given->crossing,
                    "with --poincare of a chain that nothing drives, the bead whose velocity "
                    "passes zero (default: the next one)")
        .type_name("N");
    line.add_option("--exponents", request.lyapunov.exponents,
                    "with --lyapunov, how many exponents (default: 4)")
        .type_name("N")
        .range(std::uint64_t{1}, std::uint64_t{1000});
    line.add_option(
            "--starts", request.lyapunov.starts,
            "with --lyapunov and --poincare, how many starts, the scenario's own and others "
            "at random (default: 1; with --lyapunov 16 if there is damping)")
        .type_name("N")
        .range(std::uint64_t{1}, std::uint64_t{100'000});
    line.add_option("--periods", request.periods,
                    "periods of the drive after which an orbit repeats (default: 1); with "
                    "--lyapunov, periods of each start (6400 in all); with --poincare, points "
                    "(1000); with --basins, the most until a state has settled (1000)")
        .type_name("N")
        .range(std::uint64_t{1}, std::uint64_t{1'000'000'000});
    line.add_option("--transient", request.lyapunov.transient,
                    "with --lyapunov and --poincare, periods or points of each start before these "
                    "(default: 100); with --basins, before a state is looked at (20)")
        .type_name("N");
    line.add_option("--seed", request.lyapunov.seed,
                    "with --lyapunov and --poincare, seed of the random starts (default: 0)")
        .type_name("N");
    add_threads(line, request.basins.threads);
    add_set(line, request.overrides);
    add_overwrite(line, request.overwrite);
    add_quiet(line, given->display.quiet, "print no summary");
    add_json(line, given->display.json);

    return {.line = line, .run = [given, print_all](ranks::Communicator&) {
                const tasks::OrbitRequest wanted = given->complete();
                if (wanted.lyapunov.wanted)
                    return print_all(tasks::lyapunov_of(wanted), given->display);
                if (!wanted.basins.axes.empty())
                    return print_all(basins_of(wanted, given->display.quiet), given->display);
                if (wanted.section.wanted) {
                    const SignalGuard signals;
                    return print_all(tasks::sections_of(wanted), given->display);
                }
                if (!wanted.continuation.empty())
                    return print_all(branch_of(wanted, given->display.quiet), given->display);
                const tasks::OrbitResult found = tasks::orbit_of(wanted);
                {
                    const SignalGuard signals;  // an interruption leaves no incomplete file
                    tasks::write_orbit(found, wanted);
                }
                return print_all(found, given->display);
            }};
}

const RegisterCommand orbit({.name = "orbit", .add = orbit_command});

}  // namespace
}  // namespace beadwave::cli
