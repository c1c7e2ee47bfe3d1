// Reads collision cases (`beadwave collide`) from TOML.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/elliptic_contact.hpp"
#include "beadwave/laws/line_contact.hpp"
#include "beadwave/laws/settings.hpp"
#include "io/scenario/impact_table.hpp"
#include "io/scenario/named_files.hpp"
#include "io/toml/key.hpp"
#include "io/toml/toml_document.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::io {

struct CollisionCase {
    double speed;  ///< approach speed [m/s]
    laws::Contact contact;
    std::optional<laws::LineContact> line;  ///< for parallel cylinders; then `law` is a line law
    std::optional<laws::ContactEllipse> ellipse;  ///< where a body has two radii of curvature
    std::optional<double> shortest_length{};      ///< of cylinders that cross [m]
    laws::Settings law;
    std::optional<ImpactCase> impact{};   ///< in place of contact and law
    std::optional<double> poisson_ratio;  ///< of the body that yields [-]
    std::optional<double> density;        ///< of the body that yields, given or a ball's [kg/m^3]
    /// The smaller elastic_impact_speed() of the two bodies, of those with a density [m/s].
    std::optional<double> impact_limit{};
    std::vector<std::string> warnings;              ///< keys without effect, a sentence each
    std::map<std::string, std::string> file_texts;  ///< of files that it names, by dotted key
};

/// Reads a case, as read_scenario() reads a chain. Bodies with a length are cylinders. A missing
/// impact speed of a law is the speed of this collision.
CollisionCase read_case(const std::filesystem::path& file,
                        std::span<const std::string> overrides = {});

/// Reads a case from text; errors call it `name`. Files that it names are relative to `folder`;
/// without a folder it cannot name files.
CollisionCase read_case_text(std::string text, const std::string& name,
                             const std::optional<std::filesystem::path>& folder = {});

/// Whether a file is a collision case: it has the tables [body.a] and [body.b], or
/// [contact], or [impact].
bool is_case(const TomlDocument& document);

CollisionCase read_case(const TomlDocument& document, NamedFiles files);

/// The keys of a collision case.
std::vector<Key> case_keys();

}  // namespace beadwave::io
