// The stepper is of second order, with damping too.

#include <cmath>

#include "relative.hpp"
#include "scenarios.hpp"

using namespace beadwave;
using namespace beadwave::validation;

namespace {

/// Order between three step sizes h, h/2, h/4: log2 of the ratio of successive differences.
double order(double coarse, double middle, double fine) {
    return std::log2(std::abs(coarse - middle) / std::abs(middle - fine));
}

observers::SensorResult peak_at(const std::string& law, std::int64_t bead, double step) {
    chain::Scenario scenario = steel_chain(21, 1.77, law_settings(law), 160e-6);
    scenario.time.step = step;
    scenario.sensors = chain::Sensors{.beads = {bead}, .interval = 1e-6};
    return run(scenario).result.sensors.front();
}

}  // namespace

TEST_CASE("sensor peaks converge with the second power of the time step") {
    for (const std::string law : {"hertz", "ma-liu"}) {
        const double h = 16e-8;
        const auto coarse = peak_at(law, 12, h);
        const auto middle = peak_at(law, 12, h / 2);
        const auto fine = peak_at(law, 12, h / 4);
        const double force = order(coarse.peak_force, middle.peak_force, fine.peak_force);
        const double velocity = order(coarse.peak_velocity, middle.peak_velocity, fine.peak_velocity);
        MESSAGE(law, ": order of the peak force ", force, ", of the peak velocity ", velocity);
        CHECK(force >= 1.9);
        CHECK(velocity >= 1.9);
    }
}

TEST_CASE("the final state of two damped beads in permanent contact converges with the second power") {
    // Two precompressed beads between walls, the first given a push: all three contacts stay closed.
    const auto final_velocity = [](const std::string& law, double step) {
        chain::Scenario scenario = steel_chain(2, 0.02, law_settings(law, {{"impact_speed", 0.1}}), 40e-6);
        scenario.left.kind = scenario.right.kind = chain::EndKind::wall;
        scenario.precompression = 50.0;
        scenario.time.step = step;
        const Finished finished = run(scenario);
        for (const double force : finished.engine->contact_force()) REQUIRE(force > 0.0);
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
