// What was probably meant by a text that is not TOML.
#pragma once

#include <string>
#include <string_view>

namespace beadwave::io {

/// "; did you mean ...?" for a text that cannot be parsed at a line, counted from 1; empty: no
/// idea. `what`: of the error, such as "cannot redefine existing table 'segment'".
std::string toml_hint(std::string_view text, std::size_t line, std::string_view what);

}  // namespace beadwave::io
