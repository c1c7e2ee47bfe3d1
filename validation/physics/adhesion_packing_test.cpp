// Packings whose particles adhere.

#include "adhesion.hpp"
#include "laws/neck.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"

#include <string>

namespace beadwave::validation::adhesion_packing_test {

using packing::Vec3;

namespace {

packing::Packing rubber_packing(const laws::Settings& law) {
    packing::Packing p;
    p.species_list = {{.name = "rubber", .elasticity = rubber}};
    p.law = law;
    return p;
}

laws::Contact rubber_on_wall() {
    const double infinite = std::numeric_limits<double>::infinity();
    return laws::sphere_contact(rubber_radius, rubber_mass(rubber_radius), rubber, infinite,
                                infinite, rubber);
}

/// A cloud of spheres of three sizes above a wall, falling together. No gap closes at the end of a
/// step to the last digit: there the engines' rounding would decide when a neck forms.
packing::Packing cloud(const laws::Settings& law, laws::FrictionLaw friction, bool rolls,
                       double speed = 1.0137) {
    packing::Packing p = rubber_packing(law);
    int k = 0;
    for (int x = 0; x < 6; ++x) {
        for (int y = 0; y < 6; ++y) {
            for (int z = 0; z < 5; ++z, ++k) {
                const double r = rubber_radius * (0.8 + 0.1 * (k % 3));
                p.add(r, rubber_mass(r),
                      {2.05e-4 * x + 3e-6 * (z % 2), 2.05e-4 * y, 1.02e-4 + 2.05e-4 * z});
                p.velocity.back() = speed * Vec3{0.4 * (k % 7 - 3), 0.3 * (k % 5 - 2),
                                                 -2.0173 - 0.5191 * (k % 4) - 1e-3 * k};
            }
        }
    }
    p.walls.push_back({});
    p.friction = {.law = friction, .coefficient = 0.4};
    if (friction == laws::FrictionLaw::linear) {
        p.friction.stiffness = 20.0;
        p.friction.damping = 1e-6;
    }
    if (rolls)
        p.rolling = {.coefficient = 0.05, .twisting_coefficient = 0.02, .damping_ratio = 0.2};
    return p;
}

std::size_t tense_contacts(const packing::PackingEngine& engine) {
    std::size_t tense = 0;
    for (const packing::ContactState& contact : engine.contacts())
        tense += contact.overlap < 0.0 ? 1 : 0;
    return tense;
}

}  // namespace

TEST_CASE("two spheres, and a sphere and a wall, part with the energy that JKR's neck leaves") {
    for (const bool wall : {false, true}) {
        const laws::Contact c = wall ? rubber_on_wall() : rubber_pair();
        const double lost = equations_of(c).lost_energy();
        const double slowest = std::sqrt(2.0 * lost / c.mass);
        const double dt = laws::hertz_duration(c.stiffness, c.mass, slowest) / 4000.0;
        for (const double part : {1.3, 0.8}) {
            for (std::size_t e = 0; e < engine_makers.size(); ++e) {
                CAPTURE(wall);
                CAPTURE(part);
                CAPTURE(e);
                const double speed = part * slowest;
                packing::Packing p = rubber_packing(jkr_settings());
                // Far shorter than the neck, so the list must be widened to keep the pair.
                p.skin = 1e-3 * laws::neck_range(laws::make(c, p.law));
                p.add(rubber_radius, rubber_mass(rubber_radius), {0, 0, rubber_radius + 1e-8});
                p.velocity[0].z = -speed;
                if (wall) {
                    p.walls.push_back({});
                } else {
                    p.add(rubber_radius, rubber_mass(rubber_radius), {0, 0, -rubber_radius});
                }
                CHECK(packing::skin_of(p) >= 1.25 * laws::neck_range(laws::make(c, p.law)));
                const auto engine = engine_makers[e](p, dt);
                bool was_tense = false;
                std::size_t closed = 0;
                for (int k = 0; k < 4000; ++k) {
                    engine->advance(10);
                    engine->rebuild_list();
                    was_tense = was_tense || tense_contacts(*engine) == 1;
                    closed = engine->closed_contacts();
                    CHECK(engine->contacts().size() == closed);
                }
                CHECK(was_tense);
                CHECK(closed == (part > 1.0 ? 0u : 1u));
                const packing::PackingTotals t = engine->totals();
                if (part > 1.0) {
                    CHECK_RELATIVE(t.dissipated_normal, lost, 2e-3);
                    CHECK(t.stored_normal == 0.0);
                } else {
                    CHECK(t.stored_normal < 0.0);
                }
                const double whole = 0.5 * rubber_mass(rubber_radius) * speed * speed;
                CHECK_ABSOLUTE(energy_of(t), whole, 1e-5 * whole);
            }
        }
    }
}

TEST_CASE("friction of an adhesive contact is limited by mu (F + 2 F_c), under tension too") {
    // A sphere that hangs on a wall, pulled along it until it slides: gravity has both parts. It
    // does not roll: a coefficient that no torque reaches holds it.
    const laws::Contact c = rubber_on_wall();
    const double pull_off = 1.5 * std::numbers::pi * rubber_adhesion * c.radius;
    constexpr double mu = 0.2;
    const double m = rubber_mass(rubber_radius);
    for (const double tension : {-0.5, 0.0, 0.4}) {  // of the pull-off; below 0 pressed
        for (std::size_t e = 0; e < engine_makers.size(); ++e) {
            CAPTURE(tension);
            CAPTURE(e);
            packing::Packing p = rubber_packing(jkr_settings(0.2));
            const JkrEquations jkr = equations_of(c);
            const double start = jkr.overlap(2.0 * jkr.radius_at_touch());
            p.add(rubber_radius, m, {0, 0, rubber_radius - start});
            p.walls.push_back({});
            p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = mu};
            p.gravity = {20.0 * mu * pull_off / m, 0.0, tension * pull_off / m};
            const double dt = laws::hertz_duration(c.stiffness, c.mass, 1.0) / 1000.0;
            const auto engine = engine_makers[e](p, dt);
            engine->advance(40000);
            const auto contacts = engine->contacts();
            REQUIRE(contacts.size() == 1);
            const double normal = contacts[0].normal_force.z;
            CHECK_ABSOLUTE(normal, -tension * pull_off, 1e-3 * pull_off);
            CHECK_RELATIVE(size_of(contacts[0].tangential_force), mu * (normal + 2.0 * pull_off),
                           1e-9);
        }
    }
}

