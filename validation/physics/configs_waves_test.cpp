// configs/: solitary waves, alone, at walls, meeting, in dimers and at an interface.

#include "config_runs.hpp"
#include "largest.hpp"
#include "plain_chain.hpp"
#include "relative.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::validation::configs_waves_test {

TEST_CASE(
    "long_chain: the wave keeps its height and Nesterenko's speed, and beads ahead are exactly at "
    "rest") {
    const Finished finished = run_config("long_chain");
    const auto& sensors = finished.result.sensors;
    for (const observers::SensorResult& sensor : sensors) {
        CHECK_RELATIVE(sensor.peak_force, sensors.front().peak_force, 1e-6);
    }
    const double largest = sensors.front().peak_velocity;
    CHECK_ABSOLUTE(largest, 0.682, 5e-4);
    const double theta = 3.0 * (1.0 - 0.3 * 0.3) / (4.0 * 203e9);
    const double nesterenko =
        std::pow(6.0 / (5.0 * std::numbers::pi * 7780.0 * theta), 0.4) * std::pow(largest, 0.2);
    // The formula for the continuum is 0.8 % above the discrete chain.
    CHECK_RELATIVE(observers::wave_speed(sensors.front(), sensors.back()), nesterenko / 1.008,
                   1e-3);
    const auto velocity = finished.engine->velocity();
    CHECK(std::ranges::all_of(velocity.subspan(2500), [](double v) { return v == 0.0; }));
}

TEST_CASE("wall and head_on: a wave at a rigid wall moves as if it met its mirror image") {
    const Finished wall = run_config("wall"), head_on = run_config("head_on");
    for (std::size_t i = 0; i < 40; ++i) {
        CHECK_ABSOLUTE(wall.engine->velocity()[i], head_on.engine->velocity()[i], 1e-9);  // m/s
        CHECK_ABSOLUTE(head_on.engine->velocity()[79 - i], -head_on.engine->velocity()[i], 1e-9);
    }
    const double beads_momentum = 80 * head_on.chain.mass[0] * 1.0;
    CHECK_ABSOLUTE(head_on.result.momentum, 0.0, 1e-12 * beads_momentum);

    PlainChain plain = plain_row(40, 4e-3, 7850.0, 193e9, 0.3, 1.0);
    plain.stiffness.push_back(hertz_rigid_flat(4e-3, 193e9, 0.3));
    plain.run(1e-3, 5e-8);
    for (std::size_t i = 0; i < 40; ++i)
        CHECK_ABSOLUTE(wall.engine->velocity()[i], plain.velocity[i], 1e-5);

    const auto at_wall = contact_peaks("wall", {}, "1e-7"),
               meeting = contact_peaks("head_on", {}, "1e-7");
    CHECK_RELATIVE(at_wall[40], meeting[40], 1e-9);
    CHECK_RELATIVE(at_wall[40], plain.force_peak[40].value, 1e-4);  // samples every 100 ns
    MESSAGE("at the wall ", at_wall[40] / at_wall[20], " times the wave's force");
    CHECK_ABSOLUTE(at_wall[40] / at_wall[20], 2.24, 0.005);
    const auto softer = contact_peaks("wall", {"boundary.right=\"wall\""}, "1e-7");
    MESSAGE("at a wall of the beads' steel ", softer[40] / softer[20]);
    CHECK_ABSOLUTE(softer[40] / softer[20], 1.94, 0.005);
}

TEST_CASE(
    "head_on: after the waves have met they are a third of a bead ahead, and secondary waves "
    "remain in the middle") {
    const Finished met = run_config("head_on");
    PlainChain alone = plain_row(80, 4e-3, 7850.0, 193e9, 0.3, 1.0);
    alone.run(1e-3, 5e-8);
    double arrival = 0.0, peak = 0.0;
    Largest left;
    running::Sinks sinks;
    sinks.sensors = [&](auto, double time, std::span<const double>,
                        std::span<const double> velocity) {
        if (time > 6e-4 && velocity[0] > peak) peak = velocity[0], arrival = time;
    };
    run_config("head_on", {"sensors.beads=[65]", "sensors.interval=2e-8"}, sinks);
    for (std::size_t i = 36; i < 44; ++i)
        left.enter(std::abs(met.engine->velocity()[i]));
    MESSAGE("bead 65 at ", arrival, " s, alone ", alone.velocity_peak[65].time,
            " s; in the middle ", left, " m/s");
    const double a_bead = alone.velocity_peak[66].time - alone.velocity_peak[65].time;
    CHECK_ABSOLUTE((alone.velocity_peak[65].time - arrival) / a_bead, 1.0 / 3.0, 0.03);
    CHECK(peak < alone.velocity_peak[65].value);
    CHECK_RELATIVE(peak, alone.velocity_peak[65].value, 0.02);
    CHECK(left > 1e-4);
}

