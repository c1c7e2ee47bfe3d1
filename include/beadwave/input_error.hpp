// The error of wrong input: one sentence, exit status 2.
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

/// A text of any length, shortened for quotation in a message: at most `longest` bytes, in whole
/// UTF-8 characters, with "..." in place of the rest.
std::string shortened(std::string_view text, std::size_t longest = 60);

/// Returns "; did you mean "x"?" with the known name closest to a misspelt one; empty if none is
/// close. Case does not matter.
std::string did_you_mean(std::string_view misspelt, std::span<const std::string> known);

}  // namespace beadwave
