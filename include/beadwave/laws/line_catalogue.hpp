// The list of line-contact laws: two parallel cylinders.
// Some share their name with a sphere law; a line contact uses the line law.
//
// To add one: its maker and one row in src/laws/line/line_catalogue.cpp.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/line_contact.hpp"
#include "beadwave/laws/line_law.hpp"
#include "beadwave/laws/settings.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::laws {

struct LineEntry {
    std::string name;
    std::vector<std::string> aliases;
    bool external;      ///< also for cylinders side by side; all are for a pin in a hole
    bool flat = false;  ///< also for a cylinder on a flat
    std::string equation;
    std::vector<Parameter> parameters;  ///< the law's own and those of its damping
    std::string limit;                  ///< the overlap at which the law ends
    std::string validity;
    std::string source;  ///< paper key and equation
    /// The elastic force. Throws ArgumentError if the law does not hold for these cylinders.
    LineSpring (*make)(const LineContact&, const Settings&) = nullptr;
};

/// All line laws, in the order in which they are shown.
std::span<const LineEntry> line_catalogue();

/// The parameters that every line law has beside its own: those of its damping.
std::span<const Parameter> line_damping_parameters();

/// The line law of that name or alias; null if there is none.
const LineEntry* find_line(std::string_view name);

/// Names and aliases of all line laws.
std::vector<std::string> known_line_names();

/// Builds the law of one contact that closes at `speed` [m/s], the impact speed unless the settings
/// give a number. Throws ArgumentError if the law does not hold for these cylinders.
LineLaw make_line(const LineContact&, const Settings&, double speed);

/// Builds the law for chains and packings. The impact speed is a number or "per-contact".
AnyLaw make_line_force(const LineContact&, const Settings&);

/// Whether the law's numbers depend on its impact speed, one for all contacts.
bool line_depends_on_impact_speed(const Settings&);

}  // namespace beadwave::laws
