// TOML as text: single values for error messages, whole tables for the record of a run.
#pragma once

#include <toml++/toml.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::io {

/// A value on one line, valid TOML; numbers in their shortest form that reads back exactly.
std::string to_text(const toml::node& value);

/// The same, cut to what fits into a sentence.
std::string excerpt(const toml::node& value);

/// A whole table as a TOML file, in the order in which its keys stood in the file it came from.
std::string to_document(const toml::table& table);

/// "a string", "a number", "a list", ...
std::string_view type_of(const toml::node& value);

/// "a, b, c".
std::string comma_separated(const std::vector<std::string>& items);

/// Keys of more parts, "a.b.c" has three, are refused before tables as deep exist: whatever walks
/// them, their destruction too, would overflow the stack.
inline constexpr std::size_t most_key_parts = 32;

/// The line, counted from 1, of a dotted key in a TOML text with too many parts; 0: there is none.
int line_of_overlong_key(std::string_view toml);

/// The text without what would break a message into lines.
std::string one_line(std::string_view text);

/// Whether it is text in UTF-8, as all TOML must be.
bool is_utf8(std::string_view text);

/// A key as it is written in TOML: quoted if it has to be.
std::string written_key(std::string_view key);

}  // namespace beadwave::io
