#include "packing/build/build_laws.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/walls/wall_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::packing {

void add_friction(const PairPlan& plan, laws::Friction& friction) {
    if (plan.friction) friction.coefficient = *plan.friction;
    if (plan.static_friction) friction.static_coefficient = plan.static_friction;
    if (plan.stribeck_speed) friction.stribeck_speed = *plan.stribeck_speed;
    if (plan.stribeck_exponent) friction.stribeck_exponent = *plan.stribeck_exponent;
    if (plan.viscous_friction) friction.viscous_coefficient = *plan.viscous_friction;
    if (!plan.damping && !plan.damping_ratio && !plan.damping_factor && !plan.normal_damping_factor)
        return;
    friction.damping = plan.damping.value_or(0.0);
    friction.damping_ratio = plan.damping_ratio.value_or(0.0);
    friction.damping_factor = plan.damping_factor.value_or(0.0);
    friction.normal_damping_factor = plan.normal_damping_factor.value_or(0.0);
}

void add_pairs(const Scenario& scenario, Packing& packing) {
    const auto& list = packing.species_list;
    for (const PairPlan& plan : scenario.pairs) {
        PairSettings pair{.species = {},
                          .law = plan.law,
                          .friction = packing.friction,
                          .rolling = packing.rolling};
        bool occurs = true;
        for (std::size_t side = 0; side < 2; ++side) {
            const auto found = std::ranges::find(list, plan.materials[side], &Species::name);
            occurs = occurs && found != list.end();
            pair.species[side] = static_cast<std::size_t>(found - list.begin());
        }
        add_friction(plan, pair.friction);
        if (plan.rolling) pair.rolling.coefficient = *plan.rolling;
        if (plan.twisting) pair.rolling.twisting_coefficient = *plan.twisting;
        if (occurs) packing.pairs.push_back(std::move(pair));
    }
}

void resolve_impact_speed(const Scenario& scenario, Packing& packing) {
    if (!packing.law.is("impact_speed", "initial")) return;
    constexpr std::size_t most_velocities = 1000;
    std::vector<Vec3> velocities;
    const auto add = [&](const Vec3& v) {
        if (std::ranges::find(velocities, v) == velocities.end()) velocities.push_back(v);
        return velocities.size() <= most_velocities;
    };
    for (const Wall& wall : packing.walls)
        add(wall_velocity(wall, 0.0));
    bool few_velocities = true;
    packing.velocity.each_stretch([&](std::size_t, std::size_t, const Vec3& v) {
        few_velocities = few_velocities && add(v);
    });
    double fastest = 0.0;
    for (const Vec3& a : velocities) {
        for (const Vec3& b : velocities)
            fastest = std::max(fastest, std::sqrt(dot(a - b, a - b)));
    }
    const auto depends = [&](const laws::Settings& law) {
        return packing.has_line_contacts() ? laws::line_depends_on_impact_speed(law)
                                           : laws::depends_on_impact_speed(law);
    };
    const bool any_depends =
        depends(packing.law) || std::ranges::any_of(packing.pairs, depends, &PairSettings::law);
    const bool known = few_velocities && fastest > 0.0;
    if (!any_depends && !known) fastest = 1.0;  // any value
    if (any_depends && !known) {
        scenario.origin.fail(
            "law.impact_speed",
            fmt::format(
                "\"initial\" is the largest difference of two velocities at the start, and {}; "
                "expected a number above 0, in m/s, or \"per-contact\" with law.min_impact_speed",
                few_velocities
                    ? "nothing approaches there"
                    : fmt::format("there are more than {} different ones", most_velocities)));
    }
    packing.law.values.insert_or_assign("impact_speed", fastest);
    for (PairSettings& pair : packing.pairs)
        pair.law.values.insert_or_assign("impact_speed", fastest);
}

void check_laws(const Scenario& scenario, const Packing& packing) {
    if (packing.is_rigid()) return;  // validate() has checked its numbers
    at_key(scenario, "law.name", [&] {
        PairLaws laws(packing);
        std::vector<std::uint32_t> one_of_each;
        packing.species.each_stretch([&](std::size_t i, std::size_t, std::uint16_t species) {
            if (std::ranges::none_of(one_of_each, [&](std::uint32_t other) {
                    return packing.species[other] == species;
                }))
                one_of_each.push_back(static_cast<std::uint32_t>(i));
        });
        for (const std::uint32_t a : one_of_each) {
            for (const std::uint32_t b : one_of_each)
                laws.kind(a, b);
            for (std::size_t w = 0; w < packing.walls.size(); ++w)
                laws.kind(a, static_cast<std::uint32_t>(packing.particles() + w));
        }
    });
}

}  // namespace beadwave::packing
