// configs/: chains whose beads carry something, compared with closed forms.

#include "chain/build_chain.hpp"
#include "config_runs.hpp"
#include "linear/chain_operator.hpp"
#include "modes/chain_bands.hpp"
#include "plain_chain.hpp"
#include "relative.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::configs_elements_test {

namespace {

constexpr double pi = std::numbers::pi;

/// Amplitudes [m/s] at a frequency of all sensors from a time on, in a Hann window: other
/// frequencies, which the start excites, do not count.
std::vector<double> amplitudes(const std::string& config, double frequency, double from, double end,
                               std::vector<std::string> overrides) {
    overrides.push_back("time.end=" + std::to_string(end));
    std::vector<std::array<double, 2>> sums;
    double count = 0.0;
    running::Sinks sinks;
    sinks.sensors = [&](std::int64_t, double time, std::span<const double>,
                        std::span<const double> velocity) {
        sums.resize(velocity.size());
        if (time < from) return;
        const double window = 1.0 - std::cos(2.0 * pi * (time - from) / (end - from));
        count += window;
        for (std::size_t s = 0; s < velocity.size(); ++s) {
            sums[s][0] += window * velocity[s] * std::cos(2.0 * pi * frequency * time);
            sums[s][1] += window * velocity[s] * std::sin(2.0 * pi * frequency * time);
        }
    };
    run_config(config, overrides, sinks);
    std::vector<double> found;
    for (const auto& [a, b] : sums)
        found.push_back(2.0 * std::hypot(a, b) / count);
    return found;
}

}  // namespace

TEST_CASE("mass_in_mass: in the gap of local resonance the motion falls from bead to bead") {
    const double a = hertz_spheres(2.38e-3, 2.38e-3, 193e9, 0.3);
    const double k = 1.5 * std::pow(a, 2.0 / 3.0) * std::cbrt(20.0);
    constexpr double m = 0.45e-3, inner = 0.45e-3, spring = 4e6, resonance = spring / inner;
    const auto square_of_sine = [&](double frequency) {  // sin^2(q/2)
        const double w = std::pow(2.0 * pi * frequency, 2);
        return m * w * (1.0 + inner / m * resonance / (resonance - w)) / (4.0 * k);
    };
    CHECK_RELATIVE(k, 11.7e6, 2e-3);
    // The edges of the bands, as the head of the file says.
    CHECK_RELATIVE(square_of_sine(14.3551e3), 1.0, 1e-4);
    CHECK_RELATIVE(square_of_sine(53.6741e3), 1.0, 1e-4);
    CHECK(std::abs(square_of_sine(21.22066e3)) < 1e-5);

    const double falls = std::exp(-2.0 * std::asinh(std::sqrt(-square_of_sine(17e3))));
    CHECK_RELATIVE(falls, 0.365, 2e-3);
    const auto in_gap = amplitudes("mass_in_mass", 17e3, 1e-3, 3e-3, {});
    MESSAGE("amplitudes in the gap: ", in_gap[0], " ", in_gap[1], " ", in_gap[2], " ", in_gap[4]);
    CHECK_RELATIVE(in_gap[1] / in_gap[0], falls, 2e-3);
    CHECK_RELATIVE(in_gap[2] / in_gap[1], falls, 2e-3);
    CHECK_RELATIVE(in_gap[3] / in_gap[2], falls, 1e-2);
    const auto below = amplitudes("mass_in_mass", 8e3, 1e-3, 3e-3, {"boundary.left.frequency=8e3"});
    MESSAGE("amplitudes below the gap: ", below[0], " ", below[4], " ", below[5]);
    CHECK_RELATIVE(below[5] / below[0], 1.0, 2e-3);
    CHECK(in_gap[4] < 1e-3 * in_gap[0]);
}

