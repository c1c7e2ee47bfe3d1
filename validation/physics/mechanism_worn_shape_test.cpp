// Bearings whose shape follows their wear: where a pin touches a worn profile, against a plain
// search; closed forms of a bearing that wears evenly and of one into which a pin works itself;
// resumed runs.

#include "mechanism/simulate.hpp"
#include "mechanism/worn_profile.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "splitmix.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::mechanism_worn_shape_test {
namespace {

using namespace mechanism;

constexpr double turn = 2.0 * std::numbers::pi;
constexpr double bearing = 0.01, clearance = 1e-4, width = 0.02;  // m
constexpr double load = 500.0, stiffness = 1e9;                   // N, N/m^1.5
constexpr double spin = 30.0;                                     // of the pin [rad/s]

/// A motor turns a pin that a load presses into its bearing along `direction`, on a carriage that
/// slides along it. Another motor turns the bearing.
Mechanism loaded_pin(double direction, double bearing_speed, double worn_per_work) {
    const Vector along{std::cos(direction), std::sin(direction)};
    const Vector at = (clearance + std::pow(load / stiffness, 2.0 / 3.0)) * along;
    Mechanism made;
    made.bodies = {{.name = "carriage", .mass = 1.0, .inertia = 1e-2, .centre = at},
                   {.name = "pin", .mass = 0.1, .inertia = 1e-4, .centre = at},
                   {.name = "bearing", .mass = 1.0, .inertia = 1e-2}};
    made.joints = {
        {.kind = JointKind::slider, .bodies = {ground, 0}, .axis = along},
        {.kind = JointKind::revolute, .bodies = {0, 1}, .point = at, .motor = Motor{{0.0}, {spin}}},
        {.kind = JointKind::revolute,
         .bodies = {ground, 2},
         .motor = Motor{{0.0}, {bearing_speed}}}};
    made.contacts = {
        {.name = "pin",
         .bodies = {1, 2},
         .geometry = Journal{.point = at,
                             .bearing_centre = Vector{},
                             .bearing_radius = bearing,
                             .clearance = clearance},
         .materials = Stiffness{stiffness},
         .law = validation::law_settings("tsuji", {{"restitution", 0.5}}),
         .wear = Wear{.law = {.coefficient = worn_per_work, .hardness = 1.0}, .width = width}}};
    made.forces = {{.body = 0, .point = at, .times = {0.0}, .forces = {load * along}}};
    made.wear_bins = 72;
    made.accuracy = 1e-6;
    return made;
}

/// How far the pin has gone into the bearing by wear [m].
double sunk(const ContactSample& point) {
    return length(point.journal_displacement) - clearance - point.overlap;
}

}  // namespace

TEST_CASE("a pin touches a worn bearing where it lies deepest, and its force has a potential") {
    std::uint64_t drawn = 0;
    const auto uniform = [&] { return std::ldexp(static_cast<double>(mixed(++drawn) >> 11), -53); };
    for (const std::size_t parts : {3, 24, 72}) {
        std::vector<double> depth(parts);
        for (double& each : depth)
            each = 3e-5 * uniform();
        const WornProfile worn(depth);
        const double part = turn / static_cast<double>(parts);
        for (int k = 0; k < 20; ++k) {
            CAPTURE(k);
            const double e = clearance * (0.05 + 1.5 * uniform()), phi = turn * (uniform() - 0.5);
            const Vector at{e * std::cos(phi), e * std::sin(phi)};
            const WornProfile::Touch touch = worn.nearest(at);
            double best = -1.0;
            constexpr int many = 20000;
            for (int i = 0; i < many; ++i) {
                const double theta = turn * i / many, place = theta / part - 0.5 + 1.0 * parts;
                const auto before = static_cast<std::size_t>(place);
                const double between = place - static_cast<double>(before);
                const double h =
                    (1.0 - between) * depth[before % parts] + between * depth[(before + 1) % parts];
                best = std::max(best, e * std::cos(theta - phi) - h);
            }
            // The search misses the best angle by up to a half of its steps of 3e-4.
            CHECK(touch.reach >= best - 1e-18);
            CHECK(touch.reach <= best + 3e-5 * 3e-4 / part + 1e-8 * e);
            CHECK_ABSOLUTE(e * std::cos(touch.angle - phi) - touch.depth, touch.reach, 1e-18);
            // The slope of the largest reach is the direction of the force.
            constexpr double small = 1e-9;
            const Vector n{std::cos(touch.angle), std::sin(touch.angle)};
            for (const Vector& way : {n, left_of(n)}) {
                const double there = worn.nearest(at + small * way).reach;
                const double back = worn.nearest(at - small * way).reach;
                // Of second order, but where two places are equally deep, which none is here.
                CHECK_ABSOLUTE((there - back) / (2.0 * small), dot(n, way), 2e-3);
            }
        }
    }
}

