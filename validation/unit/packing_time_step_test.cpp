// The time step of packings: how it is chosen and what is refused.

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/hertz.hpp"
#include "largest.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/step/time_step.hpp"
#include "packings.hpp"
#include "relative.hpp"

namespace beadwave::validation::packing_time_step_test {

using packing::Packing;

namespace {

const stepping::StepRequest millisecond{.end = 1e-3, .interval = 1e-6};

stepping::StepRequest with_step(double step) {
    return {.end = 1e-3, .step = step, .interval = 1e-6};
}

double hertz_stiffness(const Packing& p, std::uint32_t first, std::uint32_t second) {
    packing::PairLaws laws(p);
    return laws.law(laws.kind(first, second)).normal.as<laws::Hertz<double>>().stiffness;
}

/// Every contact of a periodic fcc crystal compressed by `overlap`.
Packing confined_fcc(double overlap) {
    Packing p = steel_packing();
    const packing::Crystal crystal{.cells = {3, 3, 3}, .radius = steel_radius, .overlap = overlap};
    add_crystal(p, crystal);
    p.box = {.lower = {}, .upper = packing::period(crystal), .periodic = {true, true, true}};
    return p;
}

/// Growth of a small disturbance in 400 steps: the largest speed over the initial one.
double growth(Packing p, double step) {
    p.velocity[0] = {1e-6, 2e-6, -1e-6};
    const auto engine = packing::make_packing_engine(p, step, 1);
    engine->advance(400);
    Largest fastest;
    for (const packing::Vec3 v : engine->velocity())
        fastest.enter(size_of(v));
    return fastest / 1e-6;
}

}  // namespace

TEST_CASE("the time step of two spheres that meet follows from their Hertz collision") {
    Packing p = steel_packing();
    p.add(steel_radius, steel_mass(steel_radius), {});
    p.add(steel_radius, steel_mass(steel_radius), {3 * steel_radius, 0, 0});
    p.velocity[0] = {1.5, 0, 0};
    p.velocity[1] = {0, 2.0, 0};
    const auto step = packing::choose_time_step(p, millisecond);
    CHECK_RELATIVE(step.largest_speed, 2.5, 1e-12);
    const double alone =
        laws::hertz_duration(hertz_stiffness(p, 0, 1), 0.5 * steel_mass(steel_radius), 2.5);
    CHECK_RELATIVE(step.shortest_contact, alone, 1e-6);
    CHECK(step.step <= alone / packing::steps_per_contact);
    CHECK_RELATIVE(static_cast<double>(step.count) * step.step, 1e-3, 1e-9);
    CHECK_RELATIVE(1e-6 / step.step, std::round(1e-6 / step.step), 1e-12);
}

TEST_CASE("a friction spring that is faster than the collision sets the time step") {
    Packing p = steel_packing();
    p.add(steel_radius, steel_mass(steel_radius), {});
    p.add(steel_radius, steel_mass(steel_radius), {3 * steel_radius, 0, 0});
    p.velocity[0] = {1.0, 0, 0};
    p.friction = {.law = laws::FrictionLaw::linear, .coefficient = 0.3, .stiffness = 1e9};
    const double mass = steel_mass(steel_radius);
    // (1 + m R^2 / I) = 7/2, for both.
    const double period = 2.0 * std::numbers::pi / std::sqrt(1e9 * 7.0 / mass);
    CHECK_RELATIVE(packing::choose_time_step(p, millisecond).shortest_contact, 0.5 * period, 1e-12);
    p.friction.stiffness = 1.0;
    const double alone = packing::choose_time_step(p, millisecond).shortest_contact;
    CHECK_RELATIVE(alone, laws::hertz_duration(hertz_stiffness(p, 0, 1), 0.5 * mass, 1.0), 1e-6);
    // A dashpot that stops the slip in a thousandth of that time.
    p.friction.damping = 1e3 * mass / (7.0 * alone);
    CHECK(packing::choose_time_step(p, millisecond).step <= 1e-3 * alone / 20.0);
}

TEST_CASE("the time step of a confined crystal follows from its vibration, also with friction") {
    constexpr double overlap = 1e-7;
    Packing p = confined_fcc(overlap);
    const double mass = steel_mass(steel_radius);
    const double k = 1.5 * hertz_stiffness(p, 0, 1) * std::sqrt(overlap);
    // The sum of k n n over twelve neighbours is 4 k.
    CHECK_RELATIVE(packing::choose_time_step(p, millisecond).shortest_contact,
                   std::numbers::pi * std::sqrt(mass / (4.0 * k)), 1e-3);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.5};
    const double kt = std::visit([&](const auto& l) { return l.tangential_stiffness(overlap); },
                                 packing::PairLaws(p).slider());
    CHECK_RELATIVE(packing::choose_time_step(p, millisecond).shortest_contact,
                   std::numbers::pi * std::sqrt(mass / (4.0 * k + 8.0 * 3.5 * kt)), 1e-3);
}

