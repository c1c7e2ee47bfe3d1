#include "largest.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "subjects/mechanism/mechanism_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace beadwave::validation::configs_mechanisms_test {
namespace {

mechanism::Mechanism config(const std::string& name,
                            const std::vector<std::string>& overrides = {}) {
    const std::filesystem::path file = BEADWAVE_SOURCE_DIR "/configs/" + name + ".toml";
    const io::ReadMechanism read =
        io::read_mechanism(io::load_toml(file, overrides), io::NamedFiles::relative_to(file));
    CHECK(read.warnings.empty());
    return read.mechanism;
}

double output(const mechanism::Impact& impact) {
    return impact.separation_speed / impact.impact_speed;
}

TEST_CASE("slider_crank.toml gives the numbers of its comment") {
    const auto result = mechanism::simulate(config("slider_crank", {"time.end=0.012"}));
    const auto& impacts = result.contact_points.at(0).impacts;
    REQUIRE(impacts.size() == 28);
    CHECK_RELATIVE(impacts[0].start, 0.227286e-3, 1e-5);
    CHECK_RELATIVE(impacts[0].impact_speed, 4.38578, 1e-5);
    CHECK_RELATIVE(impacts[0].separation_speed, 3.91149, 1e-5);
    CHECK_RELATIVE(impacts[0].peak_force, 45.87e3, 1e-3);
    Largest longest;
    for (const mechanism::Impact& impact : impacts)
        longest.enter(impact.end - impact.start);
    CHECK_RELATIVE(longest, 3.3e-3, 0.05);
}

TEST_CASE("slider_crank_wang_liu.toml gives the numbers of its comment") {
    const auto result = mechanism::simulate(config("slider_crank_wang_liu", {"time.end=0.02"}));
    const auto& impacts = result.contact_points.at(0).impacts;
    REQUIRE(impacts.size() >= 4);
    const double speeds[] = {0.526, 0.246, 0.125}, outputs[] = {0.506, 0.481, 0.405};
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK_ABSOLUTE(impacts[i].impact_speed, speeds[i], 5e-4);
        CHECK_ABSOLUTE(output(impacts[i]), outputs[i], 1e-3);
    }
    CHECK(impacts.back().start < 5.8e-3);
    CHECK(std::isnan(impacts.back().end));
    CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-7);
    CHECK(result.last.ledger.friction_dissipation > 0.0);
}

TEST_CASE("stacked_boxes.toml comes to rest with the weights of its comment") {
    const auto result = mechanism::simulate(config("stacked_boxes"));
    for (const std::size_t box : {0, 1, 2}) {
        for (const std::size_t corner : {0, 1}) {
            CHECK_RELATIVE(result.last.contact_points[2 * box + corner].force,
                           2.4525 * static_cast<double>(3 - box), 1e-10);
        }
    }
    CHECK_RELATIVE(result.last.ledger.dissipated, 30.09e-3, 1e-3);
    CHECK(result.last.ledger.dissipated > 29.43e-3);
    CHECK(result.penetration.depth < 0.12e-3);
    CHECK(result.warnings.empty());
}

TEST_CASE("rocking_block.toml keeps Housner's part of its angular velocity in each impact") {
    const auto result = mechanism::simulate(config("rocking_block"));
    const auto& left = result.contact_points.at(1).impacts;
    const auto& right = result.contact_points.at(0).impacts;
    REQUIRE(left.size() >= 2);
    REQUIRE(right.size() >= 2);
    CHECK_RELATIVE(right[1].impact_speed, 0.942308 * left[0].impact_speed, 1e-5);
    CHECK_RELATIVE(left[1].impact_speed, 0.942308 * right[1].impact_speed, 1e-5);
    CHECK_RELATIVE(left[0].start, 0.0946142, 1e-5);
    CHECK_RELATIVE(left[0].impact_speed, 0.0444970, 1e-5);
    CHECK(std::abs(result.last.ledger.friction_dissipation) < 1e-9);
    CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-8);
}