TEST_CASE("a bearing that turns under its load wears evenly, and the pin sinks by the depth") {
    // The surfaces slide at speeds that grow with the bearing's radius by up to 0.3 %.
    constexpr double bearing_speed = -1500.0;
    Mechanism made = loaded_pin(1.0, bearing_speed, 4e-10);
    made.end = 8.0 * turn / 1500.0;
    made.interval = made.end / 4.0;
    made.wear_update_depth = 2e-7;
    made.contacts[0].wear->law.coefficient = 1.5e-11;
    const Result result = simulate(made);
    const ContactSample& point = result.last.contact_points[0];
    const double overlap = std::pow(load / stiffness, 2.0 / 3.0);
    const double radius = bearing + 0.5 * overlap;
    const double slip = spin * (bearing - clearance - 0.5 * overlap) - bearing_speed * radius;
    // dV = k F (slip + |bearing_speed| h) dt, h = V / (2 pi R w).
    const double k = 1.5e-11 * load, area = turn * bearing * width;
    const double rate = k * -bearing_speed / area;
    const double volume = k * slip / rate * std::expm1(rate * made.end);
    // The part that passes under the pin is deeper behind it by what a turn wears: the pin leans.
    CHECK_RELATIVE(point.worn, volume, 2e-3);
    const double mean = volume / area, of_a_turn = mean / 8.0;
    CHECK(mean > 0.02 * clearance);
    CHECK_RELATIVE(point.overlap, overlap, 2e-2);
    for (const double depth : point.worn_depth)
        CHECK_ABSOLUTE(depth, mean, of_a_turn);
    CHECK_ABSOLUTE(sunk(point), mean, made.wear_update_depth + of_a_turn);
    CHECK(result.largest_relative_energy_error < 1e-5);
    CHECK(result.warnings.empty());
}

TEST_CASE("a pin works itself into its bearing: the worn part becomes a circle of its radius") {
    // The pin sinks by d: what is worn lies between two circles, c the clearance and the overlap:
    // V = 2 R w ((c + d) sin a - c a), cos a = c / (c + d).
    std::vector<double> errors;
    for (const double update : {1.2e-6, 2e-7}) {
        Mechanism made = loaded_pin(3.4, 0.0, 4e-10);
        made.wear_bins = 144;
        made.end = 0.05;
        made.interval = 0.01;
        made.wear_update_depth = update;
        std::size_t samples = 0;
        double error = 0.0;
        const Result result = simulate(made, [&](const Sample& now) {
            const ContactSample& point = now.contact_points[0];
            if (now.time == 0.0) return;
            ++samples;
            const double c = clearance + point.overlap, d = sunk(point);
            const double a = std::acos(c / (c + d));
            const double volume = 2.0 * bearing * width * ((c + d) * std::sin(a) - c * a);
            error = std::max(error, std::abs(volume / point.worn - 1.0));
        });
        CHECK(samples == 5);
        MESSAGE(update, " m: ", error, ", ", result.steps, " steps, ", result.wear_updates,
                " updates, ledger ", result.largest_relative_energy_error);
        CHECK(result.largest_relative_energy_error < 1e-9);
        CHECK(result.contact_points[0].impacts.size() == 1);  // never open
        errors.push_back(error);
    }
    // It falls with the depth between two updates, and with the size of the parts.
    CHECK(errors[0] < 0.2);
    CHECK(errors[1] < 0.5 * errors[0]);
}

TEST_CASE("a worn bearing under a load that swings goes on from a saved state to the same bits") {
    Mechanism made = loaded_pin(3.4, 20.0, 1e-9);
    made.contacts[0].friction = Friction{
        .law = Friction::Law::linear, .coefficient = 0.2, .stiffness = 1e7, .damping = 1.0};
    mechanism::Force swings = made.forces[0];
    swings.forces[0] = 0.5 * swings.forces[0];
    swings.oscillation.frequency = 300.0;
    made.forces.push_back(swings);
    made.end = 0.012;
    made.interval = 0.004;
    made.wear_update_depth = 1e-6;
    std::vector<double> middle;
    Sinks sinks{.sample = [](const Sample&) {}};
    sinks.checkpoint_due = [](std::int64_t) { return true; };
    sinks.checkpoint = [&](std::int64_t sample, const std::vector<double>& state) {
        if (sample == 1) middle = state;
    };
    const Result whole = simulate(made, sinks);
    REQUIRE(!middle.empty());
    const Result rest = simulate(made, Sinks{.sample = sinks.sample}, &middle);
    CHECK(whole.wear_updates > 20);
    CHECK(rest.wear_updates == whole.wear_updates);
    CHECK(whole.largest_relative_energy_error < 1e-3);
    const ContactSample &a = whole.last.contact_points[0], &b = rest.last.contact_points[0];
    CHECK(a.worn_depth == b.worn_depth);
    CHECK(a.overlap == b.overlap);
    CHECK(a.dissipation.normal == b.dissipation.normal);
    CHECK(a.dissipation.sliding == b.dissipation.sliding);
    // Shapes that stay differ.
    made.wear_update_depth = 0.0;
    const Result round = simulate(made);
    CHECK(std::abs(round.last.contact_points[0].overlap - a.overlap) > 1e-9);
}

TEST_CASE("a shape that cannot follow the wear is refused") {
    const auto refused = [](const Mechanism& made, const char* why) {
        CHECK_THROWS_WITH_AS(simulate(made), doctest::Contains(why), PartError);
    };
    Mechanism made = loaded_pin(1.0, 0.0, 1e-10);
    made.end = 1e-3;
    made.wear_update_depth = 1e-6;
    Mechanism other = made;
    other.wear_bins = 0;
    refused(other, "give wear.bins, 3 or more");
    other = made;
    other.contacts[0].law = Impulse{0.0};
    refused(other, "the law \"impulse\" keeps a pin at rest on the round bearing");
    other = made;
    other.contacts[0].wear->pin_hardness = 1e9;
    refused(other, "a pin that wears would stay round");
    other = made;
    other.wear_update_depth = -1.0;
    refused(other, "update_depth");
}

}  // namespace beadwave::validation::mechanism_worn_shape_test
