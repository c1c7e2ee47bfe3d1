// What a run has to say at its end: for people a table, for scripts one JSON object.
#pragma once

#include "beadwave/chain/scenario.hpp"
#include "beadwave/dynamics/time_step.hpp"
#include "beadwave/observers/simulation.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace beadwave::cli {

struct Summary {
    const chain::Scenario& scenario;
    std::size_t beads;
    const dynamics::TimeStep& time_step;
    const observers::RunResult& result;
    int threads;
    std::string output;

    double bead_steps_per_second() const;
    std::string text() const;
    nlohmann::ordered_json json() const;
};

}  // namespace beadwave::cli
