// The funnel of triangles in configs/ does what its header says.

#include "chaotic.hpp"
#include "largest.hpp"
#include "packing_config_runs.hpp"
#include "sanitised.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace beadwave::validation::mesh_funnel_test {

using packing::Vec3;

TEST_CASE("configs/mesh_funnel.toml: all spheres come through and rest on the disc" *
          doctest::skip(sanitised)) {
    std::vector<Vec3> place;
    double on_disc = 0.0, on_others = 0.0;
    running::Sinks sinks;
    sinks.snapshot = [&](auto, double time, running::System& system) {
        if (time < 0.999) return;
        const packing::PackingEngine& engine = engine_of(system);
        const std::size_t n = engine.particles();
        place = engine.displacement();
        for (const packing::ContactState& contact : engine.contacts()) {
            if (contact.second < n) continue;
            (contact.second == n + 1 ? on_disc : on_others) +=
                contact.normal_force.z + contact.tangential_force.z;
        }
    };
    const Run run = run_packing_config("mesh_funnel", {}, sinks);
    REQUIRE(place.size() == 200);
    double weight = 0.0;
    Largest highest;
    for (std::size_t i = 0; i < place.size(); ++i) {
        weight += 9.81 * run.packing.mass[i];
        const Vec3 at = run.packing.position[i] + place[i];
        highest.enter(at.z);
        CHECK(std::hypot(at.x, at.y) < 0.02);
        CHECK(at.z > -0.05);
    }
    CHECK(highest < -0.03);  // the funnel ends at -0.012 m
    CHECK_BETWEEN(on_disc / weight, 0.95, 1.05);
    CHECK_BETWEEN((on_disc + on_others) / weight, 0.99, 1.01);
    CHECK(run.finished.result.ledger.translational <
          1e-6 * run.finished.result.ledger.external_work);
}

}  // namespace beadwave::validation::mesh_funnel_test
