// The numbers of a law for one impact: `beadwave laws NAME --at KEY=VALUE`.
#pragma once

#include "beadwave/laws/optimal_damping.hpp"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>

namespace beadwave::tasks {

/// The optimal damping of "poursina-nikravesh".
struct LawNumbers {
    laws::DampedImpact impact;
    laws::OptimalDamping damping;

    nlohmann::ordered_json json() const;
    std::string text() const;
};

/// `at`: KEY=VALUE of restitution, exponent (1.5), stiffness [N/m^n], mass (effective) [kg] and
/// speed [m/s]. Throws InputError, also for a law without such numbers.
LawNumbers law_numbers(const std::string& law, std::span<const std::string> at);

/// The object of the key `damping` in JSON.
nlohmann::ordered_json damping_json(const laws::OptimalDamping&);

}  // namespace beadwave::tasks
