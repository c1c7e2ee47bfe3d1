// configs/: rows of few or unequal beads, compared with a plain integration of Newton's equations
// and with the literature.

#include "config_runs.hpp"
#include "plain_chain.hpp"
#include "relative.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace beadwave::validation::configs_blows_test {

namespace {

// With a thousand steps per contact the error of velocity Verlet is about 1e-6. The error of the
// parabola is smaller.
constexpr double against_plain = 2e-5;

void check_velocity_peaks(const Finished& finished, const PlainChain& plain) {
    for (const observers::SensorResult& sensor : finished.result.sensors) {
        if (sensor.body == 0 || sensor.peak_velocity < 0.0)
            continue;  // the striker is fastest at the start
        CAPTURE(sensor.body);
        const auto bead = static_cast<std::size_t>(sensor.body);
        // A bead that flies off is fastest at the end.
        CHECK_RELATIVE(sensor.peak_velocity,
                       std::max(plain.velocity_peak[bead].value, plain.velocity[bead]),
                       against_plain);
    }
}

}  // namespace

TEST_CASE(
    "newtons_cradle: the last ball leaves with 0.989 of the speed, the one before with 0.127, the "
    "others move back") {
    const Finished finished = run_config("newtons_cradle");
    PlainChain plain = plain_row(5, 10e-3, 7850.0, 210e9, 0.3, 1.0);
    plain.run(800e-6, 2e-7);
    const auto v = finished.engine->velocity();
    for (std::size_t i = 0; i < 5; ++i)
        CHECK_ABSOLUTE(v[i], plain.velocity[i], against_plain);
    CHECK_ABSOLUTE(v[4], 0.989, 5e-4);
    CHECK_ABSOLUTE(v[3], 0.127, 5e-4);
    CHECK_ABSOLUTE(v[2], -0.014, 5e-4);
    CHECK_ABSOLUTE(v[1], -0.030, 5e-4);
    CHECK_ABSOLUTE(v[0], -0.071, 5e-4);
    CHECK_RELATIVE(std::accumulate(v.begin(), v.end(), 0.0), 1.0, 1e-12);
    CHECK_RELATIVE(std::inner_product(v.begin(), v.end(), v.begin(), 0.0), 1.0, 1e-7);
}

TEST_CASE("newtons_cradle: the speeds do not depend on the scale") {
    const Finished one = run_config("newtons_cradle");
    const Finished other = run_config(
        "newtons_cradle", {"segment.0.velocity=0.3", "material.steel.youngs_modulus=70e9",
                           "segment.0.radius=3e-3", "segment.1.radius=3e-3"});
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK_ABSOLUTE(other.engine->velocity()[i] / 0.3, one.engine->velocity()[i], 1e-6);
    }
}

TEST_CASE("newtons_cradle: with gaps only one ball leaves, as in the toy") {
    const Finished finished = run_config("newtons_cradle", {"segment.1.gap=1e-4"});
    for (std::size_t i = 0; i < 4; ++i)
        CHECK_ABSOLUTE(finished.engine->velocity()[i], 0.0, 1e-6);
    CHECK_ABSOLUTE(finished.engine->velocity()[4], 1.0, 1e-6);
}

TEST_CASE("tapered: velocity grows from bead to bead nearly as in binary collisions") {
    const Finished finished = run_config("tapered");
    std::vector<double> radii;
    for (int i = 0; i <= 20; ++i)
        radii.push_back(10e-3 * std::pow(0.95, i));
    PlainChain plain = plain_row(radii, 7850.0, 193e9, 0.3, 0.5);
    plain.run(400e-6, 2e-8);
    check_velocity_peaks(finished, plain);
    CHECK_ABSOLUTE(at_bead(finished, 20).peak_velocity, 1.98, 0.005);
    const double binary = 2.0 / (1.0 + std::pow(0.95, 3));
    const double growth =
        std::pow(at_bead(finished, 18).peak_velocity / at_bead(finished, 8).peak_velocity, 0.1);
    // The approximation ignores that more than two beads touch at the same time.
    CHECK_RELATIVE(growth, binary, 0.005);
    CHECK_RELATIVE(at_bead(finished, 10).peak_velocity, 0.63 * 0.5 * std::pow(binary, 10), 0.01);
}

TEST_CASE("decorated: small beads between the large ones reduce the force on the wall") {
    const auto wall_force = [](std::vector<double> radii) {
        PlainChain plain = plain_row(radii, 7850.0, 193e9, 0.3, 1.0);
        plain.stiffness.push_back(0.5 * hertz_rigid_flat(radii.back(), 193e9, 0.3));
        plain.run(500e-6, 2e-8);
        return plain.force_peak.back().value;
    };
    std::vector<double> decorated{8e-3}, bare{8e-3};
    for (int i = 0; i < 20; ++i) {
        decorated.push_back((i % 2 == 0 ? 3.2e-3 : 8e-3) * std::pow(0.965, i));
        bare.push_back(8e-3 * std::pow(0.965, i));
    }
    const double with = contact_peaks("decorated", {}, "2e-8").back();
    const double without =
        contact_peaks("decorated", {"segment.1.pattern=[{ radius = 8e-3 }]", "time.end=400e-6"},
                      "2e-8")
            .back();
    MESSAGE("largest force on the wall ", with, " N, without small beads ", without, " N");
    // With samples every 20 ns the error of the peak of a 10 us pulse is at most 2e-5.
    CHECK_RELATIVE(with, wall_force(decorated), 1e-4);
    CHECK_RELATIVE(without, wall_force(bare), 1e-4);
    CHECK(with < 0.7 * without);
}

TEST_CASE("disorder: the peak decays with the square of the disorder") {
    const Finished finished = run_config("disorder");
    PlainChain plain = plain_row(finished.chain.radius, 7850.0, 193e9, 0.3, 1.0);
    plain.run(2.3e-3, 1e-7);
    check_velocity_peaks(finished, plain);

    const auto loss = [](const std::string& disorder) {
        double sum = 0.0;
        for (int seed = 1; seed <= 12; ++seed) {
            const Finished sample =
                run_config("disorder", {"segment.1.disorder=" + disorder,
                                        "segment.1.seed=" + std::to_string(seed),
                                        "sensors.beads=[10,130]", "time.step=1e-7"});
            sum += std::log(at_bead(sample, 10).peak_force / at_bead(sample, 130).peak_force);
        }
        return sum / 12.0;
    };
    const double strong = loss("0.05"), weak = loss("0.025");
    MESSAGE("logarithm of the loss from bead 10 to 130: ", strong, " at 5 %, ", weak, " at 2.5 %");
    CHECK(strong > 0.1);
    // Twelve samples of a number whose scatter is as large as the number.
    CHECK_ABSOLUTE(strong / weak, 4.0, 1.5);
    const Finished even = run_config("disorder", {"segment.1.disorder=0", "segment.1.seed=0"});
    CHECK_RELATIVE(at_bead(even, 130).peak_force, at_bead(even, 40).peak_force, 1e-5);
}

}  // namespace beadwave::validation::configs_blows_test
