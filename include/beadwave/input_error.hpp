// The error of a person's input: one clear sentence, exit status 2.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace beadwave {

struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// "; did you mean "x"?" for the known name nearest to a misspelt one, or nothing if none is near.
std::string did_you_mean(std::string_view misspelt, std::span<const std::string> known);

}  // namespace beadwave
