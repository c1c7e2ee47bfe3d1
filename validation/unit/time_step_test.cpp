// The automatic time step, and steps that are refused.

#include "beadwave/dynamics/time_step.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/hertz.hpp"
#include "chain/build_chain.hpp"
#include "relative.hpp"
#include "running/chain_system.hpp"
#include "scenarios.hpp"

#include <cmath>

namespace beadwave::validation::time_step_test {

namespace {

stepping::TimeStep step_of(const chain::Scenario& scenario) {
    return running::choose_time_step(scenario, chain::build_chain(scenario));
}

}  // namespace

TEST_CASE("the shortest contact of a struck chain is the Hertz duration at the largest speed") {
    const chain::Scenario scenario = steel_chain(71, 1.77, law_settings("hertz"), 7e-4);
    const auto step = step_of(scenario);
    const auto law = chain::build_chain(scenario).contacts.at(1).as<laws::Hertz<double>>();
    CHECK_RELATIVE(step.largest_speed, 1.77, 1e-12);
    CHECK_RELATIVE(step.shortest_contact, laws::hertz_duration(law.stiffness, 0.225e-3, 1.77),
                   1e-6);
    CHECK(step.step <= step.shortest_contact / dynamics::steps_per_contact);
    CHECK_RELATIVE(static_cast<double>(step.count) * step.step, 7e-4, 1e-9);
}

TEST_CASE("a chosen step divides the interval of the sensors") {
    chain::Scenario scenario = steel_chain(71, 1.77, law_settings("hertz"), 7e-4);
    scenario.sensors = scenario::Sensors{.ids = {1}, .interval = 1e-7};
    const double samples = 1e-7 / step_of(scenario).step;
    CHECK_RELATIVE(samples, std::round(samples), 1e-12);
}

TEST_CASE("light beads behind a heavy striker count with the speed that they can reach") {
    chain::Scenario scenario = steel_chain(3, 1.0, law_settings("hertz"), 1e-4);
    scenario.segments[0].mass = 100.0 * 0.45e-3;
    CHECK(step_of(scenario).largest_speed >= 2.0);
}

TEST_CASE("a precompressed chain at rest gets a step from its own vibration") {
    chain::Scenario scenario = steel_chain(10, 0.0, law_settings("hertz"), 1e-3);
    scenario.precompression = 20.0;
    const auto law = chain::build_chain(scenario).contacts.at(1).as<laws::Hertz<double>>();
    const double overlap = std::pow(20.0 / law.stiffness, 2.0 / 3.0);
    const double stiffness = 1.5 * law.stiffness * std::sqrt(overlap);
    CHECK_RELATIVE(step_of(scenario).shortest_contact, 3.14159265 * std::sqrt(0.225e-3 / stiffness),
                   1e-3);
}

TEST_CASE("a step that cannot be stable is refused, and half the limit is stable") {
    chain::Scenario scenario = steel_chain(20, 0.0, law_settings("hertz"), 2e-3);
    scenario.left.kind = scenario.right.kind = chain::EndKind::wall;
    scenario.precompression = 20.0;
    scenario.segments[1].velocity = 1e-3;
    scenario.time.step = 1e-5;
    CHECK_THROWS_AS(step_of(scenario), InputError);
    scenario.time.step = 2.5e-6;
    const auto result = run(scenario).result;
    CHECK(result.ledger.kinetic < 10.0 * result.ledger.initial);
}

TEST_CASE("strong damping shortens the step, so that the default step is always stable") {
    chain::Scenario scenario =
        steel_chain(21, 1.77, law_settings("flores", {{"restitution", 0.1}}), 1e-4);
    scenario.law.values.insert_or_assign("impact_speed", std::string("per-contact"));
    scenario.law.values.insert_or_assign("min_impact_speed", 1e-3);
    scenario.time.step = 1e-8;
    CHECK_THROWS_AS(step_of(scenario), InputError);
    scenario.time.step.reset();
    scenario.time.end = 2e-6;
    CHECK(step_of(scenario).step < 1e-9);
    CHECK(run(scenario).result.largest_relative_energy_error < 1e-3);
}

TEST_CASE("if nothing moves, no step can be chosen") {
    CHECK_THROWS_AS(step_of(steel_chain(3, 0.0, law_settings("hertz"), 1e-4)), InputError);
}

TEST_CASE("a driven end counts in the largest speed, and the step resolves its period") {
    chain::Scenario scenario = steel_chain(10, 0.0, law_settings("hertz"), 1e-3);
    scenario.left = {.kind = chain::EndKind::driven, .drive = stepping::Drive::sine(1e3, 1e-4)};
    const double speed = 2.0 * 3.14159265358979 * 1e3 * 1e-4;
    CHECK_RELATIVE(step_of(scenario).largest_speed, 2.0 * speed, 1e-12);
    CHECK(step_of(scenario).step <=
          step_of(scenario).shortest_contact / dynamics::steps_per_contact);

    // With slow and soft contacts and a fast drive, the drive sets the step.
    scenario.left.drive = stepping::Drive::sine(1e6, 1e-13);
    CHECK(step_of(scenario).step <= 1e-6 / stepping::steps_per_period);
    CHECK(step_of(scenario).step > 0.99e-6 / stepping::steps_per_period);
    scenario.time.step = 4.9e-8;
    CHECK(step_of(scenario).step == 4.9e-8);
    scenario.time.step = 5.1e-8;
    CHECK_THROWS_AS(step_of(scenario), InputError);
}

TEST_CASE("a constant load alone chooses the step from the overlap that it reaches") {
    // A load F on the first of two free beads: the overlap follows d'' = F/m - 2 K d^1.5/m from
    // rest. Its way there and back is the contact that the step has to resolve.
    constexpr double force = 10.0, mass = 0.45e-3;
    chain::Chain chain = chain::build_chain(steel_chain(2, 0.0, law_settings("hertz"), 1e-3));
    chain.loads.push_back({0, force});
    const double k = chain.contacts.at(1).as<laws::Hertz<double>>().stiffness;
    double d = 0.0, v = 0.0, lasts = 0.0, h = 1e-9;
    do {
        v += h * (force - 2.0 * k * std::pow(d, 1.5)) / mass;
        d += h * v;
        lasts += h;
    } while (d > 0.0);
    const auto step = dynamics::choose_time_step(chain, {.end = 1e-3, .interval = 1e-3});
    CHECK(step.step < lasts / dynamics::steps_per_contact);
    CHECK(step.step > 0.4 * lasts / dynamics::steps_per_contact);

    // Through a gap g between bead and wall it arrives with sqrt(2 F g/m).
    chain::Scenario scenario = steel_chain(1, 0.0, law_settings("hertz"), 1e-2);
    scenario.right.kind = chain::EndKind::wall;
    scenario.right.material = "steel";
    scenario.right.gap = 1e-3;
    chain = chain::build_chain(scenario);
    chain.loads.push_back({0, force});
    const double arrives = std::sqrt(2.0 * force * 1e-3 / mass);
    const double found =
        dynamics::choose_time_step(chain, {.end = 1e-2, .interval = 1e-2}).largest_speed;
    CHECK(found >= arrives);
    CHECK(found < 1.2 * arrives);
}

TEST_CASE("a load that the start balances does not change the step") {
    chain::Scenario scenario = steel_chain(10, 0.0, law_settings("hertz"), 1e-3);
    scenario.precompression = 20.0;
    chain::Chain chain = chain::build_chain(scenario);
    REQUIRE(!chain.loads.empty());
    const auto speed = [&] {
        return dynamics::choose_time_step(chain, {.end = 1e-3, .interval = 1e-3}).largest_speed;
    };
    const double balanced = speed();
    chain.loads[0].force *= 1.5;
    CHECK(speed() > balanced);
    chain.loads.clear();
    CHECK(speed() == balanced);
}

}  // namespace beadwave::validation::time_step_test