TEST_CASE("woodpile: the bending of the rods opens the gaps that the head of the file names") {
    // Rods as beams: cantilevers of half their length [Blevins], free rods of their whole length.
    constexpr double length = 80e-3, radius = 2.5e-3, density = 2187.0, modulus = 72e9;
    const double rod = density * pi * radius * radius * length;
    const double speed = std::sqrt(modulus / density) * radius / 2.0;
    const auto scenario = config("woodpile");
    const double beads = *scenario.segments[0].mass;
    double whole = beads;
    constexpr double roots[] = {1.8751040687, 4.6940911330};
    double dynamic_at_gap = beads;
    const double gap = std::pow(2.0 * pi * 3000.0, 2);
    for (std::size_t k = 0; k < 2; ++k) {
        const auto& each = scenario.elements.resonators[k];
        const double root = roots[k], omega = root * root * speed / (length * length / 4.0);
        // The part of the mass that a mode takes when its clamp is shaken.
        const double part =
            2.0 / root * (std::sinh(root) - std::sin(root)) / (std::cosh(root) + std::cos(root));
        CHECK_RELATIVE(std::sqrt(each.spring.stiffness / each.mass), omega, 1e-5);
        CHECK_RELATIVE(each.mass, part * part * rod, 1e-5);
        whole += each.mass;
        dynamic_at_gap +=
            each.mass * each.spring.stiffness / (each.spring.stiffness - gap * each.mass);
    }
    CHECK_RELATIVE(whole, rod, 1e-5);

    const auto bands =
        modes::dispersion(linear::linearise(chain::build_chain(scenario), "woodpile"))->bands;
    REQUIRE(bands.size() == 3);
    CHECK(bands[0].lower == 0.0);
    CHECK_RELATIVE(bands[0].upper, 2480.7, 1e-4);
    CHECK_RELATIVE(bands[1].upper, 13634.5, 1e-4);
    CHECK_RELATIVE(bands[2].lower, 22162.4, 1e-4);
    CHECK_RELATIVE(bands[2].upper, 34528.9, 1e-4);
    // In the limit q = 0 nothing pushes a rod: it bends as a free one. Two modes give 5e-4 more.
    CHECK_RELATIVE(bands[1].lower,
                   4.7300407449 * 4.7300407449 * speed / (length * length) / 2.0 / pi, 1e-3);

    // Crossed cylinders of one radius are as stiff as a sphere of it on a flat.
    const double k =
        1.5 *
        std::pow(4.0 / 3.0 * 72e9 / (2.0 * (1.0 - 0.17 * 0.17)) * std::sqrt(radius), 2.0 / 3.0) *
        std::cbrt(10.0);
    CHECK_RELATIVE(k, 5.91e6, 1e-3);
    const double falls = std::exp(-2.0 * std::asinh(std::sqrt(-gap * dynamic_at_gap / (4.0 * k))));
    CHECK_RELATIVE(falls, 0.633, 1e-3);
    const auto in_gap = amplitudes("woodpile", 3e3, 2e-3, 8e-3, {});
    MESSAGE("amplitudes in the gap: ", in_gap[0], " ", in_gap[1], " ", in_gap[2], " ", in_gap[4]);
    CHECK_RELATIVE(in_gap[1] / in_gap[0], falls, 5e-3);
    CHECK_RELATIVE(in_gap[2] / in_gap[1], falls, 5e-3);
    const auto below = amplitudes("woodpile", 1500.0, 2e-3, 8e-3, {"load.0.frequency=1500"});
    MESSAGE("amplitudes below the gap: ", below[0], " ", below[4], " ", below[5]);
    CHECK_RELATIVE(below[5] / below[0], 1.0, 5e-3);
}

TEST_CASE("ellipsoid_switch: crossed ellipsoids stop what parallel ones let through") {
    // Crossed, with the curvatures r/p^2 and r/q^2 in each direction, they touch on a circle.
    constexpr double r = 3e-3, p = 12e-3, q = 3e-3, frequency = 26e3;
    const double radius = 1.0 / (r / (p * p) + r / (q * q));
    const double K = 4.0 / 3.0 * 70e9 / (2.0 * (1.0 - 0.25 * 0.25)) * std::sqrt(radius);
    const double mass = 2500.0 * 4.0 / 3.0 * pi * r * p * q;
    const double k = 1.5 * std::pow(K, 2.0 / 3.0) * std::cbrt(10.0);
    const double cut_off = std::sqrt(k / mass) / pi;
    CHECK_RELATIVE(cut_off, 23.53e3, 1e-3);  // as the head of the file says
    const double falls = std::exp(-2.0 * std::acosh(frequency / cut_off));
    CHECK_RELATIVE(falls, 0.403, 1e-3);  // it too
    const auto crossed = amplitudes("ellipsoid_switch", frequency, 0.5e-3, 2e-3,
                                    {"segment.0.angle=1.5707963267948966"});
    const auto parallel = amplitudes("ellipsoid_switch", frequency, 0.5e-3, 2e-3, {});
    MESSAGE("amplitudes crossed: ", crossed[0], " ", crossed[1], " ", crossed[2], " ", crossed[3],
            "; parallel: ", parallel[0], " ", parallel[4]);
    CHECK_RELATIVE(crossed[1] / crossed[0], falls, 1e-3);
    CHECK_RELATIVE(crossed[2] / crossed[1], std::pow(falls, 3), 2e-2);
    CHECK_RELATIVE(parallel[0], 0.502e-3, 1e-3);  // the head again
    CHECK_RELATIVE(parallel[4] / parallel[0], 1.0, 1e-3);
    CHECK(crossed[3] < 1.2e-4 * parallel[3]);
}

}  // namespace beadwave::validation::configs_elements_test
