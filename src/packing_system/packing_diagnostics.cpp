#include "packing_system/packing_diagnostics.hpp"

#include "packing/build/particle_shapes.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/shaped/shaped_step.hpp"
#include "packing/step/time_step.hpp"
#include "packing/walls/mesh_place.hpp"
#include "packing/walls/wall_motion.hpp"
#include "running/diagnostics.hpp"

#include <cmath>

namespace beadwave::running {
namespace {

using packing::Packing;

std::string steep_contact(const Packing& packing, packing::PairLaws& laws,
                          const stepping::TimeStep& time_step) {
    if (packing.has_shapes()) {
        for (const packing::ShapedImpact& impact : packing::possible_shaped_impacts(packing)) {
            const std::string warning = steep_damping(impact.law.normal, impact.mass(), time_step);
            if (!warning.empty()) return warning;
        }
        return {};
    }
    for (const packing::PossibleContact& contact : packing::possible_contacts(packing)) {
        const auto& law = laws.law(laws.kind(contact.first, contact.second)).normal;
        const std::string warning = steep_damping(law, contact.mass, time_step);
        if (!warning.empty()) return warning;
    }
    return {};
}

/// Checks driven walls that touch a particle, or reach it within so few steps that one step more or
/// less changes their speed at that moment.
std::string gentle_wall(const Packing& packing, packing::PairLaws& laws,
                        const stepping::TimeStep& time_step) {
    constexpr int few_steps = 100;
    constexpr double touching = 1e-6;  // of the radius; more is an intended gap or overlap
    for (std::size_t w = 0; w < packing.walls.size(); ++w) {
        const packing::Wall& wall = packing.walls[w];
        if (!wall.drive) continue;
        const packing::ClosestInBox closest(wall, packing.box);
        const auto after = [&](int steps) { return steps * time_step.step; };
        for (std::size_t i = 0; i < packing.particles(); ++i) {
            if (packing.waits(i)) continue;
            const packing::SurfacePoint at = closest(packing.position[i], {});
            const auto speed = [&](int steps) {
                return dot(at.normal, wall_velocity(wall, after(steps)));
            };
            const double gap = at.distance - reach_of(packing, i, -at.normal);
            if (!(std::abs(gap) < touching * packing.radius[i])) continue;
            int steps = 0;
            while (steps < few_steps && dot(at.normal, wall_displacement(wall, after(steps))) < gap)
                ++steps;
            const auto kind = laws.kind(static_cast<std::uint32_t>(i),
                                        static_cast<std::uint32_t>(packing.particles() + w));
            const std::string warning =
                gentle_start("wall", laws.law(kind).normal, speed(steps), speed(steps + 1));
            if (!warning.empty()) return warning;
        }
    }
    return {};
}

}  // namespace

std::vector<std::string> diagnose(const Packing& packing, const stepping::TimeStep& time_step) {
    if (packing.is_rigid()) return {};  // all of them are about forces
    packing::PairLaws laws(packing);
    std::vector<std::string> warnings;
    for (const std::string& warning :
         {steep_contact(packing, laws, time_step), gentle_wall(packing, laws, time_step)}) {
        if (!warning.empty()) warnings.push_back(warning);
    }
    return warnings;
}

}  // namespace beadwave::running
