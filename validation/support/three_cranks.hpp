// A coupler, body 0, on three parallel cranks, one of them out of line: its loops repeat a
// condition, and no position is singular.
#pragma once

#include "mechanism/mechanism.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <string>

namespace beadwave::validation {

/// Cranks of 1 m from (0, 0), (1, 0.3) and (2, 0), at 60 degrees and at rest; weight along -y.
inline mechanism::Mechanism three_cranks() {
    using namespace mechanism;
    const double h = std::sqrt(0.75);
    Mechanism made;
    made.bodies = {{.name = "k", .mass = 2.0, .inertia = 0.5, .centre = {1.5, h}},
                   {.name = "a", .mass = 0.5, .inertia = 0.05, .centre = {0.25, 0.5 * h}},
                   {.name = "b", .mass = 0.5, .inertia = 0.05, .centre = {1.25, 0.3 + 0.5 * h}},
                   {.name = "c", .mass = 0.5, .inertia = 0.05, .centre = {2.25, 0.5 * h}}};
    const std::array<Vector, 3> bases{{{0.0, 0.0}, {1.0, 0.3}, {2.0, 0.0}}};
    for (std::size_t i = 0; i < 3; ++i) {
        made.joints.push_back(
            {.kind = JointKind::revolute, .bodies = {ground, i + 1}, .point = bases[i]});
        made.joints.push_back({.kind = JointKind::revolute,
                               .bodies = {i + 1, 0},
                               .point = bases[i] + Vector{0.5, h}});
    }
    made.gravity = {0.0, -9.81};
    made.end = 3.0;
    return made;
}

/// These many linkages beside each other. Those of two cranks have a condition less than those of
/// three, and none repeats another.
inline mechanism::Mechanism linkages(std::size_t count, std::size_t cranks) {
    using namespace mechanism;
    Mechanism all;
    for (std::size_t i = 0; i < count; ++i) {
        Mechanism one = three_cranks();
        one.bodies.resize(1 + cranks);
        one.joints.resize(2 * cranks);
        if (cranks == 2) {  // no parallelogram, and no two alike
            one.joints[2].point = {2.0, -0.3};
            one.joints[3].point = {2.5, 1.1 + 0.001 * static_cast<double>(i)};
            one.bodies[2].centre = {2.25, 0.4};
        }
        const std::size_t first = all.bodies.size();
        const Vector place{10.0 * static_cast<double>(i), 0.0};
        for (Body& body : one.bodies) {
            body.name += std::to_string(i);
            body.centre = body.centre + place;
            all.bodies.push_back(body);
        }
        for (Joint& joint : one.joints) {
            for (std::size_t& body : joint.bodies)
                body += body == ground ? 0 : first;
            joint.point = joint.point + place;
            all.joints.push_back(joint);
        }
    }
    all.gravity = {0.0, -9.81};
    all.end = 3.0;
    return all;
}

}  // namespace beadwave::validation
