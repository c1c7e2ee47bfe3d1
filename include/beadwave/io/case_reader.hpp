// Collision cases (`beadwave collide`) from TOML.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/settings.hpp"

namespace beadwave::io {

struct CollisionCase {
    double speed;  ///< closing [m/s]
    laws::Contact contact;
    laws::Settings law;
    std::vector<std::string> notes;  ///< keys without effect, a sentence each
};

/// As read_scenario. A law's missing impact speed is this collision's own.
CollisionCase read_case(const std::filesystem::path& file, std::span<const std::string> overrides = {});

}  // namespace beadwave::io
