// Waves in chains of magnets: dispersion and the speed of long waves against closed forms, the
// solitary wave against the equation of the travelling wave, and chains that start in equilibrium.

#include "beadwave/running/simulation.hpp"
#include "chain/pair_table.hpp"
#include "every_engine.hpp"
#include "largest.hpp"
#include "magnet_chains.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "travelling_wave.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::pair_forces_waves_test {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double spacing = 0.02, force = 0.5;

/// Frequency [rad/s] of a standing wave with the phase q from bead to bead, in the middle of a
/// chain so long that its ends send nothing there.
double frequency(dynamics::Engine& engine, std::size_t middle, double dt, std::int64_t stride,
                 int samples) {
    std::vector<double> p;
    dynamics::SensorTrace trace;
    for (int k = 0; k < samples; ++k) {
        p.push_back(engine.velocity()[middle]);
        engine.advance(stride, trace);
    }
    double above = 0.0, below = 0.0;  // p_(n+1) + p_(n-1) = 2 cos(w step) p_n
    for (std::size_t n = 1; n + 1 < p.size(); ++n) {
        above += (p[n + 1] + p[n - 1]) * p[n];
        below += p[n] * p[n];
    }
    return std::acos(0.5 * above / below) / (dt * static_cast<double>(stride));
}

chain::Chain standing_wave(std::size_t count, double q, const chain::PairForce& pair) {
    chain::Chain chain = magnets(count, spacing, {pair}, true);
    for (std::size_t i = 1; i + 1 < count; ++i) {
        const double from_middle = static_cast<double>(i) - static_cast<double>(count / 2);
        chain.velocity[i] = 1e-7 * std::cos(q * from_middle);
    }
    return chain;
}

/// m w^2 = sum over n of 4 k_n sin^2(n q/2), k_n = p F(n d) / (n d).
double closed_form(double q, double exponent, std::size_t neighbours) {
    double sum = 0.0;
    for (std::size_t n = 1; n <= neighbours; ++n) {
        const double r = static_cast<double>(n) * spacing;
        const double k = exponent * force * std::pow(spacing / r, exponent) / r;
        sum += 4.0 * k * std::pow(std::sin(0.5 * static_cast<double>(n) * q), 2);
    }
    return std::sqrt(sum / magnet_mass);
}

}  // namespace

TEST_CASE("magnets have the dispersion of a lattice with two, three and more neighbours") {
    for (const std::size_t neighbours : {1, 2, 3, 6}) {
        for (const double q : {0.4, 1.3, 2.4, 3.1}) {
            if (sanitised && q != 2.4) continue;
            CAPTURE(neighbours);
            CAPTURE(q);
            constexpr std::size_t count = 400;
            const double expected = closed_form(q, 2.73, neighbours);
            const double dt = 2.0 * pi / expected / 2000.0;
            const chain::Chain chain =
                standing_wave(count, q, power_law(count, force, spacing, 2.73, neighbours));
            each_engine(chain, dt, [&](dynamics::Engine& engine) {
                CHECK_RELATIVE(frequency(engine, count / 2, dt, 200, 15), expected, 1e-5);
            });
        }
    }
}

TEST_CASE("long waves in magnets travel at d sqrt(k/m) with k from all neighbours") {
    for (const std::size_t neighbours : {1, 2, 3}) {
        CAPTURE(neighbours);
        double k = 0.0;  // sum of n^2 (-dF/dr)(n d)
        for (std::size_t n = 1; n <= neighbours; ++n) {
            const double r = static_cast<double>(n) * spacing;
            k += static_cast<double>(n * n) * 4.0 * force * std::pow(spacing / r, 4.0) / r;
        }
        constexpr std::size_t count = 3000;
        constexpr double q = 0.015;
        const double speed = spacing * std::sqrt(k / magnet_mass);
        const double dt = 2.0 * pi * spacing / (q * speed) / 20000.0;
        const chain::Chain chain =
            standing_wave(count, q, power_law(count, force, spacing, 4.0, neighbours));
        CHECK_RELATIVE(chain::long_wave_stiffness(chain, 1500), k, 1e-12);
        const auto engine = dynamics::make_tiled_engine(chain, dt, 1);
        const double found = frequency(*engine, count / 2, dt, 1000, 30) * spacing / q;
        CHECK_RELATIVE(found, speed, 1e-4);
    }
}

