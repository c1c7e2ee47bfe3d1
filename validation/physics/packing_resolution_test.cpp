// The time step of a packing that follows from a stated accuracy: what collisions then are.

#include "beadwave/input_error.hpp"
#include "beadwave/laws/collision.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing_system/packing_simulation.hpp"
#include "subjects/packing/packing_reader.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

namespace beadwave::validation::packing_resolution_test {

namespace {

constexpr double speed = 0.7;  // m/s

/// A sphere that meets a wall after `way` [m].
packing::Scenario scenario_of(const std::string& law, const std::string& time, double way) {
    const std::string text = fmt::format(R"(
[material.glass]
youngs_modulus = 5e9
poisson_ratio = 0.2
density = 2500
[[particles]]
position = [0.0, 0.0, {:.17g}]
radius = 2e-3
material = "glass"
velocity = [0.0, 0.0, -{}]
[[wall]]
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "glass"
[law]
{}
[time]
end = 2e-4
{}
)",
                                         2e-3 + way, speed, law, time);
    return io::read_packing_text(text, "x.toml", {}).scenario;
}

stepping::TimeStep step_of(const std::string& law, const std::string& time) {
    const packing::Scenario scenario = scenario_of(law, time, 1e-5);
    return running::choose_time_step(scenario, packing::build_packing(scenario));
}

struct Errors {
    double mean = 0.0, scatter = 0.0;
};

/// Of the rebound in runs whose contacts close at sixteen moments of a step, relative to the speed.
/// The true rebound is that of an adaptive method of fifth order.
Errors rebound_errors(const std::string& law, double step) {
    constexpr int moments = 16;
    Errors errors;
    for (int k = 0; k < moments; ++k) {
        const packing::Scenario scenario = scenario_of(law, fmt::format("step = {:.17g}", step),
                                                       (3.0 + (k + 0.3) / moments) * step * speed);
        const packing::Packing p = packing::build_packing(scenario);
        packing::PairLaws laws(p);
        const double exact =
            laws::collide(laws.law(laws.kind(0, 1)).normal, p.mass[0], speed).restitution;
        const auto engine = packing::make_packing_engine(p, step, 1);
        engine->advance(static_cast<std::int64_t>(2e-4 / step));
        const double error = engine->velocity()[0].z / speed - exact;
        errors.mean += error / moments;
        errors.scatter += error * error / moments;
    }
    errors.mean = std::abs(errors.mean);
    errors.scatter = std::sqrt(errors.scatter);
    return errors;
}

const std::string tsuji = "name = \"tsuji\"\nrestitution = 0.3";
const std::string dashpot = "name = \"kelvin-voigt\"\nstiffness = 1e6\nrestitution = 0.4";

}  // namespace

TEST_CASE("collisions are as accurate as time.resolution says, whatever limits the step") {
    for (const std::string& law : {tsuji, dashpot, std::string("name = \"hertz\"")}) {
        for (const double resolution : {1e-3, 1e-4}) {
            CAPTURE(law);
            CAPTURE(resolution);
            const auto step = step_of(law, fmt::format("resolution = {}", resolution));
            const Errors errors = rebound_errors(law, step.step);
            CHECK(errors.mean <= 1.2 * resolution);  // other moments of closing than the choice has
            CHECK(errors.scatter <= 12.0 * resolution);
        }
    }
}

TEST_CASE(
    "without time.resolution a steep rise of the force does not shorten the step of a packing") {
    const auto usual = step_of(tsuji, "");
    CHECK(usual.step >= usual.shortest_contact / 300.0);
    CHECK(usual.step <= usual.shortest_contact / 250.0);
    const Errors errors = rebound_errors(tsuji, usual.step);
    CHECK(errors.mean <= 1.2e-4);
    CHECK(errors.scatter <= 1.2e-3);
}

TEST_CASE("a step names the rule that limited it") {
    using stepping::StepRule;
    CHECK(step_of("name = \"hertz\"", "").rule == StepRule::contact);
    CHECK(step_of(dashpot, "").rule == StepRule::jump);
    CHECK(step_of(dashpot, "resolution = 1e-4").rule == StepRule::collision);
    CHECK(step_of(tsuji, "step = 1e-7").rule == StepRule::given);
    CHECK(stepping::name_of(StepRule::collision) == std::string("collision"));
}

TEST_CASE("a step and its accuracy are not given together, nor one that no step has") {
    CHECK_THROWS_AS(step_of(tsuji, "step = 1e-7\nresolution = 1e-3"), InputError);
    CHECK_THROWS_AS(step_of(tsuji, "resolution = 0.1"), InputError);
}

TEST_CASE("a packing has four times the step with sixteen times the error of vibrations") {
    const auto fine = step_of("name = \"hertz\"", "resolution = 1e-5");
    const auto coarse = step_of("name = \"hertz\"", "resolution = 16e-5");
    CHECK(std::abs(coarse.step / fine.step / 4.0 - 1.0) < 0.02);  // both divide the run
    CHECK(std::abs(fine.step / step_of("name = \"hertz\"", "").step - 1.0) < 1e-12);
    CHECK(coarse.too_coarse_frequency > 3.9 * fine.too_coarse_frequency);
}

}  // namespace beadwave::validation::packing_resolution_test
