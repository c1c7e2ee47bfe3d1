// Numbers of results as text, and differences between results.
#pragma once

#include "beadwave/stepping/time_step.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace beadwave::jobs {

/// A value with `decimals` decimals; a small one, which would lose digits, with five significant.
std::string fixed(double value, int decimals);

/// `fine` minus `coarse`, number by number; whole numbers are names and do not change.
nlohmann::ordered_json difference(const nlohmann::ordered_json& coarse,
                                  const nlohmann::ordered_json& fine);

/// "10 ns (1/1330 of the shortest contact, 13.3 us)"
std::string time_step_text(const stepping::TimeStep& time_step);

/// A difference in per cent of a number; in its own unit if that number is zero.
std::string percent(double difference, double of);

}  // namespace beadwave::jobs