TEST_CASE("a crystal's limit of stability: refused above, stable below") {
    Packing p = confined_fcc(1e-7);
    const double mass = steel_mass(steel_radius);
    const double k = 1.5 * hertz_stiffness(p, 0, 1) * std::sqrt(1e-7);
    // The fastest vibration of the crystal, layers against each other, has omega^2 = 8 k / m.
    const double limit = 2.0 / std::sqrt(8.0 * k / mass);
    CHECK_THROWS_AS(packing::choose_time_step(p, with_step(1.01 * limit)), stepping::StepError);
    CHECK(packing::choose_time_step(p, with_step(0.98 * limit)).given);
    // With an even number of cells the layers can alternate.
    Packing even = steel_packing();
    const packing::Crystal crystal{.cells = {2, 2, 2}, .radius = steel_radius, .overlap = 1e-7};
    add_crystal(even, crystal);
    even.box = {.lower = {}, .upper = packing::period(crystal), .periodic = {true, true, true}};
    CHECK(growth(even, 0.98 * limit) < 10.0);
    CHECK(growth(even, 1.02 * limit) > 100.0);
}

TEST_CASE("falling, moving walls and light particles raise the largest speed") {
    Packing p = steel_packing();
    p.add(steel_radius, steel_mass(steel_radius), {0, 0, 0.1 + steel_radius});
    p.walls.push_back({.shape = packing::Plane{.point = {}, .normal = {0, 0, 1}}});
    p.gravity = {0, 0, -9.81};
    const stepping::StepRequest second{.end = 1.0, .interval = 1e-3};
    const double speed = packing::choose_time_step(p, second).largest_speed;
    CHECK(speed > std::sqrt(2.0 * 9.81 * 0.1));
    CHECK(speed < 1.1 * std::sqrt(2.0 * 9.81 * 0.1));
    // The largest speed that the sphere can reach by gravity until the end.
    CHECK_RELATIVE(packing::choose_time_step(p, millisecond).largest_speed, 9.81e-3, 1e-9);

    p.gravity = {};
    p.walls[0].velocity = {0, 0, 2.0};
    CHECK_RELATIVE(packing::choose_time_step(p, second).largest_speed, 4.0, 1e-12);
    CHECK_RELATIVE(packing::choose_time_step(p, second).shortest_contact,
                   laws::hertz_duration(hertz_stiffness(p, 0, 1), steel_mass(steel_radius), 4.0),
                   1e-6);

    Packing light = steel_packing();
    light.add(steel_radius, steel_mass(steel_radius), {});
    light.add(0.5 * steel_radius, steel_mass(0.5 * steel_radius), {4 * steel_radius, 0, 0});
    light.velocity[0] = {1, 0, 0};
    CHECK_RELATIVE(packing::choose_time_step(light, second).largest_speed, std::sqrt(8.0), 1e-12);
}

TEST_CASE("a time step that cannot be chosen or resolves too little is refused") {
    Packing p = steel_packing();
    p.add(steel_radius, steel_mass(steel_radius), {});
    p.add(steel_radius, steel_mass(steel_radius), {3 * steel_radius, 0, 0});
    CHECK_THROWS_WITH_AS(packing::choose_time_step(p, millisecond),
                         doctest::Contains("nothing to choose it from"), stepping::StepError);
    CHECK(packing::choose_time_step(p, with_step(1e-7)).step == 1e-7);
    p.walls.push_back(
        {.shape = packing::Plane{.point = {-2 * steel_radius, 0, 0}, .normal = {1, 0, 0}},
         .velocity = {},
         .drive = stepping::Drive::sine(1e4, 1e-6)});
    CHECK_THROWS_WITH_AS(packing::choose_time_step(p, with_step(6e-6)),
                         doctest::Contains("driven wall 0"), stepping::StepError);
    CHECK(packing::choose_time_step(p, millisecond).step <= 1e-4 / 200.0);
}

TEST_CASE("a given step too long for a driven wall is refused with the longest one") {
    Packing p = steel_packing();
    p.add(steel_radius, steel_mass(steel_radius), {0, 0, 2 * steel_radius});
    p.velocity[0] = {0, 0, -1e-3};
    p.walls.push_back({.shape = packing::Plane{.point = {}, .normal = {0, 0, 1}},
                       .drive = stepping::Drive::sine(1e6, 1e-12)});
    try {
        packing::choose_time_step(p, with_step(1e-7));
        FAIL("not refused");
    } catch (const stepping::StepError& error) {
        CHECK(std::string(error.what()) ==
              "too long for driven wall 0, whose period is 1e-06 s; expected at most 5e-08 s, a "
              "twentieth of it");
    }
}

}  // namespace beadwave::validation::packing_time_step_test