TEST_CASE("dimer: no attenuation at the antiresonance, most at a resonance") {
    const auto plain_of = [](double light) {
        PlainChain plain = plain_row(161, 5e-3, 7850.0, 193e9, 0.3, 1.0);
        for (std::size_t i = 0; i < 161; ++i)
            plain.mass[i] = i % 2 == 0 ? 1e-3 : light;
        plain.run(1.4e-3, 5e-8);
        return plain;
    };
    const Finished tuned = run_config("dimer");
    const Finished resonant = run_config("dimer", {"segment.1.pattern.0.mass=0.59e-3"});
    const PlainChain plain_tuned = plain_of(0.3428e-3), plain_resonant = plain_of(0.59e-3);
    for (const std::int64_t bead : {40, 80, 120}) {
        const auto i = static_cast<std::size_t>(bead);
        CHECK_RELATIVE(at_bead(tuned, bead).peak_velocity, plain_tuned.velocity_peak[i].value,
                       2e-5);
        CHECK_RELATIVE(at_bead(tuned, bead).peak_force, at_bead(tuned, 140).peak_force, 1e-5);
    }
    CHECK_RELATIVE(at_bead(resonant, 80).peak_velocity, plain_resonant.velocity_peak[80].value,
                   2e-5);
    CHECK(at_bead(resonant, 140).peak_force < 0.4 * at_bead(resonant, 20).peak_force);
}

TEST_CASE("interface: the waves share energy as two colliding particles do") {
    const auto handed_on = [](const Finished& finished, const PlainChain& plain) {
        PlainChain now = plain;
        now.velocity.assign(finished.engine->velocity().begin(), finished.engine->velocity().end());
        now.displacement.assign(finished.engine->displacement().begin(),
                                finished.engine->displacement().end());
        return now.energy_from(60) / now.energy_from(0);
    };
    const Finished finished = run_config("interface");
    PlainChain plain = plain_row(120, 5e-3, 7850.0, 193e9, 0.3, 1.0);
    for (std::size_t i = 0; i < 120; ++i)
        plain.mass[i] = i < 60 ? 1e-3 : 4e-3;
    plain.run(1e-3, 5e-8);
    const double share = handed_on(finished, plain);
    MESSAGE("energy passed to the heavy beads: ", share);
    CHECK_RELATIVE(share, plain.energy_from(60) / plain.energy_from(0), 1e-5);
    CHECK_ABSOLUTE(share, 0.71, 0.005);
    const double slowed = at_bead(finished, 80).peak_velocity / at_bead(finished, 50).peak_velocity;
    CHECK_ABSOLUTE(slowed, 0.423, 0.001);
    CHECK_RELATIVE(slowed, 2.0 / (1.0 + 4.0), 0.06);  // two particles are an approximation

    const Finished back = run_config("interface", {"segment.0.mass=4e-3", "segment.1.mass=4e-3",
                                                   "segment.2.mass=1e-3", "time.end=1.2e-3"});
    // Only the striker and its neighbours move back, as after any impact.
    for (std::size_t i = 20; i < 60; ++i)
        CHECK(back.engine->velocity()[i] > -1e-4);
}

TEST_CASE(
    "piston: the front oscillates up to twice the piston's speed, and the beads behind move with "
    "it") {
    const double stiffness = hertz_spheres(4e-3, 4e-3, 193e9, 0.3),
                 mass = sphere_mass(4e-3, 7850.0);
    PlainChain plain = plain_row(100, 4e-3, 7850.0, 193e9, 0.3, 0.0);
    plain.stiffness[0] = hertz_rigid_flat(4e-3, 193e9, 0.3);
    plain.left_wall = [](double t) { return 0.2 * std::min(t, 0.6e-3); };
    plain.left_wall_velocity = [](double t) { return t < 0.6e-3 ? 0.2 : 0.0; };
    plain.run(1.3e-3, 1e-7);

    double sum = 0.0, ledger_work = 0.0;
    int samples = 0;
    running::Sinks sinks;
    sinks.sensors = [&](std::int64_t, double time, std::span<const double> force,
                        std::span<const double>) {
        if (time < 0.3e-3 || time > 0.58e-3) return;
        sum += force[0];
        ++samples;
    };
    sinks.energy = [&](std::int64_t, double, const recording::Ledger& ledger) {
        ledger_work = ledger.external_work;
    };
    const Finished finished = run_config("piston", {}, sinks);
    for (const observers::SensorResult& sensor : finished.result.sensors) {
        CAPTURE(sensor.body);
        const PlainPeak& peak = plain.velocity_peak[static_cast<std::size_t>(sensor.body)];
        CHECK_RELATIVE(sensor.peak_velocity, peak.value, 1e-5);
        CHECK_RELATIVE(sensor.peak_velocity_time, peak.time, 1e-5);
    }
    CHECK_RELATIVE(ledger_work, plain.energy_from(0), 1e-6);

    // The peak tends to twice the piston's speed, from below.
    CHECK(at_bead(finished, 80).peak_velocity < 0.4);
    CHECK(at_bead(finished, 80).peak_velocity > 0.395);
    CHECK(at_bead(finished, 80).peak_velocity > at_bead(finished, 40).peak_velocity);
    const double front =
        20.0 * 8e-3 /
        (at_bead(finished, 80).peak_velocity_time - at_bead(finished, 60).peak_velocity_time);
    MESSAGE("front at ", front, " m/s, mean force ", sum / samples, " N");
    CHECK_RELATIVE(front, 592.0, 5e-3);
    const double overlap = std::pow(1.25 * 0.2 / std::sqrt(1.5 * stiffness / mass), 0.8);
    CHECK_RELATIVE(stiffness * std::pow(overlap, 1.5), 30.6, 2e-3);
    CHECK_RELATIVE(sum / samples, stiffness * std::pow(overlap, 1.5), 0.02);
}

}  // namespace beadwave::validation::configs_waves_test
