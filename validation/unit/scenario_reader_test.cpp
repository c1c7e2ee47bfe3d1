#include "beadwave/laws/catalogue.hpp"
#include "scenario_texts.hpp"

namespace beadwave::validation::scenario_reader_test {

TEST_CASE("the documented scenario is read as it is written") {
    const io::ReadScenario result = read(documented_scenario);
    const chain::Scenario& s = result.scenario;
    CHECK(result.warnings.empty());
    CHECK(s.title == "70 stainless-steel beads struck at 1.77 m/s");
    REQUIRE(s.materials.size() == 1);
    const scenario::Material& steel = s.materials.at("steel316");
    CHECK(steel.elasticity.youngs_modulus == 193e9);
    CHECK(steel.elasticity.poisson_ratio == 0.3);
    CHECK(steel.elasticity.yield_stress == 900e6);
    CHECK(steel.density == 7970.0);
    REQUIRE(s.segments.size() == 2);
    CHECK(s.bead_count() == 71);
    CHECK(s.segments[0].velocity == 1.77);
    CHECK_FALSE(s.segments[0].gap.has_value());
    CHECK(s.segments[1].beads == 70);
    CHECK(s.segments[1].radius == 2.38e-3);
    CHECK(s.segments[1].mass == 0.45e-3);
    CHECK(s.segments[1].material == "steel316");
    CHECK(s.segments[1].gap == 0.0);
    CHECK(s.law.name == "ma-liu");
    CHECK(s.law.number("psi") == 2.84);
    CHECK(s.law.number("xi") == 13.0);
    CHECK(s.left.kind == chain::EndKind::free);
    CHECK(s.right.kind == chain::EndKind::free);
    CHECK(s.time.end == 700e-6);
    CHECK(s.time.step == 1e-8);
    REQUIRE(s.sensors.has_value());
    CHECK(s.sensors->ids == std::vector<std::int64_t>{9, 16, 24, 31, 40, 50, 56, 63});
    CHECK(s.sensors->interval == 1e-7);
    CHECK(s.snapshot_interval == 1e-5);
}

TEST_CASE("missing keys of a scenario have their documented defaults") {
    const chain::Scenario s = read(shortest_scenario).scenario;
    CHECK(s.title.empty());
    CHECK(s.materials.at("steel").elasticity.yield_stress == 0.0);
    CHECK_FALSE(s.materials.at("steel").density.has_value());
    const chain::Segment& segment = s.segments.at(0);
    CHECK(segment.velocity == 0.0);
    CHECK_FALSE(segment.gap.has_value());
    CHECK(segment.pattern.empty());
    CHECK(segment.taper == 1.0);
    CHECK(segment.disorder == 0.0);
    CHECK(segment.seed == 0);
    CHECK(s.left.kind == chain::EndKind::free);
    CHECK(s.right.kind == chain::EndKind::free);
    CHECK_FALSE(s.gravity.has_value());
    CHECK_FALSE(s.precompression.has_value());
    CHECK_FALSE(s.time.step.has_value());
    CHECK_FALSE(s.sensors.has_value());
    CHECK_FALSE(s.snapshot_interval.has_value());
    CHECK_FALSE(s.energy_interval.has_value());
}

TEST_CASE("integers are accepted as numbers") {
    const chain::Scenario s = read(shortest_scenario).scenario;
    CHECK(s.materials.at("steel").elasticity.youngs_modulus == 2e11);
    CHECK(s.segments.at(0).mass == 1.0);
    CHECK(s.time.end == 1.0);
}

TEST_CASE("patterns, taper, disorder, loads and walls are read") {
    const chain::Scenario s = read(R"([material.steel]
youngs_modulus = 2e11
poisson_ratio = -0.5
[material.brass]
youngs_modulus = 1e11
poisson_ratio = 0.5
density = 8500
[[segment]]
beads = 7
material = "steel"
pattern = [{ radius = 1e-3, mass = 2e-3 }, { radius = 2e-3, material = "brass" }]
gap = -1e-6
taper = 0.99
disorder = 0.3
seed = 42
[law]
name = "hertz"
[boundary]
left = "wall"
right = { kind = "wall", material = "brass", gap = 1e-4 }
[gravity]
acceleration = 9.81
equilibrium = false
[precompression]
force = 20
[time]
end = 1e-3
[energy]
interval = 1e-6
)")
                                  .scenario;
    const chain::Segment& segment = s.segments.at(0);
    CHECK(segment.radius == 0.0);
    CHECK(segment.gap == -1e-6);
    CHECK(segment.taper == 0.99);
    CHECK(segment.disorder == 0.3);
    CHECK(segment.seed == 42);
    REQUIRE(segment.pattern.size() == 2);
    CHECK(segment.pattern[0].radius == 1e-3);
    CHECK(segment.pattern[0].mass == 2e-3);
    CHECK_FALSE(segment.pattern[0].material.has_value());
    CHECK(segment.pattern[1].material == "brass");
    CHECK(s.left.kind == chain::EndKind::wall);
    CHECK_FALSE(s.left.material.has_value());
    CHECK(s.left.gap == 0.0);
    CHECK(s.right.material == "brass");
    CHECK(s.right.gap == 1e-4);
    CHECK(s.gravity.value().acceleration == 9.81);
    CHECK_FALSE(s.gravity.value().equilibrium);
    CHECK(s.precompression == 20.0);
    CHECK(s.energy_interval == 1e-6);
    CHECK(read(edited(shortest_scenario, "[time]", "[gravity]\nacceleration = 9.81\n[time]"))
              .scenario.gravity->equilibrium);
}

TEST_CASE("a law has its standard values and its name") {
    const chain::Scenario s =
        read(edited(shortest_scenario, "\"hertz\"", "\"ye\"\nrestitution = 0.65")).scenario;
    CHECK(s.law.name == "flores");
    CHECK(s.law.number("restitution") == 0.65);
    for (const laws::Parameter& parameter : laws::find("flores")->parameters) {
        CAPTURE(parameter.name);
        if (parameter.standard) CHECK(s.law.number(parameter.name) == *parameter.standard);
        if (!parameter.standard_word.empty())
            CHECK(s.law.is(parameter.name, parameter.standard_word));
    }
}

}  // namespace beadwave::validation::scenario_reader_test
