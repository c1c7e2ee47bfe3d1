// Bead-steps per second of the engines, with every contact active and no tile asleep.
//
//     hertz/PROGRAM/BEADS/THREADS    law/PROGRAM/NAME (100,000 beads, one thread)
//     sensor/hertz/BEADS (tiled, one thread, one sensor)
//     derivatives/NAME/COUNT (70 beads with COUNT derivatives)
//     watched/NAME/BEADS (cost of monitoring the contacts' slopes, relative to the time without)
//     carried/NAME/BEADS (disordered chain whose beads all carry NAME: speed over that without)
//     totals/NAME/BEADS/THREADS (the sums of the energy ledger, in steps of the chain)
//     limit/arithmetic, limit/memory
//
// PROGRAM: baseline (hand-written), plain, tiled, avx2 (tiled, without AVX-512), columns (tiled,
// parameters that differ from contact to contact).

#include "arithmetic_limit.hpp"
#include "baseline_program.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "chain/build_chain.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "tangent/tangent_engine.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

namespace beadwave::bench {
namespace {

constexpr double time_step = 1e-8;     // s
constexpr double compression = 20.0;   // N
constexpr double bead_mass = 0.45e-3;  // kg

/// Stiffness K and overlap of the chain below.
double stiffness() {
    return 4.0 / 3.0 * (193e9 / (2.0 * 0.91)) * std::sqrt(1.19e-3);
}
double overlap() {
    return std::pow(compression / stiffness(), 2.0 / 3.0);
}

enum class Program { baseline, plain, tiled, avx2, columns };

const char* name_of(Program program) {
    constexpr const char* names[] = {"baseline", "plain", "tiled", "avx2", "columns"};
    return names[static_cast<int>(program)];
}

/// What every bead of a chain carries, or every contact.
enum class Carried { resonators, dashpots, foundations, bonds, pairs };

const char* name_of(Carried carried) {
    constexpr const char* names[] = {"resonators", "dashpots", "foundations", "bonds", "pairs"};
    return names[static_cast<int>(carried)];
}

std::unique_ptr<dynamics::Engine> make_engine(Program program, const chain::Chain& chain,
                                              int threads) {
    if (program == Program::plain) return dynamics::make_plain_engine(chain, time_step);
    const auto sets = simd::instruction_sets();
    const auto set = std::ranges::find_if(sets, [&](const auto& s) {
        return program != Program::avx2 || s.target != simd::Target::avx512;
    });
    return dynamics::make_tiled_engine(chain, time_step, threads, {.sleep = false}, *set);
}

/// Steel beads squeezed together; the first one moves.
chain::Chain compressed_chain(std::int64_t beads, const std::string& law_name, bool alike) {
    chain::Scenario scenario;
    scenario.materials["steel"] = {
        .elasticity = {.youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6},
        .density = {}};
    chain::Segment segment;
    segment.beads = 1;
    segment.radius = 2.38e-3;
    segment.mass = bead_mass;
    segment.material = "steel";
    segment.velocity = 0.1;
    scenario.segments.push_back(segment);
    segment.beads = beads - 1;
    segment.velocity = 0.0;
    if (!alike) segment.disorder = 1e-3;
    scenario.segments.push_back(segment);
    const laws::Entry* const entry = laws::find(law_name);
    scenario.law.name = entry->name;
    for (const laws::Parameter& p : entry->parameters) {
        if (p.standard) scenario.law.values.emplace(p.name, *p.standard);
        if (!p.standard_word.empty())
            scenario.law.values.emplace(p.name, std::string(p.standard_word));
        if (p.required()) scenario.law.values.emplace(p.name, 0.65);
    }
    scenario.precompression = compression;
    scenario.origin = scenario::Origin("bench");
    return chain::build_chain(scenario);
}

/// Enough steps for a call of about 20 ms, or the number of steps between two checks of a run.
std::int64_t steps_for(std::int64_t beads) {
    return std::max<std::int64_t>(20'000'000 / beads, 248);
}

void count(benchmark::State& state, std::int64_t beads, std::int64_t steps) {
    state.counters["bead-steps/s"] = benchmark::Counter(
        static_cast<double>(beads * steps), benchmark::Counter::kIsIterationInvariantRate);
}

void run_engine(benchmark::State& state, Program program, std::int64_t beads, int threads,
                const std::string& law) {
    const std::int64_t steps = steps_for(beads);
    if (program == Program::baseline) {
        BaselineProgram chain(static_cast<std::size_t>(beads), stiffness(), bead_mass, overlap(),
                              time_step);
        for (auto _ : state)
            chain.advance(steps);
    } else {
        const chain::Chain chain = compressed_chain(beads, law, program != Program::columns);
        const auto engine = make_engine(program, chain, threads);
        dynamics::SensorTrace none;
        for (auto _ : state)
            engine->advance(steps, none);
    }
    count(state, beads, steps);
}

void run_sensor(benchmark::State& state, std::int64_t beads) {
    const std::int64_t steps = steps_for(beads);
    const auto engine = make_engine(Program::tiled, compressed_chain(beads, "hertz", true), 1);
    dynamics::SensorTrace trace{
        .beads = {static_cast<std::size_t>(beads / 2)}, .force = {}, .velocity = {}};
    for (auto _ : state)
        engine->advance(steps, trace);
    count(state, beads, steps);
}

/// A compressed chain whose beads carry `what`.
chain::Chain carrying_chain(std::int64_t beads, const std::string& what) {
    chain::Chain chain = compressed_chain(beads, "hertz", true);
    const bool all = what == "everything";
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        const chain::Spring spring{.stiffness = 4e6, .damping = 1.0};
        if (all || what == "foundations") chain.elements.foundations.push_back({i, spring});
        if (all || what == "resonators")
            chain.elements.resonators.push_back({i, bead_mass, spring});
        if (i > 0 && (all || what == "bonds"))
            chain.elements.bonds.push_back({.contact = i, .stiffness = 4e6, .damping = 1.0});
    }
    if (all || what == "pair-forces") {
        chain.elements.pair_forces.push_back({.first = 0,
                                              .last = chain.beads() - 1,
                                              .law = laws::PairLaw(5e-3, 4.0),
                                              .force = 1.0,
                                              .neighbours = 4});
    }
    if (all) chain.elements.loads.push_back({1, stepping::ForceSignal::sine(1e4, 1.0)});
    return chain;
}

constexpr std::int64_t beads_of_fit = 70;

void run_carrying(benchmark::State& state, const std::string& what) {
    const std::int64_t steps = steps_for(beads_of_fit);
    const auto engine = make_engine(Program::tiled, carrying_chain(beads_of_fit, what), 1);
    dynamics::SensorTrace none;
    for (auto _ : state)
        engine->advance(steps, none);
    count(state, beads_of_fit, steps);
}

/// Along the speed of bead 0; all directions cost the same time.
void run_derivatives(benchmark::State& state, std::size_t count_of_them,
                     const chain::Chain& chain) {
    const std::int64_t steps = steps_for(beads_of_fit);
    dynamics::ChainNumbers faster(chain);
    faster.clear();
    faster.velocity[0] = 1.0;
    const std::vector<dynamics::ChainNumbers> changes(count_of_them, faster);
    dynamics::TangentEngine engine(chain, time_step, changes);
    for (auto _ : state)
        engine.advance(steps);
    count(state, beads_of_fit, steps);
}

/// Two engines of the same chain alternately, one of which monitors the slopes: the median ratio.
void run_watched(benchmark::State& state, std::int64_t beads, const std::string& law) {
    // Slopes are evaluated at fixed steps; a call has a whole number of their intervals.
    const std::int64_t steps = (steps_for(beads) + 247) / 248 * 248;
    const chain::Chain chain = compressed_chain(beads, law, true);
    const auto plain = make_engine(Program::tiled, chain, 1);
    const auto watching = make_engine(Program::tiled, chain, 1);
    watching->monitor_stability(1e-3);
    dynamics::SensorTrace none;
    const auto seconds = [&](dynamics::Engine& engine) {
        const auto start = std::chrono::steady_clock::now();
        engine.advance(steps, none);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    std::vector<double> ratios;
    for (auto _ : state) {
        const double without = seconds(*plain);
        ratios.push_back(seconds(*watching) / without - 1.0);
    }
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::ranges::nth_element(ratios, middle);
    state.counters["cost"] = *middle;
}

/// Resonators without and with a dashpot; springs to the ground; bonds at all contacts; forces
/// between each bead and six neighbours on either side.
void add_carried(chain::Chain& chain, Carried carried) {
    constexpr double stiffness = 1e6, damping = 1.0;  // N/m, N s/m
    chain::Elements& all = chain.elements;
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        switch (carried) {
            case Carried::resonators:
            case Carried::dashpots:
                all.resonators.push_back(
                    {i,
                     1e-4,
                     {.stiffness = stiffness,
                      .damping = carried == Carried::dashpots ? damping : 0.0}});
                break;
            case Carried::foundations:
                all.foundations.push_back({i, {.stiffness = stiffness}});
                break;
            case Carried::bonds:
                if (i > 0) all.bonds.push_back({.contact = i, .stiffness = stiffness});
                break;
            case Carried::pairs:
                break;
        }
    }
    if (carried == Carried::pairs) {
        all.pair_forces.push_back({.first = 0,
                                   .last = chain.beads() - 1,
                                   .law = laws::PairLaw(4.76e-3, 4.0),
                                   .force = 1.0,
                                   .moments = {},
                                   .neighbours = 6});
    }
}

/// Two engines of the same disordered chain alternately, one whose beads carry something: the
/// median ratio of their speeds, by processor time.
void run_carried(benchmark::State& state, std::int64_t beads, Carried carried) {
    const std::int64_t steps = steps_for(beads);
    chain::Chain chain = compressed_chain(beads, "hertz", false);
    const auto bare = make_engine(Program::tiled, chain, 1);
    add_carried(chain, carried);
    const auto carrying = make_engine(Program::tiled, chain, 1);
    dynamics::SensorTrace none;
    const auto ticks = [&](dynamics::Engine& engine) {
        const std::clock_t start = std::clock();
        engine.advance(steps, none);
        return static_cast<double>(std::clock() - start);
    };
    std::vector<double> ratios;
    for (auto _ : state) {
        const double without = ticks(*bare);
        ratios.push_back(without / ticks(*carrying));
    }
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::ranges::nth_element(ratios, middle);
    state.counters["speed"] = *middle;
}

void sum_totals(benchmark::State& state, std::int64_t beads, int threads, const std::string& law) {
    const auto engine = make_engine(Program::tiled, compressed_chain(beads, law, true), threads);
    dynamics::SensorTrace none;
    for (auto _ : state) {
        state.PauseTiming();
        engine->advance(1, none);
        state.ResumeTiming();
        benchmark::DoNotOptimize(engine->totals());
    }
    count(state, beads, 1);
}

void arithmetic_limit(benchmark::State& state) {
    constexpr long steps = 50'000;
    std::size_t beads = 0;
    for (auto _ : state) {
        double velocity = 0.0;
        beads = hertz_in_lanes(steps, stiffness(), bead_mass, overlap(), time_step, velocity);
        benchmark::DoNotOptimize(velocity);
    }
    count(state, static_cast<std::int64_t>(beads), steps);
}

/// a = b + c x over arrays far larger than any cache.
void memory_limit(benchmark::State& state) {
    constexpr std::size_t length = 20'000'000;
    std::vector<double> a(length, 1.0), b(length, 2.0), c(length, 3.0);
    for (auto _ : state) {
        for (std::size_t i = 0; i < length; ++i)
            a[i] = b[i] + 0.5 * c[i];
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(
        static_cast<std::int64_t>(state.iterations() * 3 * sizeof(double) * length));
}

void add(const std::string& name, Program program, std::int64_t beads, int threads,
         const std::string& law) {
    benchmark::RegisterBenchmark(name.c_str(), run_engine, program, beads, threads, law)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
}

void add_all() {
    benchmark::RegisterBenchmark("limit/arithmetic", arithmetic_limit)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("limit/memory", memory_limit)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
    for (const std::int64_t beads : {70, 1'000, 100'000, 1'000'000, 10'000'000}) {
        for (const Program program :
             {Program::baseline, Program::tiled, Program::avx2, Program::columns}) {
            for (const int threads : {1, 2}) {
                if (threads > 1 && program != Program::tiled) continue;
                add(std::string("hertz/") + name_of(program) + "/" + std::to_string(beads) + "/" +
                        std::to_string(threads),
                    program, beads, threads, "hertz");
            }
        }
    }
    benchmark::RegisterBenchmark("sensor/hertz/1000", run_sensor, 1000)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
    const auto add_derivatives = [](const std::string& name, const chain::Chain& chain) {
        for (const std::size_t derivatives : {2, 4}) {
            benchmark::RegisterBenchmark(
                ("derivatives/" + name + "/" + std::to_string(derivatives)).c_str(),
                run_derivatives, derivatives, chain)
                ->UseRealTime()
                ->Unit(benchmark::kMillisecond);
        }
    };
    for (const std::string law : {"hertz", "flores", "ma-liu"})
        add_derivatives(law, compressed_chain(beads_of_fit, law, true));
    for (const std::string what :
         {"nothing", "foundations", "resonators", "bonds", "pair-forces", "everything"}) {
        benchmark::RegisterBenchmark(("carrying/" + what).c_str(), run_carrying, what)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
        if (what != "nothing") add_derivatives(what, carrying_chain(beads_of_fit, what));
    }
    for (const std::string law : {"hertz", "flores", "ma-liu"}) {
        for (const std::int64_t beads : {100'000, 1'000'000, 10'000'000}) {
            benchmark::RegisterBenchmark(("watched/" + law + "/" + std::to_string(beads)).c_str(),
                                         run_watched, beads, law)
                ->UseRealTime()
                ->MinTime(5.0)
                ->Unit(benchmark::kMillisecond);
        }
    }
    for (const Carried carried : {Carried::resonators, Carried::dashpots, Carried::foundations,
                                  Carried::bonds, Carried::pairs}) {
        benchmark::RegisterBenchmark(
            (std::string("carried/") + name_of(carried) + "/10000").c_str(), run_carried, 10'000,
            carried)
            ->UseRealTime()
            ->MinTime(2.0)
            ->Unit(benchmark::kMillisecond);
    }
    for (const std::string law : {"hertz", "flores", "ma-liu", "thornton"}) {
        for (const std::int64_t beads : {70, 1'000, 100'000, 1'000'000}) {
            for (const int threads : {1, 2}) {
                if (threads > 1 && beads < 1'000'000) continue;
                benchmark::RegisterBenchmark(
                    ("totals/" + law + "/" + std::to_string(beads) + "/" + std::to_string(threads))
                        .c_str(),
                    sum_totals, beads, threads, law)
                    ->UseRealTime()
                    ->Unit(benchmark::kMicrosecond);
            }
        }
    }
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        if (std::ranges::any_of(entry.parameters, &laws::Parameter::is_file)) continue;
        add(std::string("law/tiled/") + entry.name, Program::tiled, 100'000, 1, entry.name);
    }
}

}  // namespace
}  // namespace beadwave::bench

int main(int argc, char** argv) {
    beadwave::bench::add_all();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
}
