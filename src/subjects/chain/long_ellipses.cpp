#include "subjects/chain/long_ellipses.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/elliptic_contact.hpp"
#include "chain/bead_places.hpp"

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

/// The warning of the contact of two cylinders at this angle [rad], of a segment and one before it.
std::optional<std::string> warning_of(const chain::Scenario& scenario, const chain::Segment& before,
                                      const chain::Segment& own, double angle, double speed) {
    const double m1 = mass_of(scenario, before), m2 = mass_of(scenario, own);
    if (!(before.radius > 0.0 && own.radius > 0.0 && m1 > 0.0 && m2 > 0.0)) return std::nullopt;
    const laws::ContactEllipse ellipse =
        laws::contact_ellipse({before.radius, straight}, {own.radius, straight}, angle);
    const laws::Contact contact =
        laws::elliptic_contact(ellipse, m1, scenario.materials.at(before.material).elasticity, m2,
                               scenario.materials.at(own.material).elasticity);
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
    const chain::BeadPlaces places(scenario);
    // What strikes one segment runs through all of them.
    double speed = 0.0;
    for (std::size_t s = 1; s < segments.size(); ++s)
        speed = std::max(speed, std::abs(segments[s].velocity - segments[s - 1].velocity));
    std::size_t first = 0;
    for (std::size_t s = 0; s < segments.size(); ++s) {
        const chain::Segment& own = segments[s];
        const auto beads = static_cast<std::size_t>(own.beads);
        // Its kinds repeat; the first bead also follows the segment before it.
        const std::size_t kinds =
            std::max({std::size_t{1}, own.pattern.size(), own.listed_shapes.size()});
        for (std::size_t bead = 0; own.length && bead < std::min(beads, kinds + 1); ++bead) {
            if (first + bead == 0) continue;
            const chain::Segment& before = places.segment(first + bead - 1);
            const double angle = places.angle(first + bead);
            if (!before.length || angle == 0.0) continue;
            try {
                if (const auto warning = warning_of(scenario, before, own, angle, speed))
                    return fmt::format("segment.{}.angle: {}", s, *warning);
            } catch (const ArgumentError&) {
                return std::nullopt;  // build_chain() says why
            }
        }
        first += beads;
    }
    return std::nullopt;
}

}  // namespace beadwave::io
