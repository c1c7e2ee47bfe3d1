// Properties of every contact law, tested for all entries of the catalogue, including new ones.

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/hysteresis.hpp"
#include "beadwave/laws/ma_liu.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::validation::laws_test {

namespace {

laws::Contact steel_pair() {
    const laws::Elasticity steel{
        .youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6};
    return laws::sphere_contact(2.38e-3, 0.45e-3, steel, 2.38e-3, 0.45e-3, steel);
}

/// Calls body(entry, law) for every law of the catalogue, for a contact of two steel beads.
template <class Body>
void for_every_law(Body body) {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        CAPTURE(entry.name);
        body(entry, laws::make(steel_pair(), law_settings(entry.name, {{"impact_speed", 1.77}})));
    }
}

constexpr double overlaps[] = {1e-9, 3e-7, 5.4e-7, 5.6e-7, 2e-6, 1e-5, 4.6e-5, 4.7e-5, 1e-4};

}  // namespace

TEST_CASE("no law exerts a force without overlap") {
    for_every_law([](const laws::Entry&, const laws::AnyLaw& law) {
        for (const double overlap :
             {0.0, -1e-12, -1e-6, -1.0, -std::numeric_limits<double>::infinity()}) {
            for (const double speed : {-2.0, 0.0, 2.0}) {
                CHECK(law.respond(overlap, speed, {}).force == 0.0);
                CHECK(law.stored_energy(overlap, {}) == 0.0);
            }
        }
    });
}

TEST_CASE("every law pushes while it closes, and pulls only if it is set to last to zero overlap") {
    for_every_law([](const laws::Entry& entry, const laws::AnyLaw& law) {
        if (entry.family == "adhesion") return;  // pulls at small overlaps
        for (const double overlap : overlaps) {
            for (const double speed : {0.0, 0.1, 2.0})
                CHECK(law.respond(overlap, speed, {}).force > 0.0);
            if (law.ends_in_tension()) continue;
            for (const double speed : {-0.1, -2.0, -50.0})
                CHECK(law.respond(overlap, speed, {}).force >= 0.0);
        }
    });
}

TEST_CASE("a law that is evaluated twice gives the same force and memory") {
    for_every_law([](const laws::Entry&, const laws::AnyLaw& law) {
        const auto first = law.respond(2e-6, 0.5, law.respond(1e-6, 0.7, {}).memory);
        const auto again = law.respond(2e-6, 0.5, law.respond(1e-6, 0.7, {}).memory);
        CHECK(first.force == again.force);
        CHECK(first.memory == again.memory);
    });
}

TEST_CASE("the slope of the stored energy is the force, where a law is conservative") {
    for_every_law([](const laws::Entry& entry, const laws::AnyLaw& law) {
        for (const double overlap : overlaps) {
            CAPTURE(overlap);
            // Static, on the unloading path from the largest overlap downwards.
            const auto memory = law.respond(overlap, 0.0, {}).memory;
            for (const double part : {0.999, 0.9, 0.7}) {
                const double x = overlap * part;
                const double force = law.respond(x, 0.0, memory).force;
                const double h = 1e-4 * overlap * (1.0 - part + 1e-2);
                const double slope =
                    (law.stored_energy(x + h, memory) - law.stored_energy(x - h, memory)) /
                    (2.0 * h);
                const bool at_jump = entry.name == "wang-liu" && std::abs(x - 5.4822e-7) < 2.0 * h;
                if (force > 0.0 && !at_jump) CHECK_RELATIVE(slope, force, 1e-5);
            }
        }
    });
}

TEST_CASE("conservative laws return all energy, and no law returns more") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        CAPTURE(entry.name);
        for (const double speed : {0.3, 1.77, 20.0}) {
            CAPTURE(speed);
            const laws::AnyLaw law =
                laws::make(steel_pair(), law_settings(entry.name, {{"impact_speed", speed}}));
            const auto hit = laws::collide(law, steel_pair().mass, speed);
            if (law.traits().conservative) {
                CHECK_RELATIVE(hit.restitution, 1.0, 1e-9);
            } else {
                // An elastoplastic law dissipates nothing below its yield, to rounding.
                CHECK(hit.restitution <= 1.0 + 1e-9);
                CHECK(hit.restitution > 0.0);
                // The adhesion of steel takes next to nothing, and its dashpot is optional.
                if (speed == 20.0 && entry.family != "adhesion") CHECK(hit.restitution < 0.99);
            }
        }
    }
}