TEST_CASE(
    "the fast engine follows the plain one in a cloud that sticks, with all tangential laws") {
    for (const char* name : {"jkr", "dmt", "capillary"}) {
        laws::Settings law = law_settings(name, {{"restitution", 0.9}});
        if (law.values.contains("adhesion_energy"))
            law.values.insert_or_assign("adhesion_energy", rubber_adhesion);
        if (law.values.contains("bridge_volume"))
            law.values.insert_or_assign("bridge_volume", 1e-15);
        for (const auto friction :
             {laws::FrictionLaw::none, laws::FrictionLaw::linear, laws::FrictionLaw::mindlin,
              laws::FrictionLaw::mindlin_displacement}) {
            const bool rolls = friction == laws::FrictionLaw::mindlin;
            const packing::Packing p = cloud(law, friction, rolls);
            REQUIRE(packing::validate(p).empty());
            const auto plain = packing::make_plain_packing_engine(p, 5e-8);
            std::size_t tense = 0;
            for (int k = 0; k < 20; ++k) {
                plain->advance(50);
                tense += tense_contacts(*plain);
            }
            CHECK(plain->closed_contacts() > 50);
            CHECK((tense > 0) == (std::string(name) != "dmt"));
            const packing::PackingTotals expected = plain->totals();
            const double scale = expected.translational + expected.rotational;
            for (const simd::InstructionSet& set : simd::instruction_sets()) {
                CAPTURE(name);
                CAPTURE(static_cast<int>(friction));
                CAPTURE(set.name);
                const auto fast = packing::make_packing_engine(p, 5e-8, 1, set);
                fast->advance(1000);
                CHECK_ABSOLUTE(largest_difference(fast->velocity(), plain->velocity()), 0.0, 1e-12);
                CHECK_ABSOLUTE(
                    largest_difference(fast->angular_velocity(), plain->angular_velocity()), 0.0,
                    1e-12);
                const packing::PackingTotals t = fast->totals();
                CHECK_ABSOLUTE(t.stored_normal, expected.stored_normal, 1e-12 * scale);
                CHECK_ABSOLUTE(t.dissipated_normal, expected.dissipated_normal, 1e-12 * scale);
                CHECK_ABSOLUTE(t.dissipated_tangential, expected.dissipated_tangential,
                               1e-12 * scale);
                CHECK(fast->closed_contacts() == plain->closed_contacts());
                CHECK(tense_contacts(*fast) == tense_contacts(*plain));
            }
        }
    }
}

TEST_CASE("threads, interruptions and resumption change no bit of a cloud that sticks") {
    packing::Packing p = cloud(jkr_settings(0.9), laws::FrictionLaw::mindlin, true);
    p.skin = 1e-6;
    const auto one = packing::make_packing_engine(p, 5e-8, 1);
    one->advance(1500);
    REQUIRE(one->neighbour_list_builds() > 1);
    const auto two = packing::make_packing_engine(p, 5e-8, 2);
    two->advance(700);
    const SavedPacking columns = saved(*two);
    CHECK(tense_contacts(*two) > 0);
    const auto again = packing::make_packing_engine(p, 5e-8, 1);
    restore(*again, 700, columns);
    two->advance(800);
    again->advance(800);
    for (const auto* engine : {two.get(), again.get()}) {
        CHECK(engine->velocity() == one->velocity());
        CHECK(engine->displacement() == one->displacement());
        CHECK(engine->totals().dissipated_normal == one->totals().dissipated_normal);
        CHECK(engine->totals().dissipated_tangential == one->totals().dissipated_tangential);
        CHECK(engine->closed_contacts() == one->closed_contacts());
    }
}

TEST_CASE("a cloud that sticks keeps its energy in the ledger and its momentum") {
    packing::Packing p = cloud(jkr_settings(), laws::FrictionLaw::mindlin, false, 0.05);
    p.walls.clear();
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 1e-7);
        const packing::PackingTotals before = engine->totals();
        engine->advance(6000);
        const packing::PackingTotals t = engine->totals();
        CHECK(t.stored_normal < 0.0);
        CHECK(t.dissipated_normal > 0.0);
        CHECK_ABSOLUTE(energy_of(t), energy_of(before), 2e-6 * before.translational);
        CHECK_ABSOLUTE(size_of(t.momentum - before.momentum), 0.0,
                       1e-13 * size_of(before.momentum));
        CHECK_ABSOLUTE(size_of(t.angular_momentum - before.angular_momentum), 0.0,
                       1e-12 * size_of(before.momentum) * 1e-3);
    }
}

}  // namespace beadwave::validation::adhesion_packing_test
