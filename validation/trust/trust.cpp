// Runs random scenarios with the step that beadwave chooses and with a sixteenth of it. Counts how
// often the results differ, and how often they differ without a warning. Usage: `trust COUNT
// [FIRST]`, `trust --print NUMBER` or `trust --one NUMBER`; with `--packings` first, packings
// instead of chains; with `--overlaps` first, packings that overlap deeply. The exit status is 1 if
// a run was silently wrong, restarted more often than five times, or failed; spheres that pass
// through each other must fail.

#include "beadwave/input_error.hpp"
#include "beadwave/running/step_trials.hpp"
#include "packing_system/packing_simulation.hpp"
#include "random_scenario.hpp"
#include "running/chain_system.hpp"
#include "running/step_loop.hpp"
#include "subjects/chain/chain_reader.hpp"
#include "subjects/packing/packing_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace beadwave;

/// A difference of more than this in a peak or an energy is wrong.
constexpr double wrong = 0.01;
/// Relative to the largest peak. Smaller peaks do not count.
constexpr double negligible = 1e-3;
/// Relative to the energy. The speeds of a system that is at rest except for rounding do not count.
constexpr double rounding = 1e-24;
/// Work and losses below this part of the energy are rounding of the ledger.
constexpr double rounding_of_ledger = 1e-16;
constexpr double finer = 16.0;
constexpr double most_steps = 1e5;
constexpr std::size_t most_restarts = 5;

enum class Verdict { right, restarted, warned, needless, silent, passed, failed, refused };
constexpr const char* names[] = {"right",
                                 "right after a restart",
                                 "warned, and wrong",
                                 "warned, though right",
                                 "silently wrong",
                                 "failed with status 1: a centre inside another body",
                                 "failed with status 1",
                                 "refused with status 2"};

struct Judgement {
    Verdict verdict = Verdict::right;
    double difference = 0.0;
    std::size_t restarts = 0;  ///< with shorter steps
    std::string about{};
};

/// The numbers of a run that are compared.
struct Numbers {
    std::vector<double> forces, speeds;  ///< peaks of each sensor
    double largest_force = 0.0;          ///< of a single contact, if known
    std::vector<double> energies;
    double energy_scale = 0.0;
    double motion = 0.0;  ///< energy that moved at all
};

double beyond_rounding(double part, double scale) {
    return std::abs(part) > rounding_of_ledger * scale ? std::abs(part) : 0.0;
}

double difference(const Numbers& a, const Numbers& fine) {
    double worst = 0.0;
    const auto compare = [&](double one, double other, double least, double scale) {
        if (scale > least) worst = std::max(worst, std::abs(one - other) / scale);
        if (!std::isfinite(one) || !std::isfinite(other)) worst = INFINITY;
    };
    const auto peaks = [&](const std::vector<double>& some, const std::vector<double>& others,
                           double largest) {
        if (!others.empty()) largest = std::max(largest, std::ranges::max(others));
        for (std::size_t i = 0; i < others.size(); ++i)
            compare(some[i], others[i], negligible * largest, std::max(some[i], others[i]));
    };
    peaks(a.forces, fine.forces, fine.largest_force);
    if (fine.motion > rounding * fine.energy_scale) peaks(a.speeds, fine.speeds, 0.0);
    for (std::size_t i = 0; i < fine.energies.size(); ++i)
        compare(a.energies[i], fine.energies[i], 0.0, fine.energy_scale);
    return worst;
}

/// A run restarted with a step so short that it cannot reach its end.
struct OutOfReach {
    double step;  ///< [s]
};

void check_length(const running::StepTrial& trial) {
    constexpr double longer = 20.0;
    const stepping::TimeStep& step = trial.time_step;
    if (!step.given && static_cast<double>(step.count) > longer * most_steps)
        throw OutOfReach{step.step};
}

struct Chains {
    static constexpr const char* what = "chains";
    static constexpr bool may_fail = false;
    chain::Scenario scenario;
    chain::Chain chain;