TEST_CASE("the solitary wave of magnets has the speed and the shape of the travelling wave") {
    constexpr double exponent = 2.73, half = TravellingWave::half_length;
    double before = std::sqrt(exponent * force / spacing / magnet_mass);  // long waves
    for (const double part : {0.2, 0.4}) {
        const TravellingWave wave(
            [](double compression) {
                return force * (std::pow(spacing / (spacing - compression), exponent) - 1.0);
            },
            part * spacing, magnet_mass);
        const double speed = wave.speed();
        CHECK(speed > 1.05 * before);  // faster with a larger amplitude
        before = speed;
        constexpr std::size_t count = 90;
        constexpr double start = 25.0;
        chain::Chain chain =
            magnets(count, spacing, {power_law(count, force, spacing, exponent)}, true);
        for (std::size_t i = 1; i < count; ++i) {
            const double x = static_cast<double>(i) - start;
            if (std::abs(x) < half) chain.gap[i] -= wave.compression(x);
            if (i + 1 < count && std::abs(x) < half) chain.velocity[i] = wave.velocity(x);
        }
        constexpr double distance = 40.0;
        constexpr int steps = 200000;
        const double dt = distance / speed / steps;
        const auto engine = dynamics::make_tiled_engine(chain, dt, 1);
        dynamics::SensorTrace trace;
        engine->advance(steps, trace);
        Largest worst;
        for (std::size_t i = 1; i + 1 < count; ++i) {
            const double x = static_cast<double>(i) - start - distance;
            const double expected = std::abs(x) < half ? wave.velocity(x) : 0.0;
            worst.enter(std::abs(engine->velocity()[i] - expected));
        }
        const double fastest = wave.velocity(-0.5);
        MESSAGE("peak ", part, " of the spacing: ", speed * spacing, " m/s, shape off by ",
                worst / fastest);
        CHECK(worst < 1e-6 * fastest);
    }
}

namespace {

chain::Scenario squeezed_magnets(double squeeze, std::size_t neighbours) {
    chain::Scenario scenario = steel_chain(40, 0.0, law_settings("hertz"), 1e-2);
    for (chain::Segment& segment : scenario.segments) {
        segment.radius = magnet_radius;
        segment.mass = magnet_mass;
        segment.gap = 0.012;
    }
    scenario.elements.pair_forces = {{.beads = {},
                                      .force = force,
                                      .distance = spacing,
                                      .exponent = 4.0,
                                      .neighbours = static_cast<std::int64_t>(neighbours)}};
    if (squeeze > 0.0) scenario.precompression = squeeze;
    return scenario;
}

/// The largest force on an inner bead from all pairs, written out [N].
double largest_net(const chain::Chain& chain, std::size_t neighbours) {
    std::vector<double> x{0.0}, net(chain.beads(), 0.0);
    for (std::size_t i = 1; i < chain.beads(); ++i)
        x.push_back(x.back() + 2.0 * magnet_radius + chain.gap[i]);
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        for (std::size_t n = 1; n <= neighbours && i + n < chain.beads(); ++n) {
            const double f = force * std::pow(spacing / (x[i + n] - x[i]), 4.0);
            net[i] -= f;
            net[i + n] += f;
        }
    }
    for (const chain::Load& load : chain.loads)
        net[load.bead] += load.force;
    Largest largest;
    for (std::size_t i = 1; i + 1 < chain.beads(); ++i)
        largest.enter(std::abs(net[i]));
    if (!chain.left_fixed) largest.enter(std::abs(net.front()), std::abs(net.back()));
    return largest;
}

}  // namespace

