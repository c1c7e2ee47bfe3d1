// configs/: small waves in compressed chains, compared with the linear theory.

#include "config_runs.hpp"
#include "largest.hpp"
#include "plain_chain.hpp"
#include "relative.hpp"

#include <boost/math/special_functions/bessel.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace beadwave::validation::configs_sound_test {

TEST_CASE("precompressed: a tap propagates as Bessel functions, like along a chain of springs") {
    const double stiffness = hertz_spheres(5e-3, 5e-3, 193e9, 0.3);
    const double overlap = std::pow(100.0 / stiffness, 2.0 / 3.0);
    const double omega =
        std::sqrt(1.5 * stiffness * std::sqrt(overlap) / sphere_mass(5e-3, 7850.0));
    Largest largest_error;
    running::Sinks sinks;
    sinks.sensors = [&](std::int64_t, double time, std::span<const double>,
                        std::span<const double> velocity) {
        const double w = 2.0 * omega * time;
        if (w == 0.0) return;
        constexpr int beads[] = {10, 20, 40, 60, 80, 100, 120, 140, 160};
        for (std::size_t s = 0; s < std::size(beads); ++s) {
            const int order = 2 * beads[s] + 1;
            const double expected = 2.0 * 1e-3 * order * boost::math::cyl_bessel_j(order, w) / w;
            largest_error.enter(std::abs(velocity[s] - expected));
        }
    };
    const Finished finished = run_config("precompressed", {"sensors.interval=5e-6"}, sinks);
    MESSAGE("largest difference ", largest_error, " m/s");
    // The springs harden: the tap moves the first contact by 2e-3 of its overlap.
    CHECK(largest_error < 1e-3 * 1e-3);

    // J_nu is largest at nu + 0.8086 nu^(1/3). This removes the dispersion from the arrival times.
    const double spacing = 2.0 * 5e-3 - overlap;
    const auto spread = [](double bead) { return 0.8086 * std::cbrt(2.0 * bead + 1.0); };
    const auto &near = at_bead(finished, 80), &far = at_bead(finished, 160);
    const double front = far.peak_velocity_time - near.peak_velocity_time -
                         (spread(160) - spread(80)) / (2.0 * omega);
    CHECK_RELATIVE(spacing * omega, 789.5, 1e-3);
    CHECK_RELATIVE(80.0 * spacing / front, spacing * omega, 1e-3);
}

TEST_CASE(
    "gravity_column: each contact carries the weight above it, and a tap propagates with the "
    "resulting stiffness") {
    const double mass = sphere_mass(5e-3, 7850.0), gravity = 9.81;
    const double stiffness = hertz_spheres(5e-3, 5e-3, 193e9, 0.3);
    const double floor = 0.5 * hertz_rigid_flat(5e-3, 193e9, 0.3);

    const Finished finished = run_config("gravity_column");
    for (std::size_t c = 1; c <= 100; ++c) {
        const double bears = static_cast<double>(c) * mass * gravity;
        const double overlap = std::pow(bears / (c == 100 ? floor : stiffness), 2.0 / 3.0);
        CHECK_RELATIVE(-finished.chain.gap[c], overlap, 1e-9);
    }

    // The same column of springs with the slopes of the contacts, integrated by the leapfrog
    // method.
    std::vector<double> spring(101), u(100), v(100), arrival(100), peak(100);
    for (std::size_t c = 1; c <= 100; ++c) {
        const double bears = static_cast<double>(c) * mass * gravity;
        spring[c] = 1.5 * std::pow(c == 100 ? floor : stiffness, 2.0 / 3.0) * std::cbrt(bears);
    }
    v[0] = 1e-5;
    constexpr double step = 2e-8;
    for (int k = 0; k < 145000; ++k) {
        for (std::size_t i = 0; i < 100; ++i)
            u[i] += step * v[i];
        for (std::size_t i = 0; i < 100; ++i) {
            const double above = i > 0 ? spring[i] * (u[i - 1] - u[i]) : 0.0;
            const double below = spring[i + 1] * (u[i] - (i < 99 ? u[i + 1] : 0.0));
            v[i] += step * (above - below) / mass;
            if (v[i] > peak[i]) peak[i] = v[i], arrival[i] = (k + 1) * step;
        }
    }
    for (const observers::SensorResult& sensor : finished.result.sensors) {
        CAPTURE(sensor.body);
        const auto i = static_cast<std::size_t>(sensor.body);
        // The tap changes the topmost overlap by a few hundredths.
        CHECK_RELATIVE(sensor.peak_velocity, peak[i], 5e-3);
        CHECK_RELATIVE(sensor.peak_velocity_time, arrival[i], 2e-3);
        double front = 0.0;
        for (std::size_t c = 1; c <= i; ++c)
            front += std::sqrt(mass / spring[c]);
        MESSAGE("bead ", i, ": t_n ", front, " s, largest velocity at ", sensor.peak_velocity_time,
                " s");
        CHECK(sensor.peak_velocity_time > front);
        CHECK(sensor.peak_velocity_time < 1.25 * front);
    }
    // Nearly t ~ n^(5/6). The exponent is measured between far beads, where dispersion matters
    // less.
    const double power = std::log(at_bead(finished, 80).peak_velocity_time /
                                  at_bead(finished, 40).peak_velocity_time) /
                         std::log(2.0);
    CHECK_ABSOLUTE(power, 5.0 / 6.0, 0.03);
}