TEST_CASE("a Hertz collision has the closed form's duration, overlap and force") {
    const laws::Contact c = steel_pair();
    const auto hit = laws::collide(laws::make(c, law_settings("hertz")), c.mass, 1.77);
    const double overlap = std::pow(1.25 * c.mass * 1.77 * 1.77 / c.stiffness, 0.4);
    CHECK_RELATIVE(hit.max_overlap, overlap, 1e-9);
    CHECK_RELATIVE(hit.max_force, c.stiffness * std::pow(overlap, 1.5), 1e-9);
    CHECK_RELATIVE(hit.duration, 2.943275184 * overlap / 1.77, 1e-8);
    CHECK_RELATIVE(hit.compression_time, 0.5 * hit.duration, 1e-8);
}

TEST_CASE("a per-contact impact speed equals a uniform one in a single collision") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        const auto speed =
            std::ranges::find(entry.parameters, "impact_speed", &laws::Parameter::name);
        if (speed == entry.parameters.end() || !speed->accepts("per-contact")) continue;
        CAPTURE(entry.name);
        const auto uniform =
            laws::make(steel_pair(), law_settings(entry.name, {{"impact_speed", 3.0}}));
        const auto own =
            laws::make(steel_pair(), law_settings(entry.name, {{"impact_speed", "per-contact"}}));
        const auto a = laws::collide(uniform, steel_pair().mass, 3.0);
        const auto b = laws::collide(own, steel_pair().mass, 3.0);
        CHECK_RELATIVE(b.restitution, a.restitution, 1e-9);
        CHECK_RELATIVE(b.max_force, a.max_force, 1e-9);
    }
}

TEST_CASE("an impact below the minimum impact speed is damped as one at the minimum") {
    const auto law = laws::make(
        steel_pair(),
        law_settings("flores", {{"impact_speed", "per-contact"}, {"min_impact_speed", 0.5}}));
    const auto floor = laws::make(steel_pair(), law_settings("flores", {{"impact_speed", 0.5}}));
    CHECK_RELATIVE(laws::collide(law, 2e-4, 0.01).restitution,
                   laws::collide(floor, 2e-4, 0.01).restitution, 1e-9);
}

TEST_CASE("an impact speed is stored while the contact lasts and cleared when it opens") {
    const auto any =
        laws::make(steel_pair(), law_settings("flores", {{"impact_speed", "per-contact"}}));
    const auto& law = any.as<laws::Hysteresis<double, laws::ImpactSpeed::per_contact>>();
    auto memory = law.respond(1e-9, 2.0, {}).memory;
    CHECK(memory.impact_speed == 2.0);
    memory = law.respond(1e-6, -1.0, memory).memory;
    CHECK(memory.impact_speed == 2.0);
    memory = law.respond(-1e-9, -1.5, memory).memory;
    CHECK(memory.impact_speed == 0.0);
    CHECK(law.respond(1e-9, 0.25, memory).memory.impact_speed == 0.25);
}

// ---- Ma-Liu ----

TEST_CASE("Ma-Liu loads with continuous force and slope at delta_y and delta_p") {
    const auto law = laws::make_ma_liu(steel_pair(), 2.84, 13.0);
    const auto force = [&](double overlap) { return law.respond(overlap, 0.0, {}).force; };
    const auto slope = [&](double from, double to) {
        return (force(to) - force(from)) / (to - from);
    };
    for (const double edge : {law.overlap_yield, law.overlap_plastic}) {
        const double h = 1e-6 * edge;
        CHECK_RELATIVE(force(edge * (1 - 1e-12)), force(edge * (1 + 1e-12)), 1e-10);
        CHECK_RELATIVE(slope(edge - h, edge), slope(edge, edge + h), 1e-5);
    }
}

TEST_CASE("Ma-Liu unloads from the turn without a jump, to the residual overlap") {
    const auto law = laws::make_ma_liu(steel_pair(), 2.84, 13.0);
    for (const double largest : {3e-7, 2e-6, 1e-5, 4.7e-5, 1e-4}) {
        CAPTURE(largest);
        const auto turn = law.respond(largest, 0.0, {});
        CHECK_RELATIVE(law.respond(largest * (1 - 1e-13), 0.0, turn.memory).force, turn.force,
                       1e-9);
        CHECK(law.respond(turn.memory.residual_overlap, -1.0, turn.memory).force == 0.0);
        CHECK((turn.memory.residual_overlap > 0.0) == (largest > law.overlap_yield));
    }
}

