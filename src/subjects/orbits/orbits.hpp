// The task of `beadwave orbit`: periodic orbits of a chain.
#pragma once

#include "orbits/branch.hpp"
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
    std::string guess{};                ///< "mode:K", "zero"; empty: chosen
    std::uint64_t which = 1;            ///< of several orbits of this frequency
    std::int64_t steps = 0;             ///< of a period; 0: as many as the accuracy needs
    double accuracy = 0.0;              ///< see orbits::Accuracy; 0: 1e-9, of short chains 1e-11
    std::string continuation{};         ///< "KEY=FROM:TO"
    std::uint64_t most_points = 0;      ///< of a branch; 0: 1000
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

struct BranchResult {
    std::string key;
    orbits::Branch branch;
    std::int64_t steps = 0;
    std::vector<std::string> warnings{};

    std::string text() const;
    nlohmann::ordered_json json() const;
};

// All throw InputError, std::runtime_error.
OrbitResult orbit_of(const OrbitRequest& request);
/// Needs a continuation: "frequency", or the key of a number of the scenario.
BranchResult branch_of(const OrbitRequest& request);

}  // namespace beadwave::tasks
