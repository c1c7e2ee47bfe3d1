// Runs of the scenarios in configs/, from the files themselves.
#pragma once

#include "running/stepped_chain.hpp"
#include "scenarios.hpp"
#include "subjects/chain/chain_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace beadwave::validation {

inline const std::filesystem::path configs_folder = BEADWAVE_SOURCE_DIR "/configs";

inline chain::Scenario config(const std::string& name,
                              const std::vector<std::string>& overrides = {}) {
    return io::read_scenario(configs_folder / (name + ".toml"), overrides).scenario;
}

inline Finished run_config(const std::string& name, const std::vector<std::string>& overrides = {},
                           const running::Sinks& sinks = {}) {
    return run(config(name, overrides), sinks);
}

/// Largest force of every contact over a run that samples each contact every `interval` seconds
/// [N].
inline std::vector<double> contact_peaks(const std::string& name,
                                         std::vector<std::string> overrides,
                                         const std::string& interval) {
    std::vector<double> peaks;
    running::Sinks sinks;
    sinks.snapshot = [&](auto, auto, running::System& system) {
        const auto force = static_cast<running::SteppedChain&>(system).engine().contact_force();
        peaks.resize(force.size());
        for (std::size_t c = 0; c < force.size(); ++c)
            peaks[c] = std::max(peaks[c], force[c]);
    };
    overrides.push_back("snapshots.interval=" + interval);
    run_config(name, overrides, sinks);
    return peaks;
}

inline const observers::SensorResult& at_bead(const Finished& finished, std::int64_t bead) {
    const auto& sensors = finished.result.sensors;
    const auto found = std::ranges::find(sensors, bead, &observers::SensorResult::body);
    REQUIRE(found != sensors.end());
    return *found;
}

}  // namespace beadwave::validation
