#include "subjects/orbits/prepared.hpp"

#include "beadwave/input_error.hpp"
#include "subjects/orbits/guess_file.hpp"
#include "subjects/orbits/motion_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace beadwave::tasks {
namespace {

orbits::Method method_of(const OrbitRequest& request) {
    if (request.solver.empty()) return orbits::Method::by_size;
    if (request.solver == "matrix") return orbits::Method::matrix;
    if (request.solver == "krylov" && request.travelling == 0) return orbits::Method::products;
    throw InputError(
        fmt::format("--solver {}: expected matrix, or krylov, which is not for "
                    "--travelling",
                    shortened(request.solver)));
}

void check_steps(const OrbitRequest& request) {
    if (request.steps != 0 && (request.steps < 8 || request.steps % 2 != 0)) {
        throw InputError(fmt::format(
            "--steps {}: expected an even number from 8, the steps of one period", request.steps));
    }
}

}  // namespace

std::unique_ptr<jobs::Job> read_chain(const jobs::JobFile& file, const OrbitRequest& request,
                                      const std::vector<std::string>& settings) {
    const stepping::TimeStep unused{
        .step = 1.0, .count = 1, .shortest_contact = 0.0, .largest_speed = 0.0, .given = true};
    try {
        auto job = file.variant(settings, &unused);
        chain_job(*job, request.scenario);
        return job;
    } catch (const InputError& error) {
        // Variants of a file are usually those of a sweep.
        const std::string_view why = error.what(), option = "--vary ";
        if (!why.starts_with(option)) throw;
        throw InputError(fmt::format("--continue {}", why.substr(option.size())));
    }
}

const jobs::ChainJob& chain_job(const jobs::Job& job, const std::string& name) {
    const auto* const chain = dynamic_cast<const jobs::ChainJob*>(&job);
    if (chain == nullptr) {
        throw InputError(
            fmt::format("{}: is no chain; orbits are computed of chains (beads in a "
                        "row, [[segment]])",
                        name));
    }
    return *chain;
}

void refuse_lyapunov_options(const OrbitRequest& request) {
    const LyapunovOptions& given = request.lyapunov;
    const char* const option = given.exponents > 0 ? "--exponents"
                               : given.starts > 0  ? "--starts"
                               : given.transient   ? "--transient"
                               : given.seed > 0    ? "--seed"
                                                   : nullptr;
    if (option != nullptr) {
        throw InputError(fmt::format("{} is for {}", option,
                                     given.exponents > 0
                                         ? "exponents; expected --lyapunov with it"
                                         : "motions; expected --lyapunov, --poincare or --basins "
                                           "with it"));
    }
    refuse_motion_options(request);
}

void refuse_output(const OrbitRequest& request, const char* option) {
    if (request.output.empty()) return;
    throw InputError(fmt::format("-o {}: is for an orbit or a branch, not for {}; expected --json",
                                 request.output, option));
}

void refuse_run_scenario(const OrbitRequest& request) {
    if (request.run_scenario.empty()) return;
    throw InputError(fmt::format(
        "--run-scenario {}: is for one orbit; expected it without --continue, --lyapunov, "
        "--poincare and --basins",
        request.run_scenario));
}

void refuse_jump(const OrbitRequest& request) {
    throw InputError(fmt::format(
        "{}: law.name: contacts open and close in this motion, where the force of this law jumps, "
        "so that the motion has no derivative of the steps; expected a law without a jump, such as "
        "hertz, or a motion in which contacts stay closed",
        request.scenario));
}

std::optional<std::size_t> mode_of(const OrbitRequest& request, bool driven) {
    const std::string& guess = request.guess;
    if (guess.empty() || guess == "zero") {
        if (guess == "zero" && !driven) {
            throw InputError(fmt::format(
                "{}: --guess zero: nothing drives the chain, whose orbit near zero is rest; "
                "expected --guess mode:K, a linear mode",
                request.scenario));
        }
        return std::nullopt;
    }
    if (has_state(request)) return std::nullopt;
    const std::string prefix = "mode:";
    std::size_t mode = 0;
    const char* const begin = guess.data() + std::min(prefix.size(), guess.size());
    const char* const end = guess.data() + guess.size();
    const auto read = std::from_chars(begin, end, mode);
    if (!guess.starts_with(prefix) || read.ec != std::errc() || read.ptr != end) {
        throw InputError(
            fmt::format("--guess {}: expected mode:K, K from 0 (`beadwave modes` lists them), "
                        "history:FILE or zero",
                        shortened(guess)));
    }
    if (driven) {
        throw InputError(fmt::format(
            "{}: --guess {}: the chain is driven; its orbits have the period of the drive and are "
            "found from --guess zero",
            request.scenario, guess));
    }
    return mode;
}

double frequency_of(const OrbitRequest& request, const orbits::PeriodMap& map) {
    if (!request.frequency) {
        if (map.driven()) return map.drive_frequency();
        throw InputError(
            fmt::format("{}: --frequency is missing, and nothing drives the chain; expected the "
                        "frequency of the orbit in Hz",
                        request.scenario));
    }
    if (!(*request.frequency > 0.0) || !std::isfinite(*request.frequency)) {
        throw InputError(
            fmt::format("--frequency {:g}: expected a number above 0, in Hz", *request.frequency));
    }
    return *request.frequency;
}

Prepared::Prepared(const jobs::Job& any, const OrbitRequest& request)
    : job(chain_job(any, request.scenario)),
      chain(job.system()),
      map(std::make_shared<orbits::PeriodMap>(chain, request.scenario)) {
    check_steps(request);
}

orbits::Search Prepared::search(const OrbitRequest& request, double frequency) const {
    orbits::Search search{.map = map,
                          .chain = chain,
                          .name = request.scenario,
                          .frequency = frequency,
                          .mode = mode_of(request, map->driven()),
                          .which = request.which,
                          .stop = request.stop};
    search.cell = request.travelling;
    search.method = method_of(request);
    search.periods = std::max<std::uint64_t>(request.periods, 1);
    if (search.periods > 1 && (!map->driven() || search.cell > 0)) {
        throw InputError(fmt::format(
            "{}: --periods {}: is for orbits of a driven chain, which repeat after so many periods "
            "of the drive; expected --periods with a drive, or with --lyapunov",
            request.scenario, search.periods));
    }
    if (search.periods > 1 && request.which != 1) {
        throw InputError(
            "--which is not for --periods, whose search begins where a run from rest leads; "
            "expected --guess history:FILE, or none");
    }
    if (search.cell > 0 && (search.mode || request.which != 1)) {
        throw InputError(fmt::format(
            "{} is for orbits, not for --travelling, whose search begins at the pulse of a struck "
            "end; expected --guess history:FILE, or none",
            search.mode ? "--guess " + request.guess : "--which"));
    }
    if (has_state(request)) {
        if (request.which != 1) {
            throw InputError(
                "--which is not for --guess history:FILE, near which there is one orbit; expected "
                "one of the two");
        }
        search.near = read_guess(*this, request, orbits::search_steps(map->freedoms()));
    }
    return search;
}

std::vector<std::size_t> Prepared::beads() const {
    std::vector<std::size_t> all;
    for (const std::size_t body : map->body()) {
        all.push_back(body < chain.beads() ? body
                                           : chain.elements.resonators[body - chain.beads()].bead);
    }
    return all;
}

}  // namespace beadwave::tasks
