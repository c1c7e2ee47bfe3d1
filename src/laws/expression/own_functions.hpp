// The functions that formulas can call, of the whole process.
#pragma once

#include "beadwave/laws/expression/own_function.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace beadwave::laws {

struct OwnFunction {
    std::string name;
    /// Differs from that of other functions of this name: from samples of the values, so that a
    /// checkpoint finds the function again in another process.
    std::string identity;
    FunctionCall call{};
};

/// The last one of this name; null: there is none. It exists as long as the process.
const OwnFunction* own_function(std::string_view name);
/// The last ones of all names.
std::vector<const OwnFunction*> own_functions();

}  // namespace beadwave::laws