TEST_CASE("pounding.toml gives the numbers of its comment, with each of its three laws") {
    struct Expected {
        std::string law;
        double peak_force, restitution;
    };
    for (const auto& [law, peak_force, restitution] :
         {Expected{"jankowski", 1.5625e6, 0.627}, Expected{"anagnostopoulos", 1.487e6, 0.630},
          Expected{"ye", 1.974e6, 0.605}}) {
        const bool whole = law == "jankowski";
        const auto result = mechanism::simulate(
            config("pounding", {"law.name=" + law, whole ? "time.end=10.0" : "time.end=0.75"}));
        const auto& impacts = result.contact_points.at(0).impacts;
        REQUIRE(impacts.size() == (whole ? 24 : 1));
        CHECK_RELATIVE(impacts[0].start, 0.694058, 1e-6);
        CHECK_RELATIVE(impacts[0].impact_speed, 1.20876, 1e-5);
        CHECK_RELATIVE(impacts[0].peak_force, peak_force, 4e-4);
        CHECK_ABSOLUTE(output(impacts[0]), restitution, 1e-3);
        CHECK(result.largest_relative_energy_error < 1e-7);
        if (!whole) continue;
        CHECK_RELATIVE(impacts[0].end - impacts[0].start, 20.8e-3, 3e-3);
        CHECK_RELATIVE(result.last.ledger.normal_dissipation, 221e3, 3e-3);
        CHECK_RELATIVE(result.last.ledger.damper_dissipation, 224e3, 3e-3);
    }
}

TEST_CASE(
    "the pendulums of pendulums.toml strike three times with each of the paper's three methods") {
    struct Expected {
        std::string law;
        double lowest, highest;
    };
    for (const Expected& expected :
         {Expected{"poursina-nikravesh", 0.3007, 0.3009}, Expected{"flores", 0.2555, 0.2576},
          Expected{"impulse", 0.3, 0.3}}) {
        CAPTURE(expected.law);
        const auto impacts = mechanism::simulate(config("pendulums", {"law.name=" + expected.law}))
                                 .contact_points.at(0)
                                 .impacts;
        REQUIRE(impacts.size() == 3);
        CHECK_RELATIVE(impacts[0].start, 1.142446, 1e-6);
        for (const mechanism::Impact& impact : impacts) {
            CHECK(output(impact) > expected.lowest - 1e-9);
            CHECK(output(impact) < expected.highest + 1e-9);
        }
    }
}

