// Numbers of results as text, and what changes from one result to another.
#pragma once

#include "beadwave/dynamics/time_step.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace beadwave::jobs {

/// With so many decimals; a weak tap's value, which would lose its digits so, with five significant
/// ones.
std::string fixed(double value, int decimals);

/// Number by number what `fine` is beyond `coarse`; whole numbers, which are names, stay.
nlohmann::ordered_json difference(const nlohmann::ordered_json& coarse,
                                  const nlohmann::ordered_json& fine);

/// "10 ns (1/1330 of the shortest contact, 13.3 us)"
std::string time_step_text(const dynamics::TimeStep& time_step);

/// A difference as a part of something, in per cent; in its own unit if that is zero.
std::string percent(double difference, double of);

}  // namespace beadwave::jobs
