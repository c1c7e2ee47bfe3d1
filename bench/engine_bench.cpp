// Bead-steps a second of the engines, every contact active and no tile asleep.
//
//     hertz/ENGINE/BEADS/THREADS    law/ENGINE/NAME (100,000 beads, one thread)

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "baseline_program.hpp"
#include "beadwave/dynamics/tiled_engine.hpp"
#include "beadwave/laws/catalogue.hpp"

namespace beadwave::bench {
namespace {

constexpr double time_step = 1e-8;      // s
constexpr double compression = 20.0;    // N
enum class Program { baseline, plain, tiled };

const char* name_of(Program program) {
    return program == Program::baseline ? "baseline" : program == Program::plain ? "plain" : "tiled";
}

/// Steel beads squeezed together; the first one moves.
chain::Chain compressed_chain(std::int64_t beads, const std::string& law_name) {
    chain::Scenario scenario;
    scenario.materials["steel"] = {.elasticity = {.youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6},
                                   .density = {}};
    chain::Segment segment;
    segment.beads = 1;
    segment.radius = 2.38e-3;
    segment.mass = 0.45e-3;
    segment.material = "steel";
    segment.velocity = 0.1;
    scenario.segments.push_back(segment);
    segment.beads = beads - 1;
    segment.velocity = 0.0;
    scenario.segments.push_back(segment);
    const laws::Entry* const entry = laws::find(law_name);
    scenario.law.name = entry->name;
    for (const laws::Parameter& p : entry->parameters) {
        if (p.standard) scenario.law.values.emplace(p.name, *p.standard);
        if (!p.standard_word.empty()) scenario.law.values.emplace(p.name, std::string(p.standard_word));
        if (p.required()) scenario.law.values.emplace(p.name, 0.65);
    }
    scenario.precompression = compression;
    scenario.origin = chain::Origin("bench");
    return chain::build_chain(scenario);
}

/// Enough steps that a call lasts about 20 ms, or as many as the engine does between two looks of a run.
std::int64_t steps_for(std::int64_t beads) { return std::max<std::int64_t>(20'000'000 / beads, 248); }

void count(benchmark::State& state, std::int64_t beads, std::int64_t steps) {
    state.counters["bead-steps/s"] =
        benchmark::Counter(static_cast<double>(beads * steps), benchmark::Counter::kIsIterationInvariantRate);
}

void run_engine(benchmark::State& state, Program program, std::int64_t beads, int threads, const std::string& law) {
    const std::int64_t steps = steps_for(beads);
    if (program == Program::baseline) {
        // K and overlap of the chain above.
        const double modulus = 193e9 / (2.0 * 0.91), radius = 1.19e-3;
        const double stiffness = 4.0 / 3.0 * modulus * std::sqrt(radius);
        BaselineProgram chain(static_cast<std::size_t>(beads), stiffness, 0.45e-3,
                              std::pow(compression / stiffness, 2.0 / 3.0), time_step);
        for (auto _ : state) chain.advance(steps);
    } else {
        const chain::Chain chain = compressed_chain(beads, law);
        const auto engine = program == Program::plain
                                ? dynamics::make_plain_engine(chain, time_step, threads)
                                : dynamics::make_tiled_engine(chain, time_step, threads, {.sleep = false});
        dynamics::SensorTrace none;
        for (auto _ : state) engine->advance(steps, none);
    }
    count(state, beads, steps);
}

void add_all() {
    for (const std::int64_t beads : {70, 1'000, 100'000, 1'000'000, 10'000'000}) {
        for (const int threads : {1, 2}) {
            for (const Program program : {Program::baseline, Program::plain, Program::tiled}) {
                if (program == Program::baseline && threads > 1) continue;
                const std::string name = std::string("hertz/") + name_of(program) + "/" + std::to_string(beads) + "/" +
                                         std::to_string(threads);
                benchmark::RegisterBenchmark(name.c_str(), run_engine, program, beads, threads, "hertz")
                    ->UseRealTime()->Unit(benchmark::kMillisecond);
            }
        }
    }
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        if (std::ranges::any_of(entry.parameters, &laws::Parameter::is_file)) continue;
        for (const Program program : {Program::plain, Program::tiled}) {
            const std::string name = std::string("law/") + name_of(program) + "/" + entry.name;
            benchmark::RegisterBenchmark(name.c_str(), run_engine, program, 100'000, 1, entry.name)
                ->UseRealTime()->Unit(benchmark::kMillisecond);
        }
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
