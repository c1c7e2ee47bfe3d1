// Collision cases (`beadwave collide`) from TOML.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/line_contact.hpp"
#include "beadwave/laws/settings.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::io {

struct CollisionCase {
    double speed;  ///< closing [m/s]
    laws::Contact contact;
    std::optional<laws::LineContact> line;  ///< of two cylinders; `law` is then a line law
    laws::Settings law;
    std::optional<double> poisson_ratio;  ///< of the body that yields [-]
    std::optional<double> density;        ///< of the body that yields, given or a ball's [kg/m^3]
    std::vector<std::string> notes;       ///< keys without effect, a sentence each
};

/// As read_scenario. Bodies with a length are cylinders. A law's missing impact speed is this
/// collision's own.
CollisionCase read_case(const std::filesystem::path& file,
                        std::span<const std::string> overrides = {});

/// The same from text, which can name no files; errors call it `name`.
CollisionCase read_case_text(std::string text, const std::string& name);

}  // namespace beadwave::io
