// What a packing's run has to say at its end: for people a table, for scripts one JSON object.
#pragma once

#include "packing/scenario.hpp"
#include "running/packing_simulation.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace beadwave::jobs {

/// The same run at half the step.
struct PackingHalfStep {
    double time_step;  ///< [s]
    running::PackingResult result;
};

struct PackingSummary {
    const packing::Scenario& scenario;
    std::size_t particles;
    const running::PackingFinished& finished;
    std::string output;
    std::optional<PackingHalfStep> half_step;  ///< of --check

    double particle_steps_per_second() const;
    std::string text() const;
    nlohmann::ordered_json json() const;
};

}  // namespace beadwave::jobs
