// configs/bonded_chain.toml: where a blow tears a bonded chain, compared with its closed form.

#include "config_runs.hpp"
#include "relative.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::validation::configs_bonds_test {

namespace {

/// The steps at which the bonds broke, by contact; 0: intact. And the time step [s].
struct Torn {
    std::vector<double> step;
    double dt = 0.0;
    double broken_energy = 0.0, dissipated = 0.0, worst_error = 0.0;

    std::size_t first() const {
        std::size_t found = 0;
        for (std::size_t c = 0; c < step.size(); ++c) {
            if (step[c] > 0.0 && (found == 0 || step[c] < step[found])) found = c;
        }
        return found;
    }
};

Torn torn(const std::vector<std::string>& overrides) {
    const Finished finished = run_config("bonded_chain", overrides);
    Torn found{.dt = finished.time_step.step};
    for (const dynamics::StateColumn& column : finished.engine->state()) {
        if (column.name == "bond_broken_at")
            found.step.assign(column.values.begin(), column.values.end());
    }
    found.broken_energy = finished.result.ledger.broken_energy;
    found.dissipated = finished.result.ledger.dissipated;
    found.worst_error = finished.result.largest_relative_energy_error;
    return found;
}

}  // namespace

TEST_CASE(
    "bonded_chain: the blow tears the chain where its reflection first exceeds the strength") {
    constexpr double beads = 300.0, m = 0.45e-3, k = 1e6, peak = 40.0, rise = 0.64e-3,
                     fall = 2.56e-3;
    const double per_bead = std::sqrt(m / k);  // time in which the wave passes one bead [s]
    CHECK_RELATIVE((2.0 * 2.38e-3 + 1e-4) / per_bead, 229.0, 1e-3);
    for (const double strength : {12.0, 20.0, 28.0}) {
        CAPTURE(strength);
        const Torn found = torn({"bond.0.strength=" + std::to_string(strength)});
        // Contact c is beads - c contacts from the free end.
        const double place = fall * strength / (2.0 * peak * per_bead);
        const double time = beads * per_bead + rise + place * per_bead;
        const std::size_t first = found.first();
        MESSAGE("strength ", strength, " N: tears ", beads - static_cast<double>(first),
                " beads from the end (", place, ") after ", found.step[first] * found.dt, " s (",
                time, ")");
        // The lattice rounds the corner of the pulse over (beads)^(1/3)/2 = 3 beads.
        CHECK_ABSOLUTE(beads - static_cast<double>(first), place, 3.0);
        CHECK_RELATIVE(found.step[first] * found.dt, time, 1e-2);
        const auto torn = std::ranges::count_if(found.step, [](double s) { return s > 0.0; });
        MESSAGE(torn, " bonds torn, ", found.broken_energy, " J");
        // Each had stored F^2/(2 k), up to what the spring exceeds its strength by in a step.
        CHECK_RELATIVE(found.broken_energy,
                       static_cast<double>(torn) * strength * strength / (2.0 * k), 1e-2);
        // Nothing else dissipates; the work of the bonds is known to (dt^2/8) sum m a^2.
        CHECK_RELATIVE(found.dissipated, found.broken_energy, 1e-5);
        CHECK(found.worst_error < 1e-5);
    }
}

TEST_CASE("bonded_chain: strong bonds hold, and the blow comes back as it came") {
    const Torn found = torn({"bond.0.strength=45"});
    CHECK(found.broken_energy == 0.0);
    CHECK(std::ranges::count(found.step, 0.0) == 300);
}

}  // namespace beadwave::validation::configs_bonds_test
