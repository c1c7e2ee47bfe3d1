// The wear of the contacts of mechanisms: against closed forms, and against a plain sum over the
// recorded history.

#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "subjects/mechanism/mechanism_reader.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace beadwave::validation::mechanism_wear_test {
namespace {

using namespace mechanism;
namespace shapes = mechanism::shapes;

constexpr double turn = 2.0 * std::numbers::pi;
constexpr double bearing = 0.01, clearance = 1e-4, width = 0.02;  // m
constexpr double load = 500.0, stiffness = 1e9;                   // N, N/m^1.5
constexpr laws::Wear wear{.coefficient = 1e-4, .hardness = 1e9};
constexpr std::size_t bins = 72;

/// A motor turns a pin that a load presses into its bearing along `direction`, on a carriage that
/// slides along it. Another motor turns the bearing.
Mechanism loaded_pin(bool impulse, double direction, const Motor& motor, double bearing_speed) {
    const Vector along{std::cos(direction), std::sin(direction)};
    const double overlap = impulse ? 0.0 : std::pow(load / stiffness, 2.0 / 3.0);
    const Vector at = (clearance + overlap) * along;
    Mechanism made;
    made.bodies = {{.name = "carriage", .mass = 1.0, .inertia = 1e-2, .centre = at},
                   {.name = "pin", .mass = 0.1, .inertia = 1e-4, .centre = at},
                   {.name = "bearing", .mass = 1.0, .inertia = 1e-2}};
    made.joints = {{.kind = JointKind::slider, .bodies = {ground, 0}, .axis = along},
                   {.kind = JointKind::revolute, .bodies = {0, 1}, .point = at, .motor = motor},
                   {.kind = JointKind::revolute,
                    .bodies = {ground, 2},
                    .motor = Motor{{0.0}, {bearing_speed}}}};
    made.contacts = {{.name = "pin",
                      .bodies = {1, 2},
                      .geometry = Journal{.point = at,
                                          .bearing_centre = Vector{},
                                          .bearing_radius = bearing,
                                          .clearance = clearance},
                      .materials = Stiffness{stiffness},
                      .law = validation::law_settings("hertz"),
                      .wear = Wear{.law = wear, .width = width}}};
    if (impulse) made.contacts[0].law = Impulse{0.0};
    made.forces = {{.body = 0, .point = at, .times = {0.0}, .forces = {load * along}}};
    made.wear_bins = bins;
    made.accuracy = 1e-9;
    return made;
}

/// From the centre of the pin to the middle of the overlap, where the surfaces slide [m].
double sliding_radius(bool impulse) {
    const double overlap = impulse ? 0.0 : std::pow(load / stiffness, 2.0 / 3.0);
    return bearing - clearance - 0.5 * overlap;
}

double depth_of(double volume) {  // of one part of the bearing [m]
    return volume / (turn * bearing / static_cast<double>(bins) * width);
}

/// The parts of a bearing add up to its worn volume, to rounding.
void check_sum_of_parts(const ContactSample& point) {
    REQUIRE(point.worn_depth.size() == bins);
    const double sum = std::accumulate(point.worn_depth.begin(), point.worn_depth.end(), 0.0);
    CHECK_RELATIVE(sum, depth_of(point.worn), 1e-12);
}

}  // namespace

TEST_CASE("a pin that turns under a constant load wears its bearing where the load points") {
    // Load and slip are constant, so that only rounding and the start of the contact are errors.
    for (const bool impulse : {false, true}) {
        CAPTURE(impulse);
        constexpr double speed = 30.0, direction = 3.4;
        Mechanism made = loaded_pin(impulse, direction, {{0.0}, {speed}}, 0.0);
        made.end = 0.05;
        made.interval = 0.005;
        std::size_t samples = 0;
        simulate(made, [&](const Sample& now) {
            const ContactSample& point = now.contact_points[0];
            const double way = speed * sliding_radius(impulse) * now.time;
            const double volume = wear.coefficient * load * way / wear.hardness;
            ++samples;
            if (now.time == 0.0) {
                CHECK(point.worn == 0.0);
                return;
            }
            CHECK_RELATIVE(point.worn, volume, 1e-6);
            check_sum_of_parts(point);
            const auto at = static_cast<std::size_t>(direction / turn * bins);
            CHECK_RELATIVE(point.worn_depth[at], depth_of(volume), 1e-6);
        });
        CHECK(samples == 11);
    }
}

TEST_CASE("a bearing that turns under the load wears evenly") {
    for (const bool impulse : {false, true}) {
        CAPTURE(impulse);
        constexpr double speed = 30.0, bearing_speed = -140.0;
        Mechanism made = loaded_pin(impulse, 1.0, {{0.0}, {speed}}, bearing_speed);
        made.end = turn / 140.0;  // one turn of the bearing
        made.interval = made.end / 3.0;
        const Result result = simulate(made);
        const ContactSample& point = result.last.contact_points[0];
        check_sum_of_parts(point);
        // The bearing's surface is farther from its centre than the pin's from its own.
        const double overlap = impulse ? 0.0 : std::pow(load / stiffness, 2.0 / 3.0);
        const double slip =
            speed * sliding_radius(impulse) - bearing_speed * (bearing + 0.5 * overlap);
        const double volume = wear.coefficient * load * slip * made.end / wear.hardness;
        CHECK_RELATIVE(point.worn, volume, 1e-6);
        for (const double depth : point.worn_depth)
            CHECK_RELATIVE(depth, depth_of(volume / static_cast<double>(bins)), 1e-6);
    }
}

