// --disturb key=spread of an ensemble: the members' values of disturbed keys.
#pragma once

#include "io/tables/sweep_plan.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::tasks {

/// An ensemble: so many runs, each with its own disturbance of some keys.
struct EnsembleRequest {
    std::int64_t members = 0;            ///< 0: no ensemble
    std::vector<std::string> disturb{};  ///< key=standard deviation, or key=1%
    std::uint64_t seed = 0;
};

/// The key "member", then every disturbed key with a value for each member: the scenario's value
/// plus the deviation times a number of the normal distribution. This number depends only on the
/// seed, the member and the place of the key in the list. `value` gives the number of a key in the
/// scenario. Throws InputError.
std::vector<io::VariedKey> members_of(
    const EnsembleRequest& request,
    const std::function<std::optional<double>(const std::string&)>& value);

}  // namespace beadwave::tasks