TEST_CASE("Ma-Liu reloading follows the unloading path up to the old maximum, then loads on") {
    const auto law = laws::make_ma_liu(steel_pair(), 2.84, 13.0);
    const auto turned = law.respond(1e-5, 0.0, {}).memory;
    auto memory = turned;
    for (const double overlap : {9e-6, 6e-6, 5e-6, 6e-6, 9e-6, 1e-5}) {
        const auto response = law.respond(overlap, 0.0, memory);
        memory = response.memory;
        CHECK(response.force == law.respond(overlap, 0.0, turned).force);
        CHECK(memory.largest_overlap == turned.largest_overlap);
    }
    CHECK(law.respond(1.1e-5, 0.0, memory).force == law.respond(1.1e-5, 0.0, {}).force);
}

TEST_CASE("Ma-Liu's restitution is the square root of its own two energies, in all three phases") {
    // The work of loading by plain Simpson quadrature against what the law stores at the turn.
    const laws::Contact c = steel_pair();
    const auto law = laws::make_ma_liu(c, 2.84, 13.0);
    for (const double speed : {0.05, 1.77, 30.0}) {
        CAPTURE(speed);
        const auto hit = laws::collide(law, c.mass, speed);
        const int intervals = 200000;
        const double h = hit.max_overlap / intervals;
        double work = 0.0;
        for (int i = 0; i <= intervals; ++i) {
            const double weight = i == 0 || i == intervals ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
            work += weight * law.respond(i * h, 0.0, {}).force * h / 3.0;
        }
        CHECK_RELATIVE(work, 0.5 * c.mass * speed * speed, 1e-8);
        const auto memory = law.respond(hit.max_overlap, 0.0, {}).memory;
        CHECK_RELATIVE(hit.restitution,
                       std::sqrt(law.stored_energy(hit.max_overlap, memory) / work), 1e-8);
    }
}

// ---- Wang-Liu ----

TEST_CASE("Wang-Liu jumps at delta_y as printed, unless it is set to be continuous") {
    const auto force_at = [](const char* transition, double part) {
        const auto settings = law_settings(
            "wang-liu", {{"impact_speed", 1.77}, {"transition", std::string(transition)}});
        const double yield = laws::MaLiuConstants(steel_pair(), 2.84, 13.0).overlap_yield;
        return laws::first_loading_force(laws::make(steel_pair(), settings), yield * part);
    };
    CHECK_ABSOLUTE(force_at("printed", 1.0 - 1e-9), 1.98, 0.005);
    CHECK_ABSOLUTE(force_at("printed", 1.0 + 1e-9), 8.87, 0.005);
    CHECK_RELATIVE(force_at("continuous", 1.0 + 1e-9), force_at("continuous", 1.0 - 1e-9), 1e-7);
}

// ---- the two bodies ----

TEST_CASE("of two touching bodies the softer one yields") {
    const laws::Elasticity hard{.youngs_modulus = 2e11, .poisson_ratio = 0.3, .yield_stress = 1e9};
    const laws::Elasticity soft{.youngs_modulus = 2e11, .poisson_ratio = 0.3, .yield_stress = 3e8};
    const laws::Elasticity unknown{.youngs_modulus = 2e11, .poisson_ratio = 0.3};
    CHECK(laws::sphere_contact(1, 1, hard, 1, 1, soft).yield_stress == 3e8);
    CHECK(laws::sphere_contact(1, 1, unknown, 1, 1, soft).yield_stress == 3e8);
    CHECK(laws::sphere_contact(1, 1, unknown, 1, 1, unknown).yield_stress == 0.0);
    CHECK_THROWS_AS(
        laws::make(laws::sphere_contact(1, 1, unknown, 1, 1, unknown), law_settings("ma-liu")),
        ArgumentError);
}

TEST_CASE(
    "a sphere against a flat has the sphere's radius, and a fixed body leaves the other's mass") {
    const double infinite = std::numeric_limits<double>::infinity();
    const laws::Elasticity any{.youngs_modulus = 2e11, .poisson_ratio = 0.3};
    const auto contact = laws::sphere_contact(2e-3, 1e-3, any, infinite, infinite, any);
    CHECK_RELATIVE(contact.radius, 2e-3, 1e-15);
    CHECK_RELATIVE(contact.mass, 1e-3, 1e-15);
}

TEST_CASE("the overlap at a force inverts every law's first loading") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        const auto law = laws::make(steel_pair(), law_settings(entry.name));
        for (const double force : {1e-9, 1.0, 20.0, 500.0}) {
            CAPTURE(entry.name);
            // With adhesion a nanonewton is the difference of repulsion and pull: 3e-4 N each.
            const double tolerance = entry.family == "adhesion" && force < 1e-3 ? 1e-8 : 1e-12;
            CHECK_RELATIVE(laws::first_loading_force(law, laws::overlap_at_force(law, force)),
                           force, tolerance);
        }
    }
}

}  // namespace beadwave::validation::laws_test