TEST_CASE("a pin that turns under a load wears evenly, one that rests on one side") {
    // The pin's own surface passes under the load, as the bearing's does when the bearing turns.
    constexpr double speed = 30.0, direction = 1.0, pin_hardness = 4e8;
    for (const bool impulse : {false, true}) {
        for (const bool pin_turns : {false, true}) {
            CAPTURE(impulse);
            CAPTURE(pin_turns);
            Mechanism made = loaded_pin(impulse, direction, {{0.0}, {pin_turns ? speed : 0.0}},
                                        pin_turns ? 0.0 : speed);
            made.contacts[0].wear->pin_hardness = pin_hardness;
            made.end = turn / speed;  // one turn
            made.interval = made.end;
            const ContactSample point = simulate(made).last.contact_points[0];
            const double overlap = impulse ? 0.0 : std::pow(load / stiffness, 2.0 / 3.0);
            const double way =
                turn * (pin_turns ? sliding_radius(impulse) : bearing + 0.5 * overlap);
            const double volume = wear.coefficient * load * way / pin_hardness;
            CHECK_RELATIVE(point.pin_worn, volume, 1e-6);
            CHECK_RELATIVE(point.worn, volume * pin_hardness / wear.hardness, 1e-6);
            check_sum_of_parts(point);
            REQUIRE(point.pin_depth.size() == bins);
            const double part =
                turn * (bearing - clearance) / static_cast<double>(bins) * width;  // m^2
            double sum = 0.0;
            for (const double depth : point.pin_depth)
                sum += depth * part;
            CHECK_RELATIVE(sum, point.pin_worn, 1e-12);
            if (pin_turns) {
                for (const double depth : point.pin_depth)
                    CHECK_RELATIVE(depth, volume / static_cast<double>(bins) / part, 1e-6);
            } else {
                const auto at = static_cast<std::size_t>(direction / turn * bins);
                CHECK_RELATIVE(point.pin_depth[at], volume / part, 1e-6);
            }
        }
    }
}

TEST_CASE("a bearing that turns carries its wear along") {
    // A quarter turn anticlockwise: the load points at parts of the bearing farther and farther
    // clockwise.
    constexpr double bearing_speed = 10.0, direction = 1.0;
    Mechanism made = loaded_pin(false, direction, {{0.0}, {30.0}}, bearing_speed);
    made.end = 0.25 * turn / bearing_speed;
    made.interval = made.end;
    const ContactSample point = simulate(made).last.contact_points[0];
    std::size_t worn = 0;
    for (std::size_t k = 0; k < bins; ++k) {
        CAPTURE(k);
        const double low = turn / bins * static_cast<double>(k), high = low + turn / bins;
        const auto past = [&](double angle) {  // clockwise from the load, within a turn
            return std::fmod(direction - angle + turn, turn);
        };
        const bool under = past(high) < 0.25 * turn || past(low) < 0.25 * turn;
        CHECK((point.worn_depth[k] > 0.0) == under);
        if (under) ++worn;
    }
    CHECK(worn == bins / 4 + 1);
}

TEST_CASE("a pin that turns back and forth wears both ways") {
    // The speed passes zero within steps, at 0.05 s and 0.15 s.
    constexpr double speed = 40.0;
    Mechanism made = loaded_pin(false, -1.0, {{0.0, 0.1, 0.2}, {speed, -speed, speed}}, 0.0);
    made.end = 0.2;
    made.interval = 0.07;
    const ContactSample point = simulate(made).last.contact_points[0];
    const double way = 0.5 * speed * made.end * sliding_radius(false);
    CHECK_RELATIVE(point.worn, wear.coefficient * load * way / wear.hardness, 1e-6);
    check_sum_of_parts(point);
}

TEST_CASE("an impact without duration wears by its normal impulse times the slip") {
    constexpr double mass = 0.5, radius = 0.02, inertia = 1e-4, e = 0.6;
    constexpr double approach = 2.0, spin = 200.0, height = 0.05;
    for (const double mu : {0.0, 0.1}) {
        CAPTURE(mu);
        Mechanism made;
        made.bodies = {{.name = "disc",
                        .mass = mass,
                        .inertia = inertia,
                        .centre = {0.0, height},
                        .velocity = Vector{0.0, -approach},
                        .angular_velocity = spin}};
        made.contacts = {{.name = "floor",
                          .bodies = {0, ground},
                          .geometry = Shapes{shapes::Circle{{0.0, height}, radius},
                                             shapes::Segment{{-1.0, 0.0}, {1.0, 0.0}}},
                          .law = Impulse{e},
                          .friction = Friction{.law = Friction::Law::coulomb, .coefficient = mu},
                          .wear = Wear{.law = wear}}};
        made.end = 0.03;
        const ContactSample point = simulate(made).last.contact_points[0];
        const double impulse = mass * (1.0 + e) * approach;
        const double before = spin * radius;
        const double after = before - mu * impulse * (1.0 / mass + radius * radius / inertia);
        REQUIRE(after > 0.0);  // it slides through the impact
        CHECK_RELATIVE(point.worn, wear.volume(impulse * 0.5 * (before + after)), 1e-9);
        CHECK(point.worn_depth.empty());
    }
}

