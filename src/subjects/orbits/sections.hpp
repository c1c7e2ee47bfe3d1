// The task of `beadwave orbit --poincare`: sections of one or several motions.
#pragma once

#include "orbits/section.hpp"
#include "subjects/orbits/orbits.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::tasks {

struct SectionsResult {
    std::vector<orbits::Section> sections{};  ///< of each start
    std::size_t bead = 0;                     ///< whose displacement and velocity the points are
    std::optional<std::size_t> crossing{};    ///< whose velocity passes zero; none: stroboscopic
    double frequency = 0.0;                   ///< of the drive [Hz]; 0: nothing drives the chain
    double time_step = 0.0;                   ///< [s]
    std::int64_t transient = 0, points = 0;   ///< of each start
    std::vector<std::string> warnings{};
    std::string scenario_text{}, file{};

    std::string text() const;
    nlohmann::ordered_json json() const;
};

/// Writes the file, if there is one. Throws InputError, std::runtime_error.
SectionsResult sections_of(const OrbitRequest& request);
/// Takes a scenario that has been read, which errors call `request.scenario`. `text`: that of the
/// file; empty: the job has it.
SectionsResult sections_of(const jobs::Job& job, const OrbitRequest& request,
                           const std::string& text = {});

}  // namespace beadwave::tasks
