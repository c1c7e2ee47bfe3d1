// A run whose time step is too long for its motion restarts, warns or fails: the choice of the
// step, the monitoring of the contacts' slopes, and the trials of a run.

#include "beadwave/laws/hertz.hpp"
#include "beadwave/running/step_trials.hpp"
#include "chain/build_chain.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "running/chain_system.hpp"
#include "sanitised.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace beadwave::validation::resolved_test {

namespace {

running::Finished run_to_end(const chain::Scenario& scenario) {
    const chain::Chain chain = chain::build_chain(scenario);
    return running::run_chain(chain, running::settings_of(scenario),
                              {.time_step = running::choose_time_step(scenario, chain)}, 1, {});
}

/// The largest difference of a peak force from a run with a sixteenth of the step.
double error_of(const chain::Scenario& scenario, const running::Finished& run) {
    chain::Scenario fine = scenario;
    fine.time.step = run.trial.time_step.step / 16.0;
    const running::Finished finer = run_to_end(fine);
    Largest worst;
    for (std::size_t s = 0; s < run.result.sensors.size(); ++s) {
        const double right = finer.result.sensors[s].peak_force;
        REQUIRE(right > 0.0);
        worst.enter(std::abs(run.result.sensors[s].peak_force / right - 1.0));
    }
    return worst;
}

/// Three steel beads under flores, pressed against a wall by 20 um in 4 ms.
chain::Scenario slow_press() {
    chain::Scenario scenario =
        steel_chain(3, 0.0, law_settings("flores", {{"restitution", 0.6}}), 4e-3);
    scenario.law.values.insert_or_assign("impact_speed", std::string("initial"));
    scenario.left = {
        .kind = chain::EndKind::driven,
        .drive = stepping::Drive::table("time_s,displacement_m\n0,0\n1e-3,5e-6\n2e-3,1e-5\n"
                                        "3e-3,1.5e-5\n4e-3,2e-5\n",
                                        "press.csv")};
    scenario.right.kind = chain::EndKind::wall;
    scenario.sensors = scenario::Sensors{.ids = {0, 1, 2}, .interval = {}};
    return scenario;
}

chain::Segment bead(double radius, double mass, double velocity, const char* material) {
    chain::Segment segment;
    segment.beads = 1;
    segment.radius = radius;
    segment.mass = mass;
    segment.velocity = velocity;
    segment.material = material;
    return segment;
}

}  // namespace

TEST_CASE(
    "a slow press makes the chosen step too long: the run restarts with a step that resolves it" *
    doctest::skip(sanitised)) {
    const chain::Scenario scenario = slow_press();
    const running::Finished run = run_to_end(scenario);
    REQUIRE_FALSE(run.trial.warnings.empty());
    CHECK(run.trial.warnings.front().find("restarted") != std::string::npos);
    CHECK(run.diagnostics.empty());
    CHECK(error_of(scenario, run) < 1e-3);
    // The same trials with any number of threads.
    const chain::Chain chain = chain::build_chain(scenario);
    const running::Finished again =
        running::run_chain(chain, running::settings_of(scenario),
                           {.time_step = running::choose_time_step(scenario, chain)}, 3, {});
    CHECK(again.trial.warnings == run.trial.warnings);
    CHECK(again.result.sensors[0].peak_force == run.result.sensors[0].peak_force);
}

TEST_CASE(
    "with the same press a given step gets a warning where it is too coarse and is refused where "
    "it is unstable") {
    chain::Scenario scenario = slow_press();
    const double fine = run_to_end(scenario).trial.time_step.step;
    scenario.time.step = 8.0 * fine;
    const running::Finished coarse = run_to_end(scenario);
    REQUIRE(coarse.diagnostics.size() == 1);
    CHECK(coarse.diagnostics.front().find("coarse time step: damping") == 0);
    scenario.time.step = 60.0 * fine;
    std::string message;
    try {
        run_to_end(scenario);
    } catch (const running::RunError& error) {
        message = error.what();
    }
    CHECK(message.find("unstable: at t = ") == 0);
}

TEST_CASE("a soft, strongly damped bead among steel ones determines the step") {
    chain::Scenario scenario =
        steel_chain(1, 1.0, law_settings("schafer", {{"damping", 40.0}}), 6e-5);
    scenario.materials["rubber"] = {
        .elasticity = {.youngs_modulus = 1e7, .poisson_ratio = 0.48, .yield_stress = 1e6},
        .density = {}};
    scenario.segments = {bead(5e-3, 4.11e-3, 1.0, "steel"), bead(5e-3, 4.11e-3, 0.0, "steel"),
                         bead(5e-4, 5.76e-7, 0.0, "rubber"), bead(5e-3, 4.11e-3, 0.0, "steel")};
    scenario.sensors = scenario::Sensors{.ids = {2, 3}, .interval = {}};
    const running::Finished run = run_to_end(scenario);
    CHECK(run.warnings().empty());
    CHECK(error_of(scenario, run) < 1e-2);
}

