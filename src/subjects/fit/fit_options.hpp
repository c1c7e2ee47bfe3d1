// The texts of options of a fit.
#pragma once

#include "fit/fit.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace beadwave::tasks {

// All throw InputError, which names the option, for a text that is not as described.

/// "white": false; "robust": true.
bool read_errors(const std::string& text);

/// "norm", "x", "y", "z".
fit::Component read_component(const std::string& text);

/// "1e-4:2e-4" [s], for all sensors, or "9=1e-4:2e-4" for that of bead or particle 9.
std::vector<fit::Mask> read_masks(std::span<const std::string> options);

/// "law.psi=2.8:0.1": mean and standard deviation.
std::vector<fit::KeyPrior> read_priors(std::span<const std::string> options);

/// "clock.shift=2e-6".
std::map<std::string, double> read_starts(std::span<const std::string> options);

}  // namespace beadwave::tasks
