// What random mechanisms of the tests have beside their subject: a block that slides to rest under
// friction, and a resume in the middle of the run.
#pragma once

#include "mechanism/simulate.hpp"
#include "relative.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace beadwave::validation {

/// Adds a block on a slider of the ground with friction mu. Its index.
inline std::size_t add_block(mechanism::Mechanism& made, double speed, double mu) {
    using namespace mechanism;
    made.bodies.push_back({.name = "block",
                           .mass = 0.7,
                           .inertia = 0.02,
                           .centre = {5.0, 0.0},
                           .velocity = Vector{speed, 0.0}});
    made.joints.push_back({.kind = JointKind::slider,
                           .bodies = {ground, made.bodies.size() - 1},
                           .axis = {1.0, 0.0},
                           .friction = JointFriction{.coefficient = mu, .length = 0.1}});
    return made.bodies.size() - 1;
}

/// Its place after a time, with gravity along -y: v t - mu g t^2 / 2 until it rests.
inline double place_of_block(double speed, double mu, double gravity, double time) {
    const double rest = speed / (mu * gravity);
    const double moving = std::min(time, rest);
    return 5.0 + speed * moving - 0.5 * mu * gravity * moving * moving;
}

/// The last sample; with `resumed`, that of a run that continues from the middle, which must be
/// that of the whole run to the bit.
inline mechanism::Sample last_sample(const mechanism::Mechanism& made, bool resumed,
                                     const mechanism::SampleCallback& on_sample = {}) {
    using namespace mechanism;
    std::vector<std::vector<double>> states;
    Sinks sinks;
    sinks.sample = on_sample;
    sinks.checkpoint_due = [&](std::int64_t) { return resumed; };
    sinks.checkpoint = [&](std::int64_t, const std::vector<double>& state) {
        states.push_back(state);
    };
    const Result whole = simulate(made, sinks);
    if (states.empty()) return whole.last;
    const Result rest = simulate(made, Sinks{.sample = on_sample}, &states[states.size() / 2]);
    CHECK(rest.steps == whole.steps);
    for (std::size_t i = 0; i < made.bodies.size(); ++i) {
        CHECK(rest.last.bodies[i].centre == whole.last.bodies[i].centre);
        CHECK(rest.last.bodies[i].velocity == whole.last.bodies[i].velocity);
        CHECK(rest.last.bodies[i].acceleration == whole.last.bodies[i].acceleration);
    }
    for (std::size_t j = 0; j < made.joints.size(); ++j)
        CHECK(rest.last.joints[j].force == whole.last.joints[j].force);
    return rest.last;
}

}  // namespace beadwave::validation
