// Chains made from arrays: the same as from a scenario, and errors that name the argument.

#include "beadwave/chain/chain_arrays.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/hertz.hpp"
#include "beadwave/laws/ma_liu.hpp"
#include "chain/build_chain.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace beadwave::validation::chain_arrays_test {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

laws::AnyLaw hertz(double stiffness = 4e9) {
    return laws::Hertz<double>{.stiffness = stiffness};
}

chain::ChainArrays three_beads() {
    return {.radius = {1e-3, 1e-3, 1e-3},
            .mass = {1e-3, 2e-3, 1e-3},
            .velocity = {1.0, 0.0, 0.0},
            .gap = {infinite, 0.0, 1e-6, infinite},
            .laws = {hertz()}};
}

std::string refusal(const std::function<void(chain::ChainArrays&)>& change) {
    chain::ChainArrays arrays = three_beads();
    change(arrays);
    try {
        chain::make_chain(arrays);
    } catch (const ArgumentError& error) {
        return error.what();
    }
    return "";
}

/// Displacements and velocities after `steps` steps of 10 ns.
std::vector<double> motion(const chain::Chain& chain, std::int64_t steps) {
    const auto engine = dynamics::make_tiled_engine(chain, 1e-8, 1);
    dynamics::SensorTrace none;
    engine->advance(steps, none);
    std::vector<double> state(engine->displacement().begin(), engine->displacement().end());
    state.insert(state.end(), engine->velocity().begin(), engine->velocity().end());
    return state;
}

}  // namespace

TEST_CASE("a chain from arrays moves exactly like the same chain from a scenario") {
    chain::Scenario scenario = steel_chain(700, 1.0, law_settings("ma-liu"), 1e-4);
    scenario.segments[1].pattern = {{.radius = 1e-3, .mass = 1e-4, .material = {}},
                                    {.radius = {}, .mass = {}, .material = {}}};
    scenario.right.kind = chain::EndKind::wall;
    const chain::Chain given = chain::build_chain(scenario);

    chain::ChainArrays arrays{.radius = given.radius,
                              .mass = given.mass,
                              .velocity = given.velocity,
                              .gap = given.gap,
                              .laws = {}};
    for (std::size_t kind = 0; kind < given.contacts.kind_count(); ++kind)
        arrays.laws.push_back(given.contacts.law(kind));
    for (std::size_t c = 0; c < given.contacts.count(); ++c)
        arrays.law.push_back(given.contacts.kind(c));
    const chain::Chain made = chain::make_chain(arrays);
    CHECK(made.contacts.kind_count() == given.contacts.kind_count());
    for (std::size_t c = 0; c < made.contacts.count(); ++c)
        CHECK(made.effective_mass(c) == given.effective_mass(c));
    CHECK(made.positions() == given.positions());
    const std::vector<double> moved = motion(made, 3000);
    CHECK(moved == motion(given, 3000));
    CHECK(std::ranges::any_of(moved, [](double x) { return x != 0.0; }));
}

TEST_CASE("velocities, gaps and law numbers may be left out of the arrays") {
    const chain::Chain chain =
        chain::make_chain({.radius = {1e-3, 2e-3}, .mass = {1e-3, 3e-3}, .laws = {hertz(7e9)}});
    CHECK(chain.velocity == std::vector{0.0, 0.0});
    CHECK(chain.gap == std::vector{infinite, 0.0, infinite});
    CHECK(chain.contacts.at(1).as<laws::Hertz<double>>().stiffness == 7e9);
    CHECK_RELATIVE(chain.effective_mass(1), 0.75e-3, 1e-15);
    CHECK(chain.effective_mass(0) == 0.0);
    CHECK(chain.effective_mass(2) == 0.0);
}

