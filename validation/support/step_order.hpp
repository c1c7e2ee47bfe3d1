// The order of accuracy in the time step, measured on one collision.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "beadwave/laws/collision.hpp"
#include "chain/build_chain.hpp"
#include "scenarios.hpp"

#include <cmath>

namespace beadwave::validation {

/// Slope of the least-squares line through (ln h, ln error), h = 1, 1/2, 1/4 ...
inline double slope_of_halvings(const std::vector<double>& errors) {
    const auto n = static_cast<double>(errors.size());
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (std::size_t i = 0; i < errors.size(); ++i) {
        const double ln_h = -std::log(2.0) * static_cast<double>(i);
        x += ln_h;
        y += std::log(errors[i]);
        xx += ln_h * ln_h;
        xy += ln_h * std::log(errors[i]);
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

/// Rebound speed of the second of two steel beads, hit by the first at `speed` after a gap that it
/// crosses in `waits` steps, by velocity Verlet with `steps` steps per contact.
inline double rebound_by_steps(const laws::Settings& law, double speed, double duration,
                               double steps, double waits) {
    const double step = duration / steps;
    chain::Scenario scenario = steel_chain(2, speed, law, duration);
    scenario.segments.back().gap = waits * speed * step;
    const chain::Chain chain = chain::build_chain(scenario);
    const auto engine = dynamics::make_plain_engine(chain, step);
    dynamics::SensorTrace none;
    engine->advance(static_cast<std::int64_t>(1.25 * steps) + 2, none);
    return engine->velocity()[1] - engine->velocity()[0];
}

/// Slope of the error of the rebound speed over the time step, by least squares through six steps,
/// each half of the one before. The error is a root mean square over the phases within a step at
/// which the contact starts and ends. `coarsest`: steps per contact at the largest step.
inline double measured_step_order(const laws::Settings& law, int coarsest, double speed = 1.77) {
    const chain::Chain pair = chain::build_chain(steel_chain(2, speed, law, 1e-6));
    const auto exact = laws::collide(pair.contacts.at(1), pair.contacts.effective_mass(1), speed);
    std::vector<double> errors;
    for (int halving = 0; halving < 6; ++halving) {
        constexpr int phases = 64;
        double square = 0.0;
        for (int phase = 0; phase < phases; ++phase) {
            const double closes = (phase + 0.37) / phases, ends = closes * 23.0;
            const double steps = (coarsest << halving) + ends - std::floor(ends);
            const double found = rebound_by_steps(law, speed, exact.duration, steps, closes);
            square += std::pow(found / exact.rebound_speed - 1.0, 2) / phases;
        }
        errors.push_back(std::sqrt(square));
    }
    return slope_of_halvings(errors);
}

}  // namespace beadwave::validation