TEST_CASE("corners that land together and stick wear by what friction took") {
    // Both corners stay on the floor, so the block does not turn: friction takes all of its energy
    // along the floor.
    constexpr double mass = 0.5, mu = 0.8, fall = 2.0, slide = 1.0;
    Mechanism made;
    made.bodies = {{.name = "block",
                    .mass = mass,
                    .inertia = 1.7e-3,
                    .centre = {0.0, 0.02},
                    .velocity = Vector{slide, -fall}}};
    for (const double side : {-0.1, 0.1}) {
        made.contacts.push_back(
            {.name = side < 0.0 ? "left" : "right",
             .bodies = {0, ground},
             .geometry = PointLine{.point = {side, 0.01}, .normal = {0.0, 1.0}},
             .law = Impulse{0.0},
             .friction = Friction{.law = Friction::Law::coulomb, .coefficient = mu},
             .wear = Wear{.law = wear}});
    }
    made.end = 0.02;
    const Result result = simulate(made);
    const double both = result.last.contact_points[0].worn + result.last.contact_points[1].worn;
    CHECK_RELATIVE(both, wear.volume(0.5 * mass * slide * slide / mu), 1e-9);
}

TEST_CASE("the worn slider-crank has the volume of its recorded force and slip") {
    const std::filesystem::path file = BEADWAVE_SOURCE_DIR "/configs/worn_slider_crank.toml";
    const std::vector<std::string> overrides{"time.end=0.008", "time.interval=4e-6"};
    const io::ReadMechanism read =
        io::read_mechanism(io::load_toml(file, overrides), io::NamedFiles::relative_to(file));
    CHECK(read.warnings.empty());
    const Wear& given = read.mechanism.contacts[0].wear.value();
    std::vector<double> power, times;
    ContactSample last;
    simulate(read.mechanism, [&](const Sample& now) {
        last = now.contact_points[0];
        const BodyState &rod = now.bodies[1], &slider = now.bodies[2];
        const Vector relative = rod.velocity_at(last.position) - slider.velocity_at(last.position);
        power.push_back(std::max(last.force, 0.0) * std::abs(dot(relative, left_of(last.normal))));
        times.push_back(now.time);
    });
    REQUIRE(power.size() == 2001);
    double rubbed = 0.0;
    for (std::size_t i = 1; i < power.size(); ++i)
        rubbed += 0.5 * (power[i - 1] + power[i]) * (times[i] - times[i - 1]);
    // The first impacts last some 0.1 ms, of which samples of 4 us show the forces to 1e-3.
    CHECK_RELATIVE(last.worn, given.law.volume(rubbed), 1e-3);
    check_sum_of_parts(last);

    // Wear changes no bit of the motion.
    Mechanism without = read.mechanism;
    without.interval = 0.0;
    Mechanism with = without;
    without.contacts[0].wear.reset();
    without.wear_bins = 0;
    const Result a = simulate(with), b = simulate(without);
    CHECK(a.evaluations == b.evaluations);
    REQUIRE(a.last.bodies.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(std::bit_cast<std::uint64_t>(a.last.bodies[i].centre[0]) ==
              std::bit_cast<std::uint64_t>(b.last.bodies[i].centre[0]));
        CHECK(std::bit_cast<std::uint64_t>(a.last.bodies[i].angular_velocity) ==
              std::bit_cast<std::uint64_t>(b.last.bodies[i].angular_velocity));
    }
    // Nor do samples change the wear.
    CHECK(std::bit_cast<std::uint64_t>(a.last.contact_points[0].worn) ==
          std::bit_cast<std::uint64_t>(last.worn));
    CHECK(a.last.contact_points[0].worn_depth == last.worn_depth);
}

TEST_CASE("a bearing that is worn by much of its clearance is a warning") {
    Mechanism made = loaded_pin(false, 0.2, {{0.0}, {30.0}}, 0.0);
    made.end = 0.1;
    made.contacts[0].wear->law.hardness = 1e4;
    const Result result = simulate(made);
    REQUIRE(result.warnings.size() == 1);
    CHECK(result.warnings[0].find("the bearing of contact \"pin\" is worn by") == 0);
    CHECK(result.warnings[0].find("% of its clearance: forces and motion are still those of the "
                                  "round bearing") != std::string::npos);
}

}  // namespace beadwave::validation::mechanism_wear_test
