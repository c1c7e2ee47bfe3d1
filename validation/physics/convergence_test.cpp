// The stepper is of second order, also with damping.

#include "relative.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <vector>

namespace beadwave::validation::convergence_test {

namespace {

/// Order between three step sizes h, h/2, h/4: log2 of the ratio of successive differences.
double order(double coarse, double middle, double fine) {
    return std::log2(std::abs(coarse - middle) / std::abs(middle - fine));
}

std::vector<observers::SensorResult> peaks(const std::string& law, double step) {
    chain::Scenario scenario = steel_chain(21, 1.77, law_settings(law), 160e-6);
    scenario.time.step = step;
    scenario.sensors = scenario::Sensors{.ids = {2, 4, 6, 8, 10, 12, 14, 16}, .interval = 1e-6};
    return run(scenario).result.sensors;
}

/// Slope of the least-squares line through (ln h, ln error).
double fitted_order(const std::vector<double>& steps, const std::vector<double>& errors) {
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        x += std::log(steps[i]);
        y += std::log(errors[i]);
        xx += std::log(steps[i]) * std::log(steps[i]);
        xy += std::log(steps[i]) * std::log(errors[i]);
    }
    const auto n = static_cast<double>(steps.size());
    return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace

// One halving is not enough for Ma-Liu: the distance of the contact's reversal from the nearest
// step differs at each step size and moves the error within its h^2 envelope.
TEST_CASE("sensor peaks converge with the second power of the time step") {
    const std::vector<double> steps = {32e-8, 16e-8, 8e-8, 4e-8, 2e-8, 1e-8};
    for (const std::string law : {"hertz", "ma-liu"}) {
        const auto exact = peaks(law, 1e-9);
        std::vector<double> force_errors, velocity_errors;
        for (const double step : steps) {
            const auto found = peaks(law, step);
            double force = 0.0, velocity = 0.0;
            for (std::size_t s = 0; s < found.size(); ++s) {
                force += std::pow(found[s].peak_force / exact[s].peak_force - 1.0, 2);
                velocity += std::pow(found[s].peak_velocity / exact[s].peak_velocity - 1.0, 2);
            }
            force_errors.push_back(std::sqrt(force));
            velocity_errors.push_back(std::sqrt(velocity));
        }
        const double force = fitted_order(steps, force_errors);
        const double velocity = fitted_order(steps, velocity_errors);
        MESSAGE(law, ": order of the peak forces ", force, ", of the peak velocities ", velocity);
        CHECK(force >= 1.9);
        CHECK(velocity >= 1.9);
    }
}

TEST_CASE(
    "the final state of two damped beads in permanent contact converges with the second power") {
    // Two precompressed beads between walls, the first with a velocity: all three contacts stay
    // closed.
    const auto final_velocity = [](const std::string& law, double step) {
        chain::Scenario scenario =
            steel_chain(2, 0.02, law_settings(law, {{"impact_speed", 0.1}}), 40e-6);
        scenario.left.kind = scenario.right.kind = chain::EndKind::wall;
        scenario.precompression = 50.0;
        scenario.time.step = step;
        const Finished finished = run(scenario);
        for (const double force : finished.engine->contact_force())
            REQUIRE(force > 0.0);
        return finished.engine->velocity()[0];
    };
    for (const std::string law : {"hunt-crossley", "flores", "lankarani-nikravesh"}) {
        const double h = 8e-8;
        const double measured =
            order(final_velocity(law, h), final_velocity(law, h / 2), final_velocity(law, h / 4));
        MESSAGE(law, ": order ", measured);
        CHECK(measured >= 1.9);
    }
}

}  // namespace beadwave::validation::convergence_test
