// One number of a scenario as --set takes it, and errors about such numbers.
#pragma once

#include "beadwave/input_error.hpp"

#include <string>

namespace beadwave::fit {

/// "law.psi=2.7": all digits, and never a whole number, so that a key that takes whole numbers only
/// is refused.
std::string setting(const std::string& key, double value);

/// The reader of scenarios attributes the values of a variant to --vary; in a fit they come from
/// --bounds.
std::string naming_bounds(const std::string& error);

/// The result of `read`; an InputError that names --vary names --bounds.
template <class Read>
auto naming_bounds(const Read& read) -> decltype(read()) {
    try {
        return read();
    } catch (const InputError& error) {
        throw InputError(naming_bounds(std::string(error.what())));
    }
}

}  // namespace beadwave::fit
