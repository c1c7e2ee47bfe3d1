// What a run has to say at its end: for people a table, for scripts one JSON object.
#pragma once

#include "chain/scenario.hpp"
#include "jobs/half_step.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace beadwave::jobs {

struct ChainSummary {
    const chain::Scenario& scenario;
    std::size_t beads;
    const running::Finished& finished;
    std::string output;
    std::optional<HalfStep> half_step;  ///< of --check

    double bead_steps_per_second() const;
    std::string text() const;
    nlohmann::ordered_json json() const;
};

}  // namespace beadwave::jobs