namespace {

/// Velocity of one sensor as c cos(omega t) + s sin(omega t), by weighted least squares.
struct Tone {
    double cc = 0.0, cs = 0.0, ss = 0.0, vc = 0.0, vs = 0.0;
    void add(double omega, double time, double v, double weight) {
        const double c = std::cos(omega * time), s = std::sin(omega * time);
        cc += weight * c * c, cs += weight * c * s, ss += weight * s * s;
        vc += weight * v * c, vs += weight * v * s;
    }
    double cosine() const { return (vc * ss - vs * cs) / (cc * ss - cs * cs); }
    double sine() const { return (vs * cc - vc * cs) / (cc * ss - cs * cs); }
};

constexpr int driven_beads[] = {0, 1, 2, 3, 4, 10, 20, 40};

/// The oscillation of each sensor of configs/driven.toml at this frequency [Hz] in the second half
/// of the run, in a window that excludes the oscillation near the cut-off that the start excites.
std::array<Tone, std::size(driven_beads)> tones_of_driven(double frequency) {
    constexpr double begin = 1.4e-3, end = 3e-3;
    std::array<Tone, std::size(driven_beads)> tones;
    running::Sinks sinks;
    sinks.sensors = [&](std::int64_t, double time, std::span<const double>,
                        std::span<const double> velocity) {
        if (time < begin) return;
        const double weight =
            std::pow(std::sin(std::numbers::pi * (time - begin) / (end - begin)), 2);
        for (std::size_t s = 0; s < tones.size(); ++s)
            tones[s].add(2.0 * std::numbers::pi * frequency, time, velocity[s], weight);
    };
    run_config("driven", {"boundary.left.frequency=" + std::to_string(frequency)}, sinks);
    return tones;
}

}  // namespace

