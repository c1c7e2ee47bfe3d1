// The task of `beadwave orbit --basins`: which of several attractors the starts of a grid reach.
#pragma once

#include "orbits/settle.hpp"
#include "subjects/orbits/orbits.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::tasks {

struct BasinAxis {
    std::string name;  ///< "displacement", "velocity", "frequency" or "drive"
    double from = 0.0, to = 0.0;
    std::size_t count = 24;

    const char* unit() const;  ///< as H5MD spells it
    double at(std::size_t k) const;
    bool of_drive() const { return name == "frequency" || name == "drive"; }
};

struct BasinsResult {
    std::vector<BasinAxis> axes{};  ///< one or two
    std::string along{};            ///< "bead 5", "mode 2"; empty: no axis needs it
    double frequency = 0.0;         ///< of the drive, if it is no axis [Hz]
    std::int64_t steps = 0, transient = 0, most_periods = 0;
    std::vector<orbits::Attractor> attractors{};
    // Of each start, those along the first axis next to each other.
    std::vector<std::size_t> attractor{};
    std::vector<double> amplitude{};      ///< [m]
    std::vector<std::int64_t> periods{};  ///< until it had settled
    std::vector<std::size_t> bead{};      ///< as OrbitResult::bead
    std::vector<std::string> warnings{};
    std::string scenario_text{}, file{};

    /// The columns and rows of the grid.
    std::size_t columns() const { return axes.front().count; }
    std::size_t rows() const { return axes.size() > 1 ? axes[1].count : 1; }
    std::string text() const;
    nlohmann::ordered_json json() const;
};

/// Writes the file, if there is one. Throws InputError, std::runtime_error.
BasinsResult basins_of(const OrbitRequest& request);
/// Takes a scenario that has been read, which errors call `request.scenario`. `text`: that of the
/// file; empty: the job has it.
BasinsResult basins_of(const jobs::Job& job, const OrbitRequest& request,
                       const std::string& text = {});

}  // namespace beadwave::tasks
