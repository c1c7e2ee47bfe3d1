#include "io/toml/retired_keys.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace beadwave::io {
namespace {

constexpr std::array<RetiredKey, 10> retired{{
    {"particles.N.spin", "particles.N.angular_velocity"},
    {"body.N.spin", "body.N.angular_velocity"},
    {"rolling.twisting", "twisting.coefficient"},
    {"checkpoint.every", "checkpoint.wall_interval"},
    {"contact.N.hole", "contact.N.bearing_centre"},
    {"contact.N.memory", "contact.N.history"},
    {"contact.N.friction.v0", "contact.N.friction.slip_tolerance"},
    {"contact.N.friction.v1", "contact.N.friction.full_slip_speed"},
    {"law.impact_speed_floor", "law.min_impact_speed"},
    {"contact.N.law.impact_speed_floor", "contact.N.law.min_impact_speed"},
}};

/// Removes the first part of a dotted key and returns it.
std::string_view next_part(std::string_view& key) {
    const std::string_view part = key.substr(0, key.find('.'));
    key.remove_prefix(std::min(part.size() + 1, key.size()));
    return part;
}

bool is_number(std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
}

/// The number that stands for N if the key has this form, empty if the form has no N; no value if
/// the key has another form.
std::optional<std::string_view> matched(std::string_view form, std::string_view key) {
    std::string_view number;
    while (!form.empty() && !key.empty()) {
        const std::string_view wanted = next_part(form), part = next_part(key);
        if (wanted == "N" && is_number(part)) {
            number = part;
        } else if (wanted != part) {
            return std::nullopt;
        }
    }
    return form.empty() && key.empty() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::span<const RetiredKey> retired_keys() {
    return retired;
}

std::string new_key_of(std::string_view key) {
    for (const RetiredKey& each : retired) {
        const auto number = matched(each.old_key, key);
        if (!number) continue;
        std::string name(each.new_key);
        const std::size_t place = name.find(".N.");
        if (place != std::string::npos) name.replace(place + 1, 1, *number);
        return name;
    }
    return {};
}

}  // namespace beadwave::io
