// Everything that particles carry, in any packing.
#pragma once

#include "packing/packing.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace beadwave::validation {

/// Particles of all parts of the packing carry something, most of them at the top and the bottom.
inline void let_all_carry(packing::Packing& p) {
    using stepping::Drive;
    using stepping::ForceSignal;
    packing::Elements& all = p.elements;
    all.forces = {
        {ForceSignal::sine(2e4, 3.0), ForceSignal::constant(0.5),
         ForceSignal::table({0.0, 5e-5}, {0.0, -2.0})},
        {ForceSignal::constant(-1.0), ForceSignal::constant(0.0), ForceSignal::constant(2.0)}};
    all.motions = {{.along = {std::nullopt, Drive::sine(2e4, 2e-6), std::nullopt}, .rotates = true},
                   {.along = {Drive::steady(0.5), Drive::steady(-0.2), Drive::steady(0.3)}},
                   {.along = {Drive::steady(0.2), std::nullopt, std::nullopt},
                    .turning = std::array{Drive::sine(1e4, 5e-3), Drive::steady(60.0),
                                          Drive::with_velocities({0.0, 1e-4}, {0.0, -90.0})}}};
    for (std::size_t i = 0; i < p.particles(); ++i) {
        if (p.is_fixed(i)) continue;
        if (i % 7 == 1)
            all.foundations.push_back({i, {.stiffness = 1e5, .cubic = 1e12, .damping = 0.3}, 2e-8});
        if (i % 11 == 2) {
            all.resonators.push_back(
                {i, 0.2 * p.mass[i], {.stiffness = 2e5, .cubic = -1e10, .damping = 0.05}});
        }
        if (i % 33 == 2) all.resonators.push_back({i, 0.1 * p.mass[i], {.stiffness = 4e5}});
        if (i % 13 == 3) all.loads.push_back({i, i % 2});
        if (i % 13 == 3 && i % 3 == 0) all.loads.push_back({i, 0});
        if (i % 301 == 7) {
            const std::size_t motion = i % 3;
            all.driven.push_back({i, motion});
            const packing::PrescribedMotion& drive = all.motions[motion];
            p.velocity[i] = packing::driven_velocity(drive, p.velocity[i], 0.0);
            if (!drive.rotates)
                p.angular_velocity[i] = packing::driven_angular_velocity(drive, 0.0);
        }
    }
}

}  // namespace beadwave::validation
