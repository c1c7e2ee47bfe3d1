// Random scenarios, each run with the step that beadwave chooses and with a sixteenth of it: how
// often they differ, and how often without a word. `trust COUNT [FIRST]`, or `trust --print
// NUMBER`; ends with status 1 if a run was silently wrong.

#include "beadwave/input_error.hpp"
#include "beadwave/running/attempts.hpp"
#include "io/scenario/scenario_reader.hpp"
#include "random_scenario.hpp"
#include "running/model.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace beadwave;

/// A difference of more than this in a peak or an energy is wrong.
constexpr double wrong = 0.01;
/// Of the largest peak: smaller ones do not count.
constexpr double negligible = 1e-3;
constexpr double finer = 16.0;
constexpr double most_steps = 1e5;

enum class Verdict { right, mended, warned, needless, silent, failed, refused };
constexpr const char* names[] = {"right",
                                 "mended",
                                 "noted, and wrong",
                                 "noted, though right",
                                 "silently wrong",
                                 "failed with status 1",
                                 "refused with status 2"};

struct Judged {
    Verdict verdict = Verdict::right;
    double difference = 0.0;
    std::string about{};
};

double difference(const running::RunResult& a, const running::RunResult& fine) {
    double force = 0.0, speed = 0.0, worst = 0.0;
    for (const auto& sensor : fine.sensors) {
        force = std::max(force, std::abs(sensor.peak_force));
        speed = std::max(speed, std::abs(sensor.peak_velocity));
    }
    const auto see = [&](double one, double other, double least) {
        const double scale = std::max(std::abs(one), std::abs(other));
        if (scale > least) worst = std::max(worst, std::abs(one - other) / scale);
        if (!std::isfinite(one) || !std::isfinite(other)) worst = INFINITY;
    };
    for (std::size_t s = 0; s < fine.sensors.size(); ++s) {
        see(a.sensors[s].peak_force, fine.sensors[s].peak_force, negligible * force);
        see(std::abs(a.sensors[s].peak_velocity), std::abs(fine.sensors[s].peak_velocity),
            negligible * speed);
    }
    const auto &l = a.ledger, &f = fine.ledger;
    const auto balance = [&](double one, double other) {
        if (f.scale > 0.0) worst = std::max(worst, std::abs(one - other) / f.scale);
        if (!std::isfinite(one) || !std::isfinite(other)) worst = INFINITY;
    };
    balance(l.kinetic, f.kinetic);
    balance(l.stored, f.stored);
    balance(l.dissipated, f.dissipated);
    balance(l.work, f.work);
    return worst;
}

io::ReadScenario read(const validation::RandomScenario& random, double end) {
    std::string text = random.text;
    text.replace(text.find("END"), 3, fmt::format("{:.9g}", end));
    return io::read_scenario_text(text, "random.toml", random.files);
}

Judged judge(std::uint64_t number, bool one = false) {
    const validation::RandomScenario random = validation::random_scenario(number);
    try {
        io::ReadScenario scenario = read(random, 1.0);
        chain::Chain chain = running::build_chain(scenario.scenario);
        const dynamics::TimeStep first = running::choose_time_step(scenario.scenario, chain);
        double end = random.contacts * first.shortest_contact;
        if (!random.files.empty()) end = std::max(end, 3e-3);
        end = std::min(end, most_steps * first.step);
        scenario = read(random, end);
        chain = running::build_chain(scenario.scenario);
        const running::Settings settings = running::settings_of(scenario.scenario);
        const dynamics::TimeStep chosen = running::choose_time_step(scenario.scenario, chain);
        const running::Finished run =
            running::run_chain(chain, settings, {.time_step = chosen}, 1, {});

        const auto plainly = [&](double step) {
            dynamics::TimeStep exact =
                dynamics::with_step(run.attempt.time_step, step, settings.step_request());
            exact.given = true;
            const auto engine = running::make_engine(chain, settings, exact.step, 1);
            return running::simulate(settings, chain, exact, *engine, {});
        };
        const running::RunResult fine = plainly(run.attempt.time_step.step / finer);
        if (one) {
            for (std::size_t s = 0; s < fine.sensors.size(); ++s) {
                const auto &a = run.result.sensors[s], &b = fine.sensors[s];
                fmt::print("{:3} {:14.6g} {:14.6g}  {:14.6g} {:14.6g}  {:12.6g} {:12.6g}\n", s,
                           a.peak_force, b.peak_force, a.peak_velocity, b.peak_velocity,
                           a.peak_force_time, b.peak_force_time);
            }
            const auto &a = run.result.ledger, &b = fine.ledger;
            fmt::print("kinetic {:g} {:g} stored {:g} {:g} dissipated {:g} {:g} work {:g} {:g}\n",
                       a.kinetic, b.kinetic, a.stored, b.stored, a.dissipated, b.dissipated, a.work,
                       b.work);
            fmt::print("end = {} step = {} x {}\n", end, run.attempt.time_step.step,
                       run.attempt.time_step.count);
        }
        Judged judged{.verdict = Verdict::right, .difference = difference(run.result, fine)};
        const bool noted = !run.doubts.empty();
        const bool began_again = !run.attempt.notes.empty();
        judged.about = scenario.scenario.law.name;
        for (const std::string& note : run.notes())
            judged.about += "; " + note;
        if (judged.difference > wrong) {
            judged.verdict = noted ? Verdict::warned : Verdict::silent;
        } else if (noted) {
            judged.verdict = Verdict::needless;
        } else if (began_again) {
            judged.verdict = Verdict::mended;
            try {
                if (difference(plainly(chosen.step), fine) <= wrong)
                    judged.verdict = Verdict::needless;
            } catch (const running::RunError&) {
                // It could not have come to its end.
            }
        }
        return judged;
    } catch (const InputError& error) {
        return {.verdict = Verdict::refused, .about = error.what()};
    } catch (const std::exception& error) {
        return {.verdict = Verdict::failed, .about = error.what()};
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 2 && words[0] == "--print") {
        const auto random = validation::random_scenario(std::stoull(words[1]));
        fmt::print("{}", random.text);
        for (const auto& [key, text] : random.files)
            fmt::print("# {}:\n{}", key, text);
        return 0;
    }
    if (words.size() == 2 && words[0] == "--one") {
        const Judged judged = judge(std::stoull(words[1]), true);
        fmt::print("{} ({:.2g}): {}\n", names[static_cast<int>(judged.verdict)], judged.difference,
                   judged.about);
        return 0;
    }
    const std::uint64_t count = words.empty() ? 1000 : std::stoull(words[0]);
    const std::uint64_t first = words.size() > 1 ? std::stoull(words[1]) : 0;
    std::vector<Judged> judged(count);
#pragma omp parallel for schedule(dynamic)
    for (std::uint64_t i = 0; i < count; ++i)
        judged[i] = judge(first + i);

    std::map<Verdict, std::size_t> counts;
    std::vector<double> differences;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Judged& one = judged[i];
        ++counts[one.verdict];
        if (one.verdict != Verdict::failed && one.verdict != Verdict::refused)
            differences.push_back(one.difference);
        const bool shown = one.verdict != Verdict::right && one.verdict != Verdict::mended &&
                           one.verdict != Verdict::refused;
        if (shown || (words.size() > 2 && words[2] == "--all")) {
            fmt::print("  {}: {} ({:.2g}): {}\n", first + i, names[static_cast<int>(one.verdict)],
                       one.difference, one.about);
        }
    }
    std::ranges::sort(differences);
    fmt::print("{} random scenarios\n", count);
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
    return counts[Verdict::silent] > 0 ? 1 : 0;
}
