#include "subjects/chain/long_ellipses.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/elliptic_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace beadwave::io {
namespace {

constexpr double straight = std::numeric_limits<double>::infinity();

/// 0 where build_chain() finds that it is missing.
double mass_of(const chain::Scenario& scenario, const chain::Segment& segment) {
    const double density = scenario.materials.at(segment.material).density.value_or(0.0);
    return segment.mass.value_or(density * std::numbers::pi * segment.radius * segment.radius *
                                 *segment.length);
}

/// The warning of the contact between a segment's first bead and the segment before it.
std::optional<std::string> warning_of(const chain::Scenario& scenario, const chain::Segment& before,
                                      const chain::Segment& own) {
    const double m1 = mass_of(scenario, before), m2 = mass_of(scenario, own);
    if (!(before.radius > 0.0 && own.radius > 0.0 && m1 > 0.0 && m2 > 0.0)) return std::nullopt;
    const laws::ContactEllipse ellipse =
        laws::contact_ellipse({before.radius, straight}, {own.radius, straight}, own.angle);
    const laws::Contact contact =
        laws::elliptic_contact(ellipse, m1, scenario.materials.at(before.material).elasticity, m2,
                               scenario.materials.at(own.material).elasticity);
    const double speed = std::abs(before.velocity - own.velocity);
    // m v^2 / 2 = (2/5) K overlap^(5/2)
    const double overlap =
        std::pow(1.25 * contact.mass * speed * speed / contact.stiffness, 2.0 / 5.0);
    const double force =
        std::max(contact.stiffness * std::pow(overlap, 1.5), scenario.precompression.value_or(0.0));
    return laws::too_long(ellipse, force, contact.modulus, std::min(*own.length, *before.length));
}

}  // namespace

std::optional<std::string> long_ellipse(const chain::Scenario& scenario) {
    const auto& segments = scenario.segments;
    for (std::size_t s = 0; s < segments.size(); ++s) {
        const chain::Segment& own = segments[s];
        const chain::Segment& before = segments[s > 0 ? s - 1 : 0];
        if (!own.length || !before.length || own.angle == 0.0) continue;
        try {
            if (const auto warning = warning_of(scenario, before, own))
                return fmt::format("segment.{}.angle: {}", s, *warning);
        } catch (const ArgumentError&) {
            return std::nullopt;  // build_chain() says why
        }
    }
    return std::nullopt;
}

}  // namespace beadwave::io
