// Static equilibrium at the start: every contact carries its load, or the input is refused.

#include "beadwave/input_error.hpp"
#include "beadwave/laws/force_jump.hpp"
#include "beadwave/laws/wang_liu.hpp"
#include "chain/build_chain.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <optional>
#include <string>

namespace beadwave::validation::equilibrium_test {

namespace {

struct Equilibrium {
    std::optional<chain::Chain> chain;
    std::string refusal;
};

Equilibrium equilibrium_of(const chain::Scenario& scenario) {
    try {
        return {.chain = chain::build_chain(scenario), .refusal = {}};
    } catch (const InputError& error) {
        return {.chain = {}, .refusal = error.what()};
    }
}

chain::Scenario squeezed(const laws::Settings& law, double force) {
    chain::Scenario scenario = steel_chain(5, 0.0, law, 1e-5);
    scenario.precompression = force;
    return scenario;
}

/// Forces [N] from 1e-6 to 1e4, ten per decade, and closer together where the laws of the steel
/// beads of the laboratory yield.
std::vector<double> forces() {
    std::vector<double> forces;
    for (int k = -60; k <= 40; ++k)
        forces.push_back(std::pow(10.0, 0.1 * k));
    for (double force = 0.5; force < 40.0; force += 0.25)
        forces.push_back(force);
    return forces;
}

}  // namespace

TEST_CASE("under every law a squeezed chain carries the given force, or is refused") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        CAPTURE(entry.name);
        int carried = 0;
        for (const double force : forces()) {
            CAPTURE(force);
            const Equilibrium equilibrium =
                equilibrium_of(squeezed(law_settings(entry.name), force));
            if (!equilibrium.chain) {
                CHECK(
                    equilibrium.refusal.starts_with("test: precompression.force: contact 1 cannot "
                                                    "carry "));
                continue;
            }
            ++carried;
            const chain::Chain& chain = *equilibrium.chain;
            REQUIRE(chain.loads.size() == 2);
            CHECK_RELATIVE(chain.loads[0].force, force, 1e-9);
            CHECK_RELATIVE(chain.loads[1].force, -force, 1e-9);
            for (std::size_t c = 1; c < chain.beads(); ++c) {
                CHECK_RELATIVE(laws::first_loading_force(chain.contacts.at(c), -chain.gap[c]),
                               force, 1e-9);
            }
        }
        CHECK(carried > 0);
    }
}

TEST_CASE(
    "a force inside the jump of Wang-Liu's printed transition is refused with both ends of it") {
    const laws::Settings printed = law_settings("wang-liu");
    const Equilibrium equilibrium = equilibrium_of(squeezed(printed, 5.0));
    CHECK(equilibrium.refusal ==
          "test: precompression.force: contact 1 cannot carry 5 N: under wang-liu its static force "
          "jumps from 1.97982 N to 8.87489 N at an overlap of 5.48216e-07 m; expected a force "
          "outside the jump or law.transition = \"continuous\"");
    CHECK(equilibrium_of(squeezed(printed, 1.97)).chain);
    CHECK(!equilibrium_of(squeezed(printed, 1.98)).chain);
    CHECK(!equilibrium_of(squeezed(printed, 8.87)).chain);
    CHECK(equilibrium_of(squeezed(printed, 8.88)).chain);
    CHECK(equilibrium_of(
              squeezed(law_settings("wang-liu", {{"transition", std::string("continuous")}}), 5.0))
              .chain);
}

TEST_CASE("a column whose weight meets the jump is refused, lighter and heavier contacts are not") {
    chain::Scenario column = steel_chain(6, 0.0, law_settings("wang-liu"), 1e-5);
    column.right.kind = chain::EndKind::fixed;
    column.gravity =
        chain::Gravity{.acceleration = 1000.0, .equilibrium = true};  // 0.45 N per bead
    CHECK(equilibrium_of(column).refusal.starts_with(
        "test: gravity.acceleration: contact 5 cannot carry 2.25 N: under wang-liu its static "
        "force jumps from "));
    column.gravity->acceleration = 500.0;
    const Equilibrium equilibrium = equilibrium_of(column);
    REQUIRE(equilibrium.chain);
    for (std::size_t c = 1; c <= 5; ++c) {
        CHECK_RELATIVE(laws::first_loading_force(equilibrium.chain->contacts.at(c),
                                                 -equilibrium.chain->gap[c]),
                       0.225 * static_cast<double>(c), 1e-9);
    }
    column.gravity->acceleration = 1000.0;
    column.gravity->equilibrium = false;
    CHECK(equilibrium_of(column).chain);
}

TEST_CASE("a law has jumps only where it skips forces") {
    const chain::Chain chain = chain::build_chain(squeezed(law_settings("wang-liu"), 1.0));
    const laws::AnyLaw law = chain.contacts.at(1);
    CHECK(!laws::jump_over(law, 1.0));
    CHECK(!laws::jump_over(law, 20.0));
    CHECK(std::isnan(laws::overlap_at_force(law, 5.0)));
    const auto jump = laws::jump_over(law, 5.0);
    REQUIRE(jump);
    // Hertz up to the yield overlap; the plastic stiffness times the overlap from there on.
    const auto& wang_liu = law.as<laws::WangLiu<double, laws::ImpactSpeed::uniform>>();
    const double overlap = wang_liu.overlap_yield;
    CHECK_RELATIVE(jump->overlap, overlap, 1e-14);
    CHECK_RELATIVE(jump->below, wang_liu.stiffness * std::pow(overlap, 1.5), 1e-12);
    CHECK_RELATIVE(jump->above, wang_liu.plastic_stiffness * overlap, 1e-12);
}

}  // namespace beadwave::validation::equilibrium_test
