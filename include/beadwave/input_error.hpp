// The error of a person's input: one clear sentence, exit status 2.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace beadwave {

struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What a message quotes of a person's text, of any length: at most `longest` bytes, in whole UTF-8
/// characters, with "..." in place of the rest.
std::string shortened(std::string_view text, std::size_t longest = 60);

/// "; did you mean "x"?" for the known name nearest to a misspelt one, or nothing if none is near.
/// Upper and lower case are one.
std::string did_you_mean(std::string_view misspelt, std::span<const std::string> known);

}  // namespace beadwave
