// Scenarios that several tests run, built in code, and a function that runs them.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/running/simulation.hpp"
#include "chain/build_chain.hpp"
#include "dynamics/tiled_engine.hpp"
#include "running/chain_system.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace beadwave::validation {

/// A law with the values given here and its standard values otherwise.
inline laws::Settings law_settings(const std::string& name,
                                   const std::map<std::string, laws::Value>& given = {}) {
    const laws::Entry* entry = laws::find(name);
    REQUIRE(entry != nullptr);
    laws::Settings settings{.name = entry->name, .values = {}};
    for (const laws::Parameter& p : entry->parameters) {
        if (p.standard) settings.values.emplace(p.name, *p.standard);
        if (!p.standard_word.empty()) settings.values.emplace(p.name, std::string(p.standard_word));
        // A value that a law requires: the restitution of dashpots.
        if (p.is_file) {
            settings.values.emplace(
                p.name,
                std::string(BEADWAVE_SOURCE_DIR "/validation/physics/indentation_example.csv"));
        } else if (p.is_text && p.required()) {
            settings.values.emplace(p.name, std::string(p.example_text));
        } else if (p.required()) {
            settings.values.emplace(p.name, p.example.value_or(0.65));
        }
        // Without a scenario the fastest approach at the start is unknown.
        if (p.standard_word == "initial")
            settings.values.insert_or_assign(std::string(p.name), 1.77);
    }
    for (const auto& [name_given, value] : given)
        settings.values.insert_or_assign(name_given, value);
    return settings;
}

/// The chain of the laboratory: `beads` steel beads, bead 0 at `speed`. Yield stress 900 MPa.
inline chain::Scenario steel_chain(std::int64_t beads, double speed, const laws::Settings& law,
                                   double end) {
    chain::Scenario scenario;
    scenario.materials["steel"] = {
        .elasticity = {.youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6},
        .density = {}};
    chain::Segment bead;
    bead.beads = 1;
    bead.radius = 2.38e-3;
    bead.mass = 0.45e-3;
    bead.material = "steel";
    bead.velocity = speed;
    scenario.segments.push_back(bead);
    bead.beads = beads - 1;
    bead.velocity = 0.0;
    if (beads > 1) scenario.segments.push_back(bead);
    scenario.law = law;
    scenario.time.end = end;
    scenario.origin = scenario::Origin("test");
    return scenario;
}

struct Finished {
    chain::Chain chain;
    stepping::TimeStep time_step;
    std::unique_ptr<dynamics::Engine> engine;
    running::RunResult result;
};

inline Finished run(const chain::Scenario& scenario, const running::Sinks& sinks = {},
                    int threads = 1) {
    Finished f;
    f.chain = chain::build_chain(scenario);
    f.time_step = running::choose_time_step(scenario, f.chain);
    f.engine = dynamics::make_tiled_engine(f.chain, f.time_step.step, threads);
    f.result =
        running::simulate(running::settings_of(scenario), f.chain, f.time_step, *f.engine, sinks);
    return f;
}

}  // namespace beadwave::validation
