// The summary of a run of a mechanism: `--json` and the printed text.
#pragma once

#include "mechanism/result.hpp"
#include "subjects/mechanism/mechanism_reader.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace beadwave::jobs {

/// A run repeated with a stricter accuracy, or with a shorter step.
struct Stricter {
    double accuracy;
    double step;  ///< [s]; 0: an event-driven run
    mechanism::Result result;
};

struct MechanismSummary {
    const io::ReadMechanism& read;
    const mechanism::Result& result;
    const std::vector<std::string>& warnings;
    double wall_seconds;
    std::string output;  ///< the history; empty: none
    std::optional<Stricter> stricter;

    std::string text() const;
    nlohmann::ordered_json json() const;
};

}  // namespace beadwave::jobs
