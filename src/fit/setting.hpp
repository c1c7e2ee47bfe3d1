// One number of a scenario as --set takes it.
#pragma once

#include <string>

namespace beadwave::fit {

/// "law.psi=2.7": all digits, and never a whole number, so that a key that counts something says
/// that it cannot take it.
std::string setting(const std::string& key, double value);

}  // namespace beadwave::fit
