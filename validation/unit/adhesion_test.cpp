// Laws with adhesion against the equations of their papers.

#include "adhesion.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/collision.hpp"
#include "largest.hpp"
#include "laws/law_slopes.hpp"
#include "laws/neck.hpp"
#include "relative.hpp"

#include <limits>

namespace beadwave::validation::adhesion_test {

namespace {

constexpr laws::AnyMemory necked{1.0};
constexpr double pi = std::numbers::pi;

/// The energy lost in a collision at this speed [J].
double lost_at(const laws::AnyLaw& law, double mass, double speed) {
    return laws::collide(law, mass, speed).dissipated_energy;
}

std::string failure_of(const laws::AnyLaw& law, double mass, double speed) {
    try {
        laws::collide(law, mass, speed);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("JKR's force at an overlap is that of the contact radius in both equations") {
    // Over fifteen decades of the work of adhesion: from a neck far larger than the spheres' own
    // deformation to none.
    for (const double w : {1e-12, 1e-6, 1e-3, 0.1, 1e3}) {
        CAPTURE(w);
        const laws::Contact c = rubber_pair();
        const JkrEquations jkr = equations_of(c, w);
        const laws::AnyLaw law = laws::make(c, jkr_settings(1.0, w));
        const double pull_off = 1.5 * pi * w * c.radius;
        for (double part = 1.01; part < 1e4; part *= 1.13) {
            CAPTURE(part);
            const double a = part * jkr.smallest_radius();
            const double force = law.respond(jkr.overlap(a), 0.0, necked).force;
            // Rounding of the overlap, which the slope of the force multiplies.
            const double slope = std::abs(jkr.stiffness(a)) * std::abs(jkr.overlap(a)) * 4e-16;
            CHECK_ABSOLUTE(force, jkr.force(a),
                           1e-13 * (std::abs(jkr.force(a)) + pull_off) + 10.0 * slope);
        }
    }
}

TEST_CASE("the pull-off force is 1.5 pi w R in JKR and 2 pi w R in DMT") {
    const laws::Contact c = rubber_pair();
    const laws::AnyLaw jkr = laws::make(c, jkr_settings());
    Largest largest_tension;
    const double range = laws::neck_range(jkr);
    for (int k = 0; k < 100000; ++k) {
        const double overlap = -range * (1.0 - 2e-5 * k);
        largest_tension.enter(-jkr.respond(overlap, 0.0, necked).force);
    }
    CHECK_RELATIVE(largest_tension, 1.5 * pi * rubber_adhesion * c.radius, 1e-8);

    const laws::AnyLaw dmt =
        laws::make(c, law_settings("dmt", {{"adhesion_energy", rubber_adhesion}}));
    CHECK_RELATIVE(-dmt.respond(1e-18, 0.0, {}).force, 2.0 * pi * rubber_adhesion * c.radius, 1e-6);
    const double x = 1e-6;
    CHECK_RELATIVE(dmt.respond(x, 0.0, {}).force,
                   c.stiffness * std::pow(x, 1.5) - 2.0 * pi * rubber_adhesion * c.radius, 1e-14);
    CHECK(dmt.respond(0.0, 1.0, {}).force == 0.0);
}

TEST_CASE("JKR's neck forms above zero overlap and breaks at -3 a_s^2/R with 5/9 of the pull-off") {
    const laws::Contact c = rubber_pair();
    const laws::AnyLaw law = laws::make(c, jkr_settings());
    const JkrEquations jkr = equations_of(c);
    const double pull_off = 1.5 * pi * rubber_adhesion * c.radius;
    const double a_s = jkr.smallest_radius(), range = 3.0 * a_s * a_s / c.radius;
    CHECK_RELATIVE(laws::neck_range(law), range, 1e-14);
    CHECK_RELATIVE(-jkr.overlap(a_s), range, 1e-14);

    CHECK(law.respond(0.0, 0.0, {}).memory == laws::AnyMemory{});
    const auto first = law.respond(1e-15, 0.0, {});
    CHECK(first.memory == necked);
    CHECK_RELATIVE(first.force, -8.0 / 9.0 * pull_off, 1e-6);
    const auto before = law.respond(-range * (1.0 - 1e-12), 0.0, necked);
    CHECK(before.memory == necked);
    CHECK_RELATIVE(before.force, -5.0 / 9.0 * pull_off, 1e-5);
    const auto after = law.respond(-range * (1.0 + 1e-12), 0.0, necked);
    CHECK(after.memory == laws::AnyMemory{});
    CHECK(after.force == 0.0);
    // Open contacts, however far, and overlaps that are not a number.
    CHECK(law.respond(-std::numeric_limits<double>::infinity(), 0.0, {}).force == 0.0);
    CHECK(std::isnan(law.respond(std::numeric_limits<double>::quiet_NaN(), 0.0, {}).force));
}

TEST_CASE(
    "the stored energy of laws with adhesion has the force as its slope, beyond contact too") {
    const laws::Contact c = rubber_pair();
    const laws::AnyLaw all[] = {
        laws::make(c, jkr_settings()),
        laws::make(c, law_settings("dmt", {{"adhesion_energy", rubber_adhesion}})),
        laws::make(c, law_settings("capillary", {{"bridge_volume", 1e-15}}))};
    for (const laws::AnyLaw& law : all) {
        CAPTURE(law.index());
        const double range = laws::neck_range(law), deepest = 5.0 * laws::well_overlap(law);
        for (int k = 1; k < 60; ++k) {
            const double x = -range + (range + deepest) * k / 60.0;
            if (range == 0.0 && x <= 0.0) continue;
            const double h = 1e-5 * deepest;
            if (std::abs(x) < 2.0 * h) continue;
            const auto memory = range > 0.0 ? necked : laws::AnyMemory{};
            const double slope =
                (law.stored_energy(x + h, memory) - law.stored_energy(x - h, memory)) / (2.0 * h);
            const double force = law.respond(x, 0.0, memory).force;
            CHECK_ABSOLUTE(slope, force, 1e-6 * (std::abs(force) + 1e-5));
        }
    }
}

TEST_CASE("forming and breaking JKR's neck loses 7.09 (w^5 R^4/E^2)^(1/3)") {
    const laws::Contact c = rubber_pair();
    const JkrEquations jkr = equations_of(c);
    const double unit = std::cbrt(std::pow(jkr.w, 5) * std::pow(jkr.R, 4) / (jkr.E * jkr.E));
    CHECK_RELATIVE(jkr.lost_energy(), jkr.parting_work(), 1e-10);
    CHECK_RELATIVE(jkr.lost_energy() / unit, 7.09, 5e-4);  // as Thornton and Ning print it
    const laws::AnyLaw law = laws::make(c, jkr_settings());
    CHECK_RELATIVE(laws::holding_energy(law), jkr.lost_energy(), 1e-13);

    // A collision loses that at any speed that is fast enough.
    const double slowest = std::sqrt(2.0 * jkr.lost_energy() / c.mass);
    for (const double part : {1.001, 1.5, 5.0}) {
        CAPTURE(part);
        CHECK_RELATIVE(lost_at(law, c.mass, part * slowest), jkr.lost_energy(), 1e-7);
    }
    // Slower ones stick, and the collision says so instead of swinging for ever.
    const std::string stick =
        "the two bodies stick together: at this speed they do not overcome the adhesion of the law";
    CHECK(failure_of(law, c.mass, 0.999 * slowest) == stick);
    CHECK(failure_of(law, c.mass, 0.01 * slowest) == stick);
    CHECK(failure_of(laws::make(c, jkr_settings(0.5)), c.mass, 0.5 * slowest) == stick);
}

TEST_CASE("DMT without a dashpot loses nothing, and with one sticks at low speed") {
    const laws::Contact c = rubber_pair();
    const auto dmt = [&](double e) {
        return laws::make(
            c, law_settings("dmt", {{"adhesion_energy", rubber_adhesion}, {"restitution", e}}));
    };
    for (const double speed : {1e-3, 0.1, 5.0})
        CHECK_RELATIVE(laws::collide(dmt(1.0), c.mass, speed).restitution, 1.0, 1e-8);
    // Far above the speeds at which adhesion matters the restitution is Tsuji's.
    CHECK_RELATIVE(laws::collide(dmt(0.8), c.mass, 500.0).restitution, 0.8, 1e-3);
    CHECK(failure_of(dmt(0.8), c.mass, 1e-3).starts_with("the two bodies stick together"));
    // JKR's dashpot acts on a larger contact for a little longer.
    CHECK_RELATIVE(laws::collide(laws::make(c, jkr_settings(0.8)), c.mass, 500.0).restitution, 0.8,
                   2e-3);
}

TEST_CASE("a liquid bridge has Willett's force and Lian's rupture, and loses its work") {
    const laws::Contact c = rubber_pair();
    constexpr double gamma = 0.072, angle = 0.3, volume = 2e-15;
    const laws::AnyLaw law = laws::make(c, law_settings("capillary", {{"surface_tension", gamma},
                                                                      {"contact_angle", angle},
                                                                      {"bridge_volume", volume}}));
    // Two equal spheres of radius r: F = 2 pi r gamma cos(theta)/(1 + 1.05 S + 2.5 S^2), S = gap
    // sqrt(r/V).
    const double r = rubber_radius;
    const auto printed = [&](double gap) {
        const double S = gap * std::sqrt(r / volume);
        return 2.0 * pi * r * gamma * std::cos(angle) / (1.0 + 1.05 * S + 2.5 * S * S);
    };
    const double rupture = (1.0 + 0.5 * angle) * std::cbrt(volume);
    CHECK_RELATIVE(laws::neck_range(law), rupture, 1e-14);
    double work = 0.0;
    constexpr int steps = 20000;
    for (int k = 0; k < steps; ++k) {
        const double gap = (k + 0.5) / steps * rupture;
        work += printed(gap) * rupture / steps;
        if (k % 500 == 0)
            CHECK_RELATIVE(law.respond(-gap, 0.0, necked).force, -printed(gap), 1e-13);
    }
    CHECK(law.respond(-1.0001 * rupture, 0.0, necked).force == 0.0);
    CHECK(law.respond(-1e-9, 0.0, {}).force == 0.0);
    CHECK_RELATIVE(law.respond(1e-7, 0.0, {}).force,
                   c.stiffness * std::pow(1e-7, 1.5) - printed(0.0), 1e-13);
    CHECK_RELATIVE(laws::holding_energy(law), work, 1e-8);  // midpoint rule
    const double slowest = std::sqrt(2.0 * work / c.mass);
    CHECK_RELATIVE(lost_at(law, c.mass, 1.2 * slowest), work, 1e-6);
    CHECK(failure_of(law, c.mass, 0.99 * slowest).starts_with("the two bodies stick together"));
}

TEST_CASE("the stiffness of JKR's contact under a load is the slope of its two equations") {
    const laws::Contact c = rubber_pair();
    const JkrEquations jkr = equations_of(c);
    const laws::AnyLaw law = laws::make(c, jkr_settings());
    for (const double part : {1.1, 2.0, 10.0}) {  // of the radius at zero overlap
        const double a = part * jkr.radius_at_touch();
        const laws::StaticContact contact = laws::static_contact(law, jkr.overlap(a));
        CHECK_RELATIVE(contact.slopes.stiffness, jkr.stiffness(a), 1e-10);
        CHECK_RELATIVE(contact.force, jkr.force(a), 1e-11);
        CHECK(!contact.jumps);
        CHECK(!contact.loading_stiffness.has_value());
    }
}

TEST_CASE("friction sees JKR's contact radius and the force beyond pull-off") {
    const laws::Contact c = rubber_pair();
    const JkrEquations jkr = equations_of(c);
    const laws::AnyLaw law = laws::make(c, jkr_settings());
    const double pull_off = 1.5 * pi * rubber_adhesion * c.radius;
    for (const double part : {1.05, 1.5, 2.0, 7.0}) {  // of the smallest radius
        const double a = part * jkr.smallest_radius();
        const auto grip = laws::grip(law, jkr.overlap(a), jkr.force(a), necked);
        CHECK_RELATIVE(std::sqrt(c.radius * grip.overlap), a, 1e-12);
        CHECK_RELATIVE(grip.force, jkr.force(a) + 2.0 * pull_off, 1e-12);
    }
    const auto open = laws::grip(law, -1e-9, 0.0, {});
    CHECK(open.overlap == 0.0);
    CHECK(open.force == 0.0);
    // Other laws: as they are.
    const auto same = laws::grip(laws::make(c, law_settings("hertz")), 1e-6, 2.0, {});
    CHECK(same.overlap == 1e-6);
    CHECK(same.force == 2.0);
}

TEST_CASE("laws with adhesion refuse surfaces that touch on an ellipse") {
    laws::Contact c = rubber_pair();
    c.axis_ratio = 0.5;
    for (const char* name : {"jkr", "dmt", "capillary"}) {
        std::string message;
        try {
            laws::make(c, law_settings(name));
        } catch (const ArgumentError& error) {
            message = error.what();
        }
        CHECK(message == "law \"" + std::string(name) +
                             "\" is made for a contact on a circle; these surfaces touch on an "
                             "ellipse of axis ratio 0.5");
    }
}

}  // namespace beadwave::validation::adhesion_test
