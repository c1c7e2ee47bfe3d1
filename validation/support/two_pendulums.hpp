// The two pendulums of Poursina2020 section 6 as a mechanism. papers/poursina2020/pendulums.hpp
// lists the assumptions that the paper does not state.
#pragma once

#include "mechanism/simulate.hpp"

#include <cmath>
#include <numbers>
#include <variant>

namespace beadwave::validation {

inline mechanism::Mechanism two_pendulums(std::variant<laws::Settings, mechanism::Impulse> law,
                                          double stiffness, double accuracy) {
    constexpr double m1 = 1.0, m2 = 0.2, L1 = 6.0, L2 = 4.0, a = 2.0;
    const double angle = std::numbers::pi / 12.0;
    const double s = std::sin(angle), c = std::cos(angle);
    mechanism::Mechanism made;
    made.gravity = {0.0, -9.81};
    made.bodies = {{.name = "one",
                    .mass = m1,
                    .inertia = m1 * L1 * L1 / 12.0,
                    .centre = {0.5 * L1 * s, -0.5 * L1 * c}},
                   {.name = "two",
                    .mass = m2,
                    .inertia = m2 * L2 * L2 / 12.0,
                    .centre = {-a - 0.5 * L2, 0.0}}};
    made.joints = {{.kind = mechanism::JointKind::revolute,
                    .bodies = {mechanism::ground, 0},
                    .point = {0.0, 0.0}},
                   {.kind = mechanism::JointKind::revolute,
                    .bodies = {mechanism::ground, 1},
                    .point = {-a, 0.0}}};
    made.contacts = {{.name = "tip",
                      .bodies = {1, 0},
                      .geometry = mechanism::PointLine{.point = {-a - L2, 0.0},
                                                       .line_point = {0.0, 0.0},
                                                       .normal = {-c, -s}},
                      .materials = mechanism::Stiffness{stiffness},
                      .law = std::move(law)}};
    made.end = 8.0;
    made.accuracy = accuracy;
    return made;
}

}  // namespace beadwave::validation