    static validation::RandomScenario random(std::uint64_t number) {
        return validation::random_chain(number);
    }
    Chains(const std::string& text, const std::map<std::string, std::string>& files)
        : scenario(io::read_scenario_text(text, "random.toml", files).scenario),
          chain(running::build_chain(scenario)) {}

    running::Finished run(const running::Settings& settings,
                          const running::StepTrial& first) const {
        return running::run_chain(chain, settings, first, 1,
                                  [this](const running::StepTrial& trial, running::System&) {
                                      restarts = trial.warnings.size();
                                      check_length(trial);
                                      return running::Callbacks{};
                                  });
    }
    mutable std::size_t restarts = 0;
    stepping::TimeStep choose() const { return running::choose_time_step(scenario, chain); }

    Numbers numbers(const running::RunResult& result) const {
        const auto& l = result.ledger;
        Numbers n{.forces = {},
                  .speeds = {},
                  .energies = {l.kinetic, l.stored, l.dissipated, l.external_work},
                  .energy_scale = l.scale,
                  .motion = l.kinetic + beyond_rounding(l.dissipated, l.scale) +
                            beyond_rounding(l.external_work, l.scale)};
        for (const auto& sensor : result.sensors) {
            n.forces.push_back(std::abs(sensor.peak_force));
            n.speeds.push_back(std::abs(sensor.peak_velocity));
        }
        return n;
    }
};

struct Packings {
    static constexpr const char* what = "packings";
    static constexpr bool may_fail = false;
    packing::Scenario scenario;
    packing::Packing packing;

    static validation::RandomScenario random(std::uint64_t number) {
        return validation::random_packing(number);
    }
    Packings(const std::string& text, const std::map<std::string, std::string>& files)
        : scenario(io::read_packing_text(text, "random.toml", files).scenario),
          packing(packing::build_packing(scenario)) {}

    /// Sensors show the sum of a particle's contact forces. Compared with the single forces it may
    /// be close to zero.
    running::PackingFinished run(const running::Settings& settings,
                                 const running::StepTrial& first) const {
        running::Settings sampled = settings;
        sampled.snapshot_interval = settings.end / 50.0;
        std::optional<running::SinkStore> store;
        running::Sinks sinks;
        sinks.snapshot = [this](std::int64_t, double, running::System& system) {
            const auto& now = static_cast<running::SteppedPacking&>(system).engine();
            for (const packing::ContactState& contact : now.contacts()) {
                const packing::Vec3 force = contact.normal_force;
                largest_force = std::max(largest_force, std::sqrt(dot(force, force)));
            }
        };
        return running::run_packing(
            packing, sampled, first, 1,
            [this, &store, &sinks](const running::StepTrial& trial, running::System& system) {
                restarts = trial.warnings.size();
                check_length(trial);
                largest_force = 0.0;
                return running::Callbacks{.store = &store.emplace(system, sinks)};
            });
    }
    mutable double largest_force = 0.0;
    mutable std::size_t restarts = 0;
    stepping::TimeStep choose() const { return running::choose_time_step(scenario, packing); }

    Numbers numbers(const running::PackingResult& result) const {
        const auto& l = result.ledger;
        Numbers n{
            .forces = {},
            .speeds = {},
            .energies = {l.translational, l.rotational, l.stored, l.normal_dissipation,
                         l.friction_dissipation + l.rolling_dissipation, l.external_work},
            .energy_scale = l.scale,
            .motion = l.kinetic + beyond_rounding(l.normal_dissipation, l.scale) +
                      beyond_rounding(l.friction_dissipation + l.rolling_dissipation, l.scale) +
                      beyond_rounding(l.external_work, l.scale)};
        n.largest_force = largest_force;
        for (const auto& sensor : result.sensors) {
            n.forces.push_back(sensor.peak_force);
            n.speeds.push_back(sensor.peak_velocity);
        }
        return n;
    }
};

