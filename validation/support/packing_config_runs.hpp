// Runs of the packings in configs/.
#pragma once

#include "chaotic.hpp"
#include "packing_system/packing_simulation.hpp"
#include "running/chain_system.hpp"
#include "running/step_loop.hpp"
#include "subjects/packing/packing_reader.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation {

struct Run {
    packing::Scenario scenario;
    packing::Packing packing;
    running::PackingFinished finished;

    const observers::SensorResult& at(std::int64_t particle) const {
        for (const auto& sensor : finished.result.sensors)
            if (sensor.body == particle) return sensor;
        FAIL("no such sensor");
        return finished.result.sensors.front();
    }
};

/// A run of a scenario's text, with the step that it chooses or gives.
inline running::PackingFinished run_packing_text(const std::string& text) {
    const packing::Scenario scenario = io::read_packing_text(text, "packing.toml", {}).scenario;
    const packing::Packing built = packing::build_packing(scenario);
    return running::run_packing(built, running::settings_of(scenario),
                                {.time_step = running::choose_time_step(scenario, built)}, 1, {});
}

inline Run run_packing_config(const std::string& name,
                              const std::vector<std::string>& overrides = {},
                              const running::Sinks& sinks = {}) {
    const std::filesystem::path file =
        std::filesystem::path(BEADWAVE_SOURCE_DIR "/configs") / (name + ".toml");
    std::vector<std::string> changes = other_seeds(file);
    changes.insert(changes.end(), overrides.begin(), overrides.end());
    io::ReadPacking read =
        io::read_packing(io::load_toml(file, changes), io::NamedFiles::relative_to(file));
    CHECK(read.warnings.empty());
    packing::Packing packing = packing::build_packing(read.scenario);
    const running::PackingSettings settings = running::settings_of(read.scenario);
    const running::StepTrial first{.time_step = running::choose_time_step(read.scenario, packing)};
    std::optional<running::SinkStore> store;
    running::PackingFinished finished = running::run_packing(
        packing, settings, first, 1, [&](const running::StepTrial&, running::System& system) {
            return running::Callbacks{.store = &store.emplace(system, sinks)};
        });
    return {std::move(read.scenario), std::move(packing), std::move(finished)};
}

inline const packing::PackingEngine& engine_of(running::System& system) {
    return static_cast<running::SteppedPacking&>(system).engine();
}

}  // namespace beadwave::validation
