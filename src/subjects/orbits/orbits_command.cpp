#include "cli/command_line.hpp"
#include "cli/signal_guard.hpp"
#include "cli/terminal.hpp"
#include "subjects/orbits/orbits.hpp"

#include <nlohmann/json.hpp>

#include <memory>

extern "C" {
extern const int beadwave_registered_orbits_command;
const int beadwave_registered_orbits_command = 0;
}

namespace beadwave::cli {
namespace {

Command orbit_command(CLI::App& app) {
    struct Options {
        tasks::OrbitRequest request;
        Display display;
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
    line.add_option("-o,--output", request.output,
                    "file of the orbit, a history of one period (default: none is written)");
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
    line.add_option("--exponents", request.lyapunov.exponents,
                    "with --lyapunov, how many exponents (default: 4)")
        .type_name("N")
        .range(std::uint64_t{1}, std::uint64_t{1000});
    line.add_option("--starts", request.lyapunov.starts,
                    "with --lyapunov, how many starts are averaged, the scenario's own and others "
                    "at random (default: 16 if there is damping, otherwise 1)")
        .type_name("N")
        .range(std::uint64_t{1}, std::uint64_t{100'000});
    line.add_option("--periods", request.periods,
                    "periods of the drive after which an orbit repeats (default: 1); with "
                    "--lyapunov, periods of each start (default: 6400 in all)")
        .type_name("N")
        .range(std::uint64_t{1}, std::uint64_t{1'000'000'000});
    line.add_option("--transient", request.lyapunov.transient,
                    "with --lyapunov, periods of each start before these (default: 100)")
        .type_name("N");
    line.add_option("--seed", request.lyapunov.seed,
                    "with --lyapunov, seed of the random starts (default: 0)")
        .type_name("N");
    add_set(line, request.overrides);
    add_overwrite(line, request.overwrite);
    add_quiet(line, given->display.quiet, "print no summary");
    add_json(line, given->display.json);

    return {.line = line, .run = [given, print_all](ranks::Communicator&) {
                const tasks::OrbitRequest& wanted = given->request;
                if (wanted.lyapunov.wanted)
                    return print_all(tasks::lyapunov_of(wanted), given->display);
                if (!wanted.continuation.empty())
                    return print_all(tasks::branch_of(wanted), given->display);
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