/// Spheres that pass through each other must fail, and so do laws that are not finite that deep.
struct Overlaps : Packings {
    using Packings::Packings;
    static constexpr const char* what = "overlapping packings";
    static constexpr bool may_fail = true;

    static validation::RandomScenario random(std::uint64_t number) {
        return validation::random_overlap(number);
    }
};

void print(const Numbers& a, const Numbers& fine) {
    for (std::size_t s = 0; s < a.forces.size(); ++s) {
        fmt::print("{:3} {:14.6g} {:14.6g}  {:14.6g} {:14.6g}\n", s, a.forces[s], fine.forces[s],
                   a.speeds[s], fine.speeds[s]);
    }
    fmt::print("energies");
    for (std::size_t k = 0; k < a.energies.size(); ++k)
        fmt::print("  {:g} {:g}", a.energies[k], fine.energies[k]);
    fmt::print("\n");
}

template <class Kind>
Judgement judge(std::uint64_t number, bool one = false) {
    const validation::RandomScenario random = Kind::random(number);
    const auto lasting = [&](double end) {
        std::string text = random.text;
        text.replace(text.find("END"), 3, fmt::format("{:.9g}", end));
        return Kind(text, random.files);
    };
    std::size_t restarts = 0;
    std::optional<Kind> held;
    try {
        const stepping::TimeStep first = lasting(1.0).choose();
        double end = random.wait + random.contacts * first.shortest_contact;
        const auto moves = [](const auto& file) { return file.first.ends_with(".file"); };
        if (std::ranges::any_of(random.files, moves)) end = std::max(end, 3e-3);
        end = std::min(end, most_steps * first.step);
        std::optional<decltype(held->run({}, {}))> ended;
        stepping::TimeStep chosen{};
        while (!ended) {
            held.emplace(lasting(end));
            chosen = held->choose();
            try {
                ended = held->run(running::settings_of(held->scenario), {.time_step = chosen});
            } catch (const OutOfReach& so_short) {
                restarts = std::max(restarts, held->restarts);
                end = most_steps * so_short.step;
            }
        }
        restarts = std::max(restarts, held->restarts);
        const Kind& kind = *held;
        const auto settings = running::settings_of(kind.scenario);
        const auto& run = *ended;

        const auto plainly = [&](double step) {
            stepping::TimeStep exact =
                stepping::with_step(run.trial.time_step, step, settings.step_request());
            exact.given = true;
            return kind.numbers(kind.run(settings, {.time_step = exact}).result);
        };
        const bool warned = !run.diagnostics.empty();
        const bool restarted = !run.trial.warnings.empty();
        Judgement judged{.verdict = Verdict::right,
                         .restarts = restarts,
                         .about = std::string(kind.scenario.law.name)};
        for (const std::string& warning : run.warnings())
            judged.about += "; " + warning;
        Numbers fine;
        try {
            fine = plainly(run.trial.time_step.step / finer);
        } catch (const running::RunError& error) {
            if (!Kind::may_fail) throw;
            judged.verdict = warned ? Verdict::warned : Verdict::silent;
            judged.difference = INFINITY;
            judged.about += std::string("; at a sixteenth of the step: ") + error.what();
            return judged;
        }
        const Numbers found = kind.numbers(run.result);
        if (one) {
            print(found, fine);
            fmt::print("end = {} step = {} x {}\n", end, run.trial.time_step.step,
                       run.trial.time_step.count);
        }
        judged.difference = difference(found, fine);
        if (judged.difference > wrong) {
            judged.verdict = warned ? Verdict::warned : Verdict::silent;
        } else if (warned) {
            judged.verdict = Verdict::needless;
        } else if (restarted) {
            judged.verdict = Verdict::restarted;
            try {
                if (difference(plainly(chosen.step), fine) <= wrong)
                    judged.verdict = Verdict::needless;
            } catch (const running::RunError&) {
                // With the first step the run would have failed.
            }
        }
        return judged;
    } catch (const InputError& error) {
        return {.verdict = Verdict::refused, .about = error.what()};
    } catch (const std::exception& error) {
        const std::string about = error.what();
        const bool passed = Kind::may_fail && about.find("inside the other body") != about.npos;
        if (held) restarts = std::max(restarts, held->restarts);
        return {.verdict = passed ? Verdict::passed : Verdict::failed,
                .restarts = restarts,
                .about = about};
    }
}