TEST_CASE("magnets start in equilibrium: between fixed ends, and under a force") {
    for (const std::size_t neighbours : {1, 2, 4}) {
        CAPTURE(neighbours);
        for (const bool squeezed : {false, true}) {
            CAPTURE(squeezed);
            chain::Scenario scenario = squeezed_magnets(squeezed ? 0.7 : 0.0, neighbours);
            if (!squeezed) {
                scenario.left.kind = scenario.right.kind = chain::EndKind::fixed;
                scenario.elements.pair_forces[0].equilibrium = true;
            }
            const chain::Chain chain = chain::build_chain(scenario);
            CHECK(largest_net(chain, neighbours) < 1e-12);
            if (neighbours == 1 && squeezed)  // F(r) = 0.7 N
                CHECK_RELATIVE(chain.gap[7] + 2.0 * magnet_radius,
                               spacing * std::pow(force / 0.7, 0.25), 1e-12);
            if (!squeezed) {
                double sum = 0.0;
                for (std::size_t c = 1; c < chain.beads(); ++c)
                    sum += chain.gap[c];
                CHECK_RELATIVE(sum, 39 * 0.012, 1e-12);
            }
            // It stays there.
            const auto step = running::choose_time_step(scenario, chain);
            const auto engine = dynamics::make_tiled_engine(chain, step.step, 1);
            dynamics::SensorTrace trace;
            engine->advance(3000, trace);
            for (const double u : engine->displacement())
                CHECK(std::abs(u) < 1e-13);
        }
    }
}

TEST_CASE("pressed together, magnets and their contacts carry the force between them") {
    const double squeeze = 50.0;
    const chain::Chain chain = chain::build_chain(squeezed_magnets(squeeze, 1));
    const double a = 4.0 / 3.0 * 193e9 / (2.0 * (1.0 - 0.09)) * std::sqrt(magnet_radius / 2.0);
    for (const std::size_t c : {std::size_t{1}, std::size_t{20}, std::size_t{39}}) {
        REQUIRE(chain.gap[c] < 0.0);
        const double r = 2.0 * magnet_radius + chain.gap[c];
        const double carried =
            a * std::pow(-chain.gap[c], 1.5) + force * std::pow(spacing / r, 4.0);
        CHECK_RELATIVE(carried, squeeze, 1e-11);
    }
}

TEST_CASE("magnets that just touch rest where contacts open and close near the ends") {
    // The forces from afar push the end beads together, by far more than their gaps at the start.
    const double a = 4.0 / 3.0 * 193e9 / (2.0 * (1.0 - 0.09)) * std::sqrt(magnet_radius / 2.0);
    constexpr double push_at_spacing = 0.65;  // about 10 N where they touch
    constexpr std::size_t neighbours = 16;
    for (const double gap : {0.0, 1e-9, 1e-7}) {
        for (const std::int64_t beads : {50, 400}) {
            CAPTURE(gap);
            CAPTURE(beads);
            chain::Scenario scenario = squeezed_magnets(0.0, neighbours);
            scenario.segments.resize(1);
            scenario.segments[0].beads = beads;
            scenario.segments[0].gap = gap;
            scenario.left.kind = scenario.right.kind = chain::EndKind::fixed;
            scenario.elements.pair_forces[0].equilibrium = true;
            scenario.elements.pair_forces[0].force = push_at_spacing;
            const chain::Chain chain = chain::build_chain(scenario);
            const std::size_t n = chain.beads();
            const std::vector<double> x = chain.positions();
            CHECK(chain.gap[1] < -1e-8);
            CHECK(chain.gap[n / 2] > gap);
            CHECK_RELATIVE(x[n - 1] - x[0],
                           static_cast<double>(n - 1) * (2.0 * magnet_radius + gap), 1e-12);
            Largest worst, largest;
            for (std::size_t i = 1; i + 1 < n; ++i) {
                double net = 0.0;
                for (std::size_t j = i - std::min(i, neighbours);
                     j < std::min(n, i + neighbours + 1); ++j) {
                    if (j == i) continue;
                    const double r = std::fabs(x[j] - x[i]);
                    const double push = push_at_spacing * std::pow(spacing / r, 4.0);
                    largest.enter(push);
                    net += j < i ? push : -push;
                }
                const auto contact = [&](std::size_t c) {
                    return chain.gap[c] < 0.0 ? a * std::pow(-chain.gap[c], 1.5) : 0.0;
                };
                net += contact(i) - contact(i + 1);
                worst.enter(std::fabs(net));
            }
            CHECK(worst < 1e-9 * largest);  // places are sums of gaps: rounding of 1e-13
        }
    }
}