TEST_CASE("a fixed bead does not contribute to the effective mass, nor does a wall") {
    chain::ChainArrays arrays = three_beads();
    arrays.velocity = {0.0, 0.0, 1.0};
    arrays.left_fixed = true;
    arrays.gap.back() = 0.0;
    arrays.laws = {hertz(), hertz(5e9)};
    arrays.law = {0, 0, 1, 1};
    const chain::Chain chain = chain::make_chain(arrays);
    CHECK(chain.effective_mass(1) == 2e-3);
    CHECK_RELATIVE(chain.effective_mass(2), 2e-3 / 3.0, 1e-15);
    CHECK(chain.effective_mass(3) == 1e-3);
    CHECK(chain.contacts.at(3).as<laws::Hertz<double>>().stiffness == 5e9);
    CHECK(chain.contacts.kind_count() == 4);
}

TEST_CASE("arrays from which no chain can be built are refused, and the argument is named") {
    CHECK(refusal([](auto&) {}).empty());
    CHECK(refusal([](auto& a) { a = {.radius = {}, .mass = {}, .laws = {}}; }) ==
          "radius: no beads; expected at least one");
    CHECK(refusal([](auto& a) { a.mass.pop_back(); }) ==
          "mass: 2 numbers; expected 3, one per bead");
    CHECK(refusal([](auto& a) { a.velocity.push_back(0.0); }) ==
          "velocity: 4 numbers; expected 3, one per bead");
    CHECK(refusal([](auto& a) { a.gap.pop_back(); }) ==
          "gap: 3 numbers; expected 4, one per contact, including the two with the walls");
    CHECK(refusal([](auto& a) {
              a.law = {0, 0, 0};
          }) == "law: 3 numbers; expected 4, one per contact, including the two with the walls");
    for (const double wrong : {0.0, -1e-3, not_a_number, infinite, 1e-310}) {
        CAPTURE(wrong);
        CHECK(refusal([&](auto& a) { a.radius[1] = wrong; }).starts_with("radius[1] = "));
        CHECK(refusal([&](auto& a) {
                  a.mass[2] = wrong;
              }).ends_with(": expected a finite number above 0, in kg"));
    }
    CHECK(refusal([](auto& a) { a.velocity[2] = infinite; }) ==
          "velocity[2] = inf: expected a finite number, in m/s");
    for (const double wrong : {not_a_number, infinite, -infinite, -1.1e-3}) {
        CAPTURE(wrong);
        CHECK(refusal([&](auto& a) { a.gap[1] = wrong; }).starts_with("gap[1] = "));
        if (wrong != infinite) {
            CHECK(refusal([&](auto& a) { a.gap[3] = wrong; }).ends_with("or infinity for no wall"));
        }
    }
    CHECK(refusal([](auto& a) { a.laws.clear(); }) == "laws: none; expected at least one");
    CHECK(refusal([](auto& a) {
              a.laws.push_back(laws::MaLiu<double>{});
          }).starts_with("laws[1]: is of another type than laws[0]"));
    CHECK(refusal([](auto& a) { a.laws[0] = hertz(not_a_number); }) ==
          "laws[0]: its field 0 is not a number");
    CHECK(refusal([](auto& a) {
              a.law = {0, 0, 1, 0};
          }) == "law[2] = 1: there are 1 laws, numbered from 0");
    CHECK(refusal([](auto& a) { a.left_fixed = true; }) ==
          "left_fixed: the bead moves at 1 m/s; expected a bead at rest");
    CHECK(refusal([](auto& a) {
              a.right_fixed = true;
              a.gap[3] = 0.0;
          }) == "right_fixed: the bead also has a wall; expected an infinite gap");
    CHECK(refusal([](auto& a) { a.right_drive = stepping::Drive::sine(1e4, 1e-7); }) ==
          "right_drive: there is no wall; expected a finite gap at this end");
    CHECK(refusal([](auto& a) {
              a.gravity = -9.81;
          }).starts_with("gravity: -9.81; expected a number from 0"));
    CHECK(refusal([](auto& a) { a.loads = {{.bead = 3, .force = 1.0}}; }) ==
          "loads[0].bead = 3: expected a bead from 0 to 2");
    CHECK(refusal([](auto& a) {
              a.loads = {{.bead = 0, .force = not_a_number}};
          }).starts_with("loads[0].force = nan: expected a finite number"));
}

}  // namespace beadwave::validation::chain_arrays_test
