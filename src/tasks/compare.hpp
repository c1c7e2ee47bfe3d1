// One scenario under several laws.
#pragma once

#include "jobs/job.hpp"
#include "observers/comparison.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace beadwave::tasks {

struct CompareRequest {
    std::string scenario;
    std::vector<std::string> laws;  ///< names; the first is the reference
    std::vector<std::string> overrides{};
    std::string measured{};  ///< CSV of measured traces; empty: none
    int threads = 0;         ///< 0: as many as there are
};

/// One law's result.
struct Compared {
    std::string law;
    io::Columns columns;
    jobs::Outcome outcome;
    std::vector<observers::SensorError> errors;  ///< against the measurement, if there is one

    double of_run(std::string_view name) const;
    bool has(std::string_view name) const;
    double at_sensor(std::size_t quantity, std::size_t sensor) const;
    double nanoseconds() const;  ///< of the wall clock, a step of one body
};

struct Comparison {
    std::vector<Compared> laws;  ///< as they were asked for

    std::string text() const;
    nlohmann::ordered_json json() const;
};

/// Of the watcher begin() and stop() are asked. Throws InputError, running::RunError, also where it
/// stops.
Comparison compare(const CompareRequest& request, jobs::Watcher& watcher);

}  // namespace beadwave::tasks
