// The summary of a packing's run: a table for people, one JSON object for scripts.
#pragma once

#include "packing/scenario.hpp"
#include "running/packing_simulation.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace beadwave::jobs {

/// The same run with half the time step.
struct PackingHalfStep {
    double time_step;  ///< [s]
    running::PackingResult result;
};

struct PackingSummary {
    const packing::Scenario& scenario;
    std::size_t particles;
    const running::PackingFinished& finished;
    std::string output;
    std::optional<PackingHalfStep> half_step;  ///< with --check

    double particle_steps_per_second() const;
    std::string text() const;
    nlohmann::ordered_json json() const;
};

}  // namespace beadwave::jobs
