// Numbers of results as text, and what changes from one result to another.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace beadwave::jobs {

/// With so many decimals; a weak tap's value, which would lose its digits so, with five significant
/// ones.
std::string fixed(double value, int decimals);

/// Number by number what `fine` is beyond `coarse`; whole numbers, which are names, stay.
nlohmann::ordered_json difference(const nlohmann::ordered_json& coarse,
                                  const nlohmann::ordered_json& fine);

/// A difference as a part of something, in per cent; in its own unit if that is zero.
std::string percent(double difference, double of);

}  // namespace beadwave::jobs
