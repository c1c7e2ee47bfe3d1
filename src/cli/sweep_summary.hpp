// What a sweep has to say at its end: for people a few lines, for scripts one JSON object.
#pragma once

#include "io/tables/sweep_table.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace beadwave::cli {

struct SweepSummary {
    const io::SweepTable& table;
    int threads;
    double wall_seconds = 0.0;                   ///< of the runs
    double updates = 0.0;                        ///< of the runs that are done
    std::string hdf5 = {}, csv = {}, rows = {};  ///< names of files; see io::SweepJournal

    double updates_per_second() const { return wall_seconds > 0.0 ? updates / wall_seconds : 0.0; }
    std::string text() const;
    nlohmann::ordered_json json() const;
    /// How many runs failed or were not run, and the first that failed; empty if all are done.
    std::string trouble() const;
};

}  // namespace beadwave::cli
