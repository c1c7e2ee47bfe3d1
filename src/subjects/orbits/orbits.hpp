// The task of `beadwave orbit`: periodic orbits of a chain.
#pragma once

#include "orbits/orbit.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::tasks {

struct OrbitRequest {
    std::string scenario{};
    std::vector<std::string> overrides{};
    std::optional<double> frequency{};  ///< [Hz]; none: that of the drive
    std::string guess{};                ///< "mode:K", "history:FILE", "zero"; empty: chosen
    std::uint64_t which = 1;            ///< of several orbits of this frequency
    std::int64_t steps = 0;             ///< of a period; 0: as many as the accuracy needs
    double accuracy = 1e-9;             ///< see orbits::Accuracy
    std::string output{};               ///< ORBIT.h5; empty: none
    bool overwrite = false;
    orbits::Stop stop{};
};

struct OrbitResult {
    orbits::Orbit orbit;
    std::vector<std::size_t> bead{};  ///< of each number of the state; masses inside beads follow
    std::vector<std::string> warnings{};
    std::string file{};

    std::string text() const;
    nlohmann::ordered_json json() const;
};

/// Throws InputError, std::runtime_error.
OrbitResult orbit_of(const OrbitRequest& request);

}  // namespace beadwave::tasks
