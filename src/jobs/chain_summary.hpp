// The summary at the end of a run: a table for people, one JSON object for scripts.
#pragma once

#include "chain/scenario.hpp"
#include "jobs/stepped_job.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace beadwave::jobs {

/// Messages of a run that several processes share.
struct Messages {
    int ranks;
    double halo_bytes;                          ///< sent by all ranks
    double mean_share = 0.0, most_share = 0.0;  ///< of their time that ranks sent or waited
};

struct ChainSummary {
    const chain::Scenario& scenario;
    std::size_t beads;
    const running::Finished& finished;
    std::string output;
    std::optional<Messages> messages;
    std::optional<HalfStep<running::RunResult>> half_step;  ///< of --check

    double bead_steps_per_second() const;
    double halo_bytes_per_bead_step() const;
    std::string text() const;
    nlohmann::ordered_json json() const;
};

}  // namespace beadwave::jobs
