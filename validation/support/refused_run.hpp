// Runs that `beadwave run` refuses.
#pragma once

#include "program.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

namespace beadwave::validation {

/// A run of the scenario with these options has the status 2, and a sentence with this part.
inline void refused(const Folder& folder, const std::string& scenario, const std::string& settings,
                    const std::string& message) {
    const Said said =
        shell(folder, fmt::format("beadwave run '{}' {} --quiet -o no.h5", scenario, settings));
    CAPTURE(settings);
    CAPTURE(said.err);
    CHECK(said.status == 2);
    CHECK(said.err.find(message) != std::string::npos);
}

}  // namespace beadwave::validation