/// True if no run was silently wrong, none failed, and none restarted too often. Every scenario
/// that is not refused must run.
template <class Kind>
bool campaign(std::uint64_t count, std::uint64_t first, bool all) {
    std::vector<Judgement> judged(count);
    std::atomic<std::uint64_t> next = 0;
    const auto judge_some = [&] {
        for (std::uint64_t i = next++; i < count; i = next++)
            judged[i] = judge<Kind>(first + i);
    };
    {
        // No threads of OpenMP: the engines' regions of one thread would be slow within theirs.
        std::vector<std::jthread> others;
        for (unsigned k = 1; k < std::thread::hardware_concurrency(); ++k)
            others.emplace_back(judge_some);
        judge_some();
    }

    std::map<Verdict, std::size_t> counts;
    std::vector<double> differences;
    std::size_t restarts = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Judgement& one = judged[i];
        ++counts[one.verdict];
        const bool ended = one.verdict != Verdict::failed && one.verdict != Verdict::passed &&
                           one.verdict != Verdict::refused;
        if (ended) differences.push_back(one.difference);
        restarts = std::max(restarts, one.restarts);
        const bool shown = one.verdict != Verdict::right && one.verdict != Verdict::restarted &&
                           one.verdict != Verdict::passed && one.verdict != Verdict::refused;
        if (shown || all || one.restarts > most_restarts) {
            fmt::print("  {}: {} ({:.2g}): {}\n", first + i, names[static_cast<int>(one.verdict)],
                       one.difference, one.about);
        }
    }
    std::ranges::sort(differences);
    fmt::print("{} random {}\n", count, Kind::what);
    for (const auto& [verdict, number] : counts)
        fmt::print("{:>8}  {}\n", number, names[static_cast<int>(verdict)]);
    if (!differences.empty()) {
        const auto at = [&](double part) {
            return differences[static_cast<std::size_t>(
                part * static_cast<double>(differences.size() - 1))];
        };
        fmt::print(
            "difference to a sixteenth of the step: median {:.1e}, nine in ten below {:.1e}, "
            "99 in 100 below {:.1e}, largest {:.1e}\n",
            at(0.5), at(0.9), at(0.99), at(1.0));
    }
    fmt::print("restarts of one run: at most {}\n", restarts);
    return counts[Verdict::silent] == 0 && counts[Verdict::failed] == 0 &&
           restarts <= most_restarts;
}

template <class Kind>
int run_command(const std::vector<std::string>& words) {
    if (words.size() == 2 && words[0] == "--print") {
        const auto random = Kind::random(std::stoull(words[1]));
        fmt::print("{}", random.text);
        for (const auto& [key, text] : random.files)
            fmt::print("# {}:\n{}", key, text);
        return 0;
    }
    if (words.size() == 2 && words[0] == "--one") {
        const Judgement judged = judge<Kind>(std::stoull(words[1]), true);
        fmt::print("{} ({:.2g}): {}\n", names[static_cast<int>(judged.verdict)], judged.difference,
                   judged.about);
        return 0;
    }
    const std::uint64_t count = words.empty() ? 1000 : std::stoull(words[0]);
    const std::uint64_t first = words.size() > 1 ? std::stoull(words[1]) : 0;
    return campaign<Kind>(count, first, words.size() > 2 && words[2] == "--all") ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    const std::string kind = words.empty() ? "" : words[0];
    if (kind != "--packings" && kind != "--overlaps") return run_command<Chains>(words);
    words.erase(words.begin());
    return kind == "--packings" ? run_command<Packings>(words) : run_command<Overlaps>(words);
}