TEST_CASE(
    "driven: sound has the lattice's wavelength below the cut-off and is evanescent above it") {
    const double stiffness = hertz_spheres(5e-3, 5e-3, 193e9, 0.3);
    const double overlap = std::pow(100.0 / stiffness, 2.0 / 3.0);
    const double cut_off =
        2.0 * std::sqrt(1.5 * stiffness * std::sqrt(overlap) / sphere_mass(5e-3, 7850.0));
    CHECK_RELATIVE(cut_off / (2.0 * std::numbers::pi), 25.1e3, 2e-3);

    SUBCASE("below") {
        const double omega = 2.0 * std::numbers::pi * 12.5e3, q = 2.0 * std::asin(omega / cut_off);
        const double speed = 1e-8 * omega / std::cos(0.5 * q);  // of every bead
        CHECK_RELATIVE(speed / (1e-8 * omega), 1.153, 1e-3);
        CHECK_RELATIVE((10e-3 - overlap) * omega / q, 754.0, 1e-3);
        CHECK_RELATIVE(0.5 * (10e-3 - overlap) * cut_off * std::cos(0.5 * q), 685.0, 1e-3);
        const auto tones = tones_of_driven(12.5e3);
        Largest worst;
        for (std::size_t s = 0; s < tones.size(); ++s) {
            const double phase = (driven_beads[s] + 0.5) * q;
            worst.enter(std::abs(tones[s].cosine() - speed * std::cos(phase)),
                        std::abs(tones[s].sine() - speed * std::sin(phase)));
        }
        MESSAGE("largest difference ", worst / speed, " of the speed");
        CHECK(worst < 1e-4 * speed);
    }
    SUBCASE("above") {
        const double omega = 2.0 * std::numbers::pi * 30e3,
                     kappa = 2.0 * std::acosh(omega / cut_off);
        CHECK_RELATIVE(std::exp(-kappa), 0.294, 1e-3);
        const auto tones = tones_of_driven(30e3);
        for (std::size_t s = 0; s < 5; ++s) {
            // Bead n: -2 A/(e^kappa - 1) (-e^-kappa)^n, in phase with the wall.
            const double expected =
                -2e-8 * omega / std::expm1(kappa) * std::pow(-std::exp(-kappa), driven_beads[s]);
            MESSAGE("bead ", driven_beads[s], ": ", tones[s].cosine() / expected, ", quadrature ",
                    tones[s].sine() / expected);
            CHECK_RELATIVE(tones[s].cosine(), expected, 0.01);
            CHECK_ABSOLUTE(tones[s].sine(), 0.0, 0.01 * std::abs(expected));
        }
        CHECK(std::hypot(tones[6].cosine(), tones[6].sine()) < 1e-3 * 1e-8 * omega);
    }
}

TEST_CASE(
    "band_gap: inside the gap each cell moves opposite to the one before, 0.339 times as far") {
    constexpr double heavy = 28.84e-3, light = 9.75e-3, frequency = 6.5e3;
    const double omega = 2.0 * std::numbers::pi * frequency;
    const double modulus = 1.0 / ((1.0 - 0.09) / 193e9 + (1.0 - 0.33 * 0.33) / 73.5e9);
    const double stiffness = 4.0 / 3.0 * modulus * std::sqrt(9.53e-3 / 2.0);
    const double k = 1.5 * std::pow(stiffness, 2.0 / 3.0) * std::cbrt(20.0);
    const double square =
        (heavy * omega * omega - 2.0 * k) * (2.0 * k - light * omega * omega) / (4.0 * k * k);
    const double ratio = std::exp(-2.0 * std::asinh(std::sqrt(square)));
    CHECK_RELATIVE(ratio, 0.339, 1e-3);

    // In a window that leaves out the start, whose oscillations near the band edges fade slowly.
    std::array<Tone, 8> tones;
    running::Sinks sinks;
    sinks.sensors = [&](std::int64_t, double time, std::span<const double>,
                        std::span<const double> velocity) {
        constexpr double begin = 2e-3, end = 8e-3;
        if (time < begin) return;
        const double weight =
            std::pow(std::sin(std::numbers::pi * (time - begin) / (end - begin)), 4);
        for (std::size_t s = 0; s < tones.size(); ++s)
            tones[s].add(omega, time, velocity[s], weight);
    };
    run_config("band_gap", {}, sinks);
    for (std::size_t s = 0; s < 3; ++s) {  // beads 0, 2, 4, 6
        CHECK_RELATIVE(tones[s + 1].cosine() / tones[s].cosine(), -ratio, 0.01);
    }
}

}  // namespace beadwave::validation::configs_sound_test
