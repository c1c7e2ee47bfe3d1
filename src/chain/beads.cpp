#include "chain/beads.hpp"

#include "scenario/disorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::chain {
namespace {

std::size_t species_of(Chain& chain, const std::string& material) {
    auto& names = chain.species_names;
    const auto found = std::ranges::find(names, material);
    const auto index = static_cast<std::size_t>(found - names.begin());
    if (found == names.end()) names.push_back(material);
    return index;
}

/// Radius, mass and material of a segment's bead before taper and disorder.
struct Kind {
    double radius, mass;
    std::size_t species;
};

std::vector<Kind> kinds_of(const Scenario& scenario, std::size_t number, Chain& chain) {
    const Segment& segment = scenario.segments[number];
    const std::vector<BeadKind> pattern =
        segment.pattern.empty() ? std::vector<BeadKind>(1) : segment.pattern;
    std::vector<Kind> kinds;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const BeadKind& kind = pattern[i];
        const std::string key = segment.pattern.empty()
                                    ? fmt::format("segment.{}", number)
                                    : fmt::format("segment.{}.pattern[{}]", number, i);
        // Beads from a file have a radius each; this is that of the first.
        const double radius = kind.radius.value_or(
            segment.listed.empty() ? segment.radius : segment.listed.front().radius);
        if (!(radius > 0.0))
            scenario.origin.fail(key, "missing radius: give it here or on the segment, in m");
        const std::string& material = kind.material.value_or(segment.material);
        const auto density = scenario.materials.at(material).density;
        // A kind with its own radius or material does not inherit the mass of the segment if there
        // is a density.
        const bool own_size = segment.form == BeadForm::ellipsoid ? kind.semi_axes.has_value()
                                                                  : kind.radius.has_value();
        const bool own = own_size || kind.material;
        std::optional<double> mass = kind.mass;
        if (!segment.listed.empty()) mass = segment.listed.front().mass;
        if (!mass && !(own && density)) mass = segment.mass;
        if (!mass && density) {
            const double ball =
                kind.shape
                    .value_or(segment.listed_shapes.empty() ? segment.shape
                                                            : segment.listed_shapes.front().shape)
                    .volume;
            mass = *density * (segment.length ? std::numbers::pi * radius * radius * *segment.length
                                              : ball * std::pow(radius, 3));
        }
        if (!mass) {
            scenario.origin.fail(
                key, fmt::format("missing mass: give mass (kg) here or density (kg/m^3) on "
                                 "material \"{}\"",
                                 material));
        }
        if (!std::isnormal(radius) || !std::isnormal(*mass)) {
            const bool own_place = kind.radius || (kind.mass && std::isnormal(radius));
            const bool by_mass = std::isnormal(radius) && (kind.mass || segment.mass);
            scenario.origin.fail(
                fmt::format("{}.{}", own_place ? key : fmt::format("segment.{}", number),
                            by_mass                                  ? "mass"
                            : segment.is_spheres() || segment.length ? "radius"
                                                                     : "semi_axes"),
                fmt::format("makes beads of {:g} m and {:g} kg, outside the range of numbers",
                            radius, *mass));
        }
        kinds.push_back({radius, *mass, species_of(chain, material)});
    }
    return kinds;
}

/// A bead of a file, the b-th of segment `s`. Without a mass it has that of the segment, or one of
/// the density of its material.
void add_listed(const Scenario& scenario, const Segment& segment, const ListedBead& listed,
                const Kind& first, std::size_t s, std::size_t b, Chain& chain) {
    const double ratio = listed.radius / segment.listed.front().radius;
    double volume = segment.length ? ratio * ratio : ratio * ratio * ratio;
    if (!segment.listed_shapes.empty())
        volume *=
            segment.listed_shapes[b].shape.volume / segment.listed_shapes.front().shape.volume;
    const double mass = listed.mass.value_or(segment.mass.value_or(first.mass * volume));
    if (!std::isnormal(mass)) {
        scenario.origin.fail(fmt::format("segment.{}.file", s),
                             fmt::format("makes bead {} of this segment {:g} kg heavy, outside the "
                                         "range of numbers",
                                         b, mass));
    }
    chain.radius.push_back(listed.radius);
    chain.mass.push_back(mass);
    chain.velocity.push_back(listed.velocity.value_or(segment.velocity));
    chain.species.push_back(first.species);
}

}  // namespace

void build_beads(const Scenario& scenario, Chain& chain) {
    const std::size_t first = chain.first();
    const std::size_t last =
        chain.partition ? chain.partition->last : static_cast<std::size_t>(scenario.bead_count());
    for (std::vector<double>* column : {&chain.radius, &chain.mass, &chain.velocity})
        column->reserve(last - first);
    chain.species.reserve(last - first);
    std::size_t segment_begin = 0;
    for (std::size_t s = 0; s < scenario.segments.size(); ++s) {
        const Segment& segment = scenario.segments[s];
        const std::vector<Kind> kinds = kinds_of(scenario, s, chain);
        const std::size_t segment_end = segment_begin + static_cast<std::size_t>(segment.beads);
        for (std::size_t bead = std::max(segment_begin, first); bead < std::min(segment_end, last);
             ++bead) {
            const std::size_t b = bead - segment_begin;
            const Kind& kind = kinds[b % kinds.size()];
            double scale =
                segment.taper == 1.0 ? 1.0 : std::pow(segment.taper, static_cast<double>(b));
            if (segment.disorder > 0.0)
                scale *= scenario::disordered_radius(segment.disorder, segment.seed, b);
            if (!segment.listed.empty()) {
                const ListedBead& listed = segment.listed[b];
                add_listed(scenario, segment, listed, kind, s, b, chain);
                continue;
            }
            const double mass = kind.mass * scale * scale * (segment.length ? 1.0 : scale);
            if (!(scale > 0.0 && std::isnormal(mass) && std::isnormal(kind.radius * scale))) {
                const std::string key =
                    fmt::format("segment.{}.{}", s, segment.disorder > 0.0 ? "disorder" : "taper");
                scenario.origin.fail(
                    key, fmt::format("makes bead {} of this segment vanish, grow without bound "
                                     "or turn inside out; expected a smaller change",
                                     b));
            }
            chain.radius.push_back(kind.radius * scale);
            chain.mass.push_back(mass);
            chain.velocity.push_back(segment.velocity);
            chain.species.push_back(kind.species);
        }
        segment_begin = segment_end;
    }
}

}  // namespace beadwave::chain
