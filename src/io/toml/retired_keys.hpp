// Keys of scenarios that have got another name, so that an error about an old key can name the new
// one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace beadwave::io {

/// Both are dotted; the part "N" is the number of a table in a list.
struct RetiredKey {
    std::string_view old_key, new_key;
};

std::span<const RetiredKey> retired_keys();

/// The new name of a dotted key, "particles.0.spin" gives "particles.0.angular_velocity"; empty if
/// the key is not retired.
std::string new_key_of(std::string_view key);

}  // namespace beadwave::io