TEST_CASE("a bead a hundred times smaller than the striker that squeezes it is resolved") {
    chain::Scenario scenario = steel_chain(2, 1.0, law_settings("hertz"), 4e-5);
    scenario.segments = {bead(1e-2, 3.3e-2, 1.0, "steel"), bead(1e-4, 3.3e-8, 0.0, "steel")};
    scenario.right.kind = chain::EndKind::wall;
    scenario.sensors = scenario::Sensors{.ids = {0, 1}, .interval = {}};
    const running::Finished run = run_to_end(scenario);
    CHECK(error_of(scenario, run) < 1e-2);
}

TEST_CASE("a motion of 20 MHz from a file is resolved") {
    chain::Scenario scenario = steel_chain(3, 0.0, law_settings("hertz"), 1e-6);
    std::string rows = "time_s,displacement_m\n";
    for (int row = 0; row <= 500; ++row) {
        const double time = 1e-9 * row;
        rows += fmt::format("{:.12g},{:.12g}\n", time,
                            1e-10 * std::pow(std::sin(3.14159265358979 * 20e6 * time), 2));
    }
    scenario.left = {.kind = chain::EndKind::driven,
                     .drive = stepping::Drive::table(rows, "ultrasound.csv")};
    const double step = running::choose_time_step(scenario, chain::build_chain(scenario)).step;
    CHECK(step <= 1.05 / (20e6 * stepping::steps_per_period));
    CHECK(step > 0.5 / (20e6 * stepping::steps_per_period));
}

TEST_CASE("a law that stops a slow bead almost at once does not need a step close to zero") {
    const chain::Scenario scenario = steel_chain(
        5, 0.01, law_settings("carretero-gonzalez", {{"gamma", 30.0}, {"alpha", 0.5}}), 1e-5);
    CHECK(running::choose_time_step(scenario, chain::build_chain(scenario)).step > 1e-10);
}

TEST_CASE(
    "an overdamped contact that lasts to zero overlap runs, with a given step and a chosen one") {
    chain::Scenario scenario = steel_chain(
        3, 1.0, law_settings("schafer", {{"damping", 1e4}, {"separation", std::string("gap")}}),
        1e-6);
    scenario.sensors = scenario::Sensors{.ids = {0, 1}, .interval = {}};
    const running::Finished run = run_to_end(scenario);
    CHECK(error_of(scenario, run) < 1e-2);
    scenario.time.step = run.trial.time_step.step;
    CHECK(run_to_end(scenario).result.steps == run.result.steps);
}

TEST_CASE("damping that is steep only where the motion reverses gives a warning") {
    const chain::Scenario scenario = steel_chain(
        3, 1.0, law_settings("carretero-gonzalez", {{"gamma", 30.0}, {"alpha", 0.05}}), 1e-5);
    const running::Finished run = run_to_end(scenario);
    REQUIRE(run.diagnostics.size() == 1);
    CHECK(run.diagnostics.front().find("steep at small speeds") != std::string::npos);
}

TEST_CASE("monitoring finds the frequency of a squeezed chain on every instruction set") {
    // The chain moves as a whole, because beads at rest are not monitored.
    chain::Scenario scenario = steel_chain(70, 1e-3, law_settings("hertz"), 1e-3);
    scenario.segments[1].velocity = 1e-3;
    scenario.precompression = 20.0;
    const chain::Chain chain = chain::build_chain(scenario);
    const double k = chain.contacts.at(1).as<laws::Hertz<double>>().stiffness;
    const double overlap = std::pow(20.0 / k, 2.0 / 3.0);
    const double expected = std::sqrt(2.0 * 1.5 * k * std::sqrt(overlap) / 0.45e-3);
    dynamics::SensorTrace none;
    const auto watched = [&](dynamics::Engine& engine) {
        engine.monitor_stability(1e-3);
        engine.advance(1000, none);
        return engine.stability_limits().frequency;
    };
    // The slope is a difference over 1/4096 of the overlap, the smaller of two; its error is 3e-5.
    CHECK_RELATIVE(watched(*dynamics::make_plain_engine(chain, 1e-7)), expected, 1e-4);
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        for (const dynamics::TileShape& shape :
             {dynamics::TileShape{}, dynamics::TileShape{.beads = 32, .steps = 20}}) {
            CAPTURE(set.name);
            CHECK_RELATIVE(watched(*dynamics::make_tiled_engine(chain, 1e-7, 1, shape, set)),
                           expected, 1e-4);
        }
    }
}

TEST_CASE("monitoring finds the damping on every instruction set") {
    chain::Scenario scenario = steel_chain(
        40, 1e-3, law_settings("kelvin-voigt", {{"restitution", 0.5}, {"stiffness", 1e7}}), 1e-3);
    scenario.segments[1].velocity = 1e-3;
    scenario.precompression = 20.0;
    const chain::Chain chain = chain::build_chain(scenario);
    const laws::AnyLaw law = chain.contacts.at(1);
    const double c = law.respond(1e-6, 1e-3, {}).force - law.respond(1e-6, 0.0, {}).force;
    const double expected = 2.0 * c / 1e-3 / 0.45e-3;
    dynamics::SensorTrace none;
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        CAPTURE(set.name);
        const auto engine = dynamics::make_tiled_engine(chain, 1e-8, 1, {}, set);
        engine->monitor_stability(1e-3);
        engine->advance(500, none);
        CHECK_RELATIVE(engine->stability_limits().damping, expected, 1e-9);
    }
}

}  // namespace beadwave::validation::resolved_test
