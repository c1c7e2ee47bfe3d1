// What a fit has to say at its end: for people a few lines, for scripts one JSON object.
#pragma once

#include "fit/fit.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace beadwave::cli {

struct FitSummary {
    const fit::Task& task;
    const std::vector<fit::LawFit>& laws;  ///< best first; those that failed last
    std::string hdf5, scenario;            ///< names of files

    std::string text() const;
    nlohmann::ordered_json json() const;
};

}  // namespace beadwave::cli