TEST_CASE(
    "slider_crank_guide.toml agrees with its equations of motion, and in the limit with Siconos") {
    // The angles a of the crank and b of the rod, and their speeds, after Flores, Leine and
    // Glocker.
    using State = std::array<double, 4>;
    constexpr double l1 = 0.153, l2 = 0.306, m1 = 0.038, m2 = 0.038, m3 = 0.076, g = 9.81;
    const auto slope = [](const State& s) {
        const auto [a, b, w, v] = s;
        const double lever = (0.5 * m2 + m3) * l1 * l2;
        const double m11 = 7.4e-5 + (0.25 * m1 + m2 + m3) * l1 * l1, m12 = lever * std::cos(b - a);
        const double m22 = 5.9e-4 + (0.25 * m2 + m3) * l2 * l2;
        const double r1 =
            -lever * std::sin(a - b) * v * v - (0.5 * m1 + m2 + m3) * g * l1 * std::cos(a);
        const double r2 = lever * std::sin(a - b) * w * w - (0.5 * m2 + m3) * g * l2 * std::cos(b);
        const double det = m11 * m22 - m12 * m12;
        return State{w, v, (r1 * m22 - r2 * m12) / det, (m11 * r2 - m12 * r1) / det};
    };
    State s{0.0, 0.0, 150.0, -75.0};
    constexpr double h = 1e-6;
    const auto moved = [](const State& from, const State& by, double step) {
        State to = from;
        for (std::size_t i = 0; i < 4; ++i)
            to[i] += step * by[i];
        return to;
    };
    for (int step = 0; step < 2000; ++step) {
        const State k1 = slope(s), k2 = slope(moved(s, k1, 0.5 * h)),
                    k3 = slope(moved(s, k2, 0.5 * h)), k4 = slope(moved(s, k3, h));
        for (std::size_t i = 0; i < 4; ++i)
            s[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    const auto flight = mechanism::simulate(config("slider_crank_guide", {"time.end=2e-3"}));
    CHECK_RELATIVE(flight.last.bodies[0].angle, s[0], 1e-9);
    CHECK_RELATIVE(flight.last.bodies[1].angle, s[1], 1e-9);
    CHECK_RELATIVE(flight.last.bodies[0].angular_velocity, s[2], 1e-9);
    CHECK_RELATIVE(flight.last.bodies[1].angular_velocity, s[3], 1e-9);
    // Siconos's reference file, SliderCrankMoreauJeanDirectProjectionOSI.ref: first order in its
    // step of 1e-4 s.
    CHECK_RELATIVE(flight.last.bodies[0].angular_velocity, 120.8242, 5e-3);
    CHECK_RELATIVE(flight.last.bodies[1].angular_velocity, -56.68029, 5e-3);

    double last = 1.0;
    for (const std::string stiffness : {"1e9", "1e11", "1e13"}) {
        CAPTURE(stiffness);
        const auto result = mechanism::simulate(
            config("slider_crank_guide", {"time.end=4e-3", "contact.0.stiffness=" + stiffness}));
        for (const std::size_t corner : {0, 1}) {
            REQUIRE(!result.contact_points.at(corner).impacts.empty());
            const mechanism::Impact& first = result.contact_points[corner].impacts[0];
            CHECK_RELATIVE(first.start, 2.6925e-3, 1e-4);
            CHECK_RELATIVE(first.impact_speed, 0.858, 0.03);  // that of Siconos, one step later
            const double off = std::abs(output(first) - 0.4);
            if (corner == 0) CHECK(off < last / 5.0);
            last = corner == 1 ? off : last;
        }
    }
    CHECK(last < 1e-3);
}

TEST_CASE("the impacts of slider_crank_guide.toml tend to impulses as the stiffness grows") {
    const auto at = [](const std::string& stiffness) {
        return mechanism::simulate(
            config("slider_crank_guide", {"time.end=0.0265", "contact.0.stiffness=" + stiffness}));
    };
    const auto hard = mechanism::simulate(config(
        "slider_crank_guide", {"time.end=0.0265", "law.name=impulse", "law.restitution=0.4"}));
    const auto &under = hard.contact_points.at(0).impacts,
               &over = hard.contact_points.at(2).impacts;
    REQUIRE(under.size() > 10);
    REQUIRE(over.size() == 1);
    const double starts[] = {2.6925e-3, 5.6078e-3, 7.4656e-3, 8.4093e-3};
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK_ABSOLUTE(under[i].start, starts[i], 1e-7);
        CHECK_RELATIVE(output(under[i]), 0.4, 1e-6);
    }
    CHECK_ABSOLUTE(under.back().end, 15.0203e-3, 1e-7);
    CHECK_ABSOLUTE(over[0].start, 25.8682e-3, 1e-7);
    CHECK_RELATIVE(over[0].impact_speed, 0.6389, 1e-4);
    CHECK(std::abs(hard.last.ledger.relative_energy_error) < 1e-7);

    const auto soft = at("1e9"), stiff = at("1e11");
    // A stiffness a hundred times larger shortens contacts by 100^(2/5) = 6.31.
    const double shorter = std::pow(100.0, 0.4);
    for (std::size_t i = 1; i < 3; ++i) {
        CAPTURE(i);
        const double late = soft.contact_points[0].impacts.at(i).start - under[i].start,
                     less = stiff.contact_points[0].impacts.at(i).start - under[i].start;
        CHECK(less > 0.0);
        CHECK_RELATIVE(late / less, shorter, 0.1);
        const double slow = soft.contact_points[0].impacts[i].impact_speed - under[i].impact_speed,
                     nearer =
                         stiff.contact_points[0].impacts[i].impact_speed - under[i].impact_speed;
        CHECK_RELATIVE(slow / nearer, shorter, 0.1);
    }
    // Across the guide, long after the bouncing has ended.
    const double off = std::abs(soft.contact_points[2].impacts.at(0).start - over[0].start),
                 nearer = std::abs(stiff.contact_points[2].impacts.at(0).start - over[0].start);
    CHECK(off < 1e-5);
    CHECK(nearer < off / shorter);
    CHECK_RELATIVE(stiff.contact_points[2].impacts[0].impact_speed, over[0].impact_speed, 2e-4);
}

TEST_CASE("newtons_cradle_pendulums.toml gives the numbers of its comment") {
    const auto result = mechanism::simulate(config("newtons_cradle_pendulums"));
    const auto after_blow =
        mechanism::simulate(config("newtons_cradle_pendulums", {"time.end=1e-3"}));
    const double expected[] = {-0.071, -0.030, -0.014, 0.127, 0.9887};
    for (std::size_t i = 0; i < 5; ++i)
        CHECK_ABSOLUTE(after_blow.last.bodies[i].velocity[0] / 0.5, expected[i], 1e-3);
    // The figure shows each impact: five samples at least.
    const double interval = config("newtons_cradle_pendulums").interval;
    for (const auto& point : result.contact_points) {
        for (const auto& impact : point.impacts)
            CHECK(interval < 0.2 * (impact.end - impact.start));
    }
    // The last pair meets again after half a period of the pendulum.
    const auto& back = result.contact_points.at(3).impacts;
    REQUIRE(back.size() >= 2);
    CHECK_RELATIVE(back[1].start, 0.39, 0.02);
    const auto impulses = mechanism::simulate(config(
        "newtons_cradle_pendulums", {"time.end=1e-3", "law.name=impulse", "law.restitution=1"}));
    CHECK_RELATIVE(impulses.last.bodies[4].velocity[0], 0.5, 1e-3);
}

TEST_CASE("cam_follower.toml gives the numbers of its comment" * doctest::skip(sanitised)) {
    const double g = 9.81, lift = 0.01, mass = 0.4;
    int samples = 0;
    double least = 1e9;
    Largest most;
    const auto look = [&](const mechanism::Sample& sample) {
        if (sample.time == 0.0) return;  // nothing has closed yet
        const double angle = sample.bodies[0].angle, speed = 25.0;
        // The body of the follower is 20 mm above its face.
        CHECK_ABSOLUTE(sample.bodies[1].centre[1],
                       0.05 + lift * std::pow(std::sin(0.5 * angle), 4.0), 1e-9);
        const double force =
            mass * (g + speed * speed * lift * 0.5 * (std::cos(angle) - std::cos(2.0 * angle)));
        // Second derivatives of the spline are right to the square of the distance of its points.
        CHECK_ABSOLUTE(sample.contact_points[0].force, force, 4e-4 * mass * g);
        least = std::min(least, sample.contact_points[0].force);
        most.enter(sample.contact_points[0].force);
        ++samples;
    };
    mechanism::simulate(config("cam_follower"), look);
    CHECK(samples >= 500);
    CHECK_ABSOLUTE(least, 1.424, 5e-4);
    CHECK_ABSOLUTE(most, 5.330, 5e-4);
    const auto jump = mechanism::simulate(config("cam_follower", {"joint.0.speed=40"}));
    const auto& impacts = jump.contact_points.at(0).impacts;
    REQUIRE(impacts.size() >= 2);  // it comes down again
    const double angle =
        std::acos((1.0 - std::sqrt(1.0 + 8.0 * (1.0 + 2.0 * g / (1600.0 * lift)))) / 4.0);
    CHECK_RELATIVE(impacts[0].end, angle / 40.0, 5e-5);
    CHECK_ABSOLUTE(angle * 180.0 / 3.14159265358979, 146.54, 5e-3);
    CHECK_ABSOLUTE(impacts[0].end, 63.94e-3, 5e-6);
}

}  // namespace
}  // namespace beadwave::validation::configs_mechanisms_test
