// TOML as text: single values for error messages, whole tables for histories.
#pragma once

#include "io/toml/toml_fwd.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::io {

/// A value on one line, as valid TOML. Numbers have the shortest form that reads back exactly.
std::string to_text(const toml::node& value);

/// A value as text, as to_text() makes it, shortened for a message.
std::string excerpt(const toml::node& value);

/// A whole table as a TOML file, with the keys in the order of the file it was read from.
std::string to_document(const toml::table& table);

/// "a string", "a number", "a list", ...
std::string_view type_of(const toml::node& value);

/// "a, b, c".
std::string comma_separated(const std::vector<std::string>& items);
/// "a b c" with the separator " ".
std::string joined(const std::vector<std::string_view>& items, std::string_view separator);

/// The largest number of parts of a key ("a.b.c" has three). Longer keys are refused before the
/// nested tables are made: walking or destroying tables that deep would overflow the stack.
inline constexpr std::size_t most_key_parts = 32;

/// The line, counted from 1, of the first dotted key with too many parts in a TOML text; 0: none.
int line_of_overlong_key(std::string_view toml);

/// The text with line breaks replaced by spaces.
std::string one_line(std::string_view text);

/// Whether the text is UTF-8, which TOML requires.
bool is_utf8(std::string_view text);

/// A key as written in TOML: quoted if necessary.
std::string written_key(std::string_view key);

/// What toml++ calls a wrong number in the `description` of its error may be a right one that it
/// had no memory to read: throws std::bad_alloc then.
void check_memory(std::string_view description);

}  // namespace beadwave::io