TEST_CASE("an absorbing end swallows a burst in magnets that do not touch") {
    for (const std::size_t neighbours : {1, 3}) {
        CAPTURE(neighbours);
        chain::Scenario scenario = squeezed_magnets(0.5, neighbours);
        scenario.segments[1].beads = 299;
        scenario.left.kind = chain::EndKind::fixed;
        scenario.right.kind = chain::EndKind::absorbing;
        // About 0.4 of the cut-off frequency, (4 k/m)^(1/2) / (2 pi) = 71 Hz.
        scenario.elements.drives = {{.bead = 1, .motion = stepping::Drive::sine(30.0, 1e-6, 20.0)}};
        scenario.time.end = 3.4;
        const Finished finished = run(scenario);
        const recording::Ledger& ledger = finished.result.ledger;
        REQUIRE(ledger.external_work > 1e-9);
        CHECK(ledger.kinetic < 2e-3 * ledger.external_work);
        scenario.right.kind = chain::EndKind::free;
        CHECK(run(scenario).result.ledger.kinetic > 0.05 * ledger.external_work);
    }
}

TEST_CASE("magnets with nothing to hold them have no equilibrium, and say so") {
    chain::Scenario scenario = squeezed_magnets(0.0, 2);
    scenario.elements.pair_forces[0].equilibrium = true;
    CHECK_THROWS_WITH(
        chain::build_chain(scenario),
        doctest::Contains("pair_force.0.equilibrium: the beads find no place at rest: their forces "
                          "push or pull them apart, or into each other; expected ends or a "
                          "[precompression] that hold them, or no equilibrium"));
}

TEST_CASE("the chosen time step follows the stiffness of magnets that never touch") {
    chain::Scenario scenario = squeezed_magnets(0.0, 1);
    scenario.left.kind = scenario.right.kind = chain::EndKind::fixed;
    scenario.segments[1].velocity = 0.0;
    scenario.segments.insert(scenario.segments.begin() + 1, scenario.segments[1]);
    scenario.segments[1].beads = 1;
    scenario.segments[1].velocity = 0.05;
    const chain::Chain chain = chain::build_chain(scenario);
    const auto slow = running::choose_time_step(scenario, chain);
    // pi / sqrt(2 k / m) of the pairs, at the start a little longer than at the nearest approach.
    const double d = 0.012 + 2.0 * magnet_radius;
    const double k = 4.0 * force * std::pow(spacing / d, 4.0) / d;
    const double vibration = pi * std::sqrt(0.5 * magnet_mass / k);
    CHECK(slow.shortest_contact < vibration);
    CHECK(slow.shortest_contact > 0.5 * vibration);
    // Fast magnets touch, and the contact lasts far less.
    scenario.segments[1].velocity = 20.0;
    const auto fast = running::choose_time_step(scenario, chain::build_chain(scenario));
    CHECK(fast.shortest_contact < 1e-2 * vibration);
    // The energy is balanced at the chosen step.
    const Finished done = run(scenario);
    CHECK(std::abs(done.result.ledger.relative_energy_error) < 1e-4);
}

}  // namespace beadwave::validation::pair_forces_waves_test
