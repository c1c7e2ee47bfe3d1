// The summary of a packing's run: a table for people, one JSON object for scripts.
#pragma once

#include "jobs/stepped_job.hpp"
#include "packing/scenario.hpp"
#include "running/packing_simulation.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace beadwave::jobs {

struct PackingSummary {
    const packing::Scenario& scenario;
    const packing::Packing& packing;
    const running::PackingFinished& finished;
    std::string output;
    std::optional<HalfStep<running::PackingResult>> half_step;  ///< with --check

    double particle_steps_per_second() const;
    std::string text() const;
    nlohmann::ordered_json json() const;
};

}  // namespace beadwave::jobs
