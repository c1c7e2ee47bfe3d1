// Gradients of packings: their steps are those of the plain engine, and the reverse sweep is beside
// dual numbers through a plain integration, written here with places instead of displacements,
// without neighbour lists and without this program's laws, and beside central differences.

#include "beadwave/input_error.hpp"
#include "largest.hpp"
#include "packing_gradients/adjoint_run.hpp"
#include "packing_gradients/gradient.hpp"
#include "plain_heap.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace beadwave::validation::packing_gradients_test {
namespace {

using namespace gradient_heap;  // NOLINT: what this file tests
using gradients::ObjectiveKind;
using packing_gradients::AdjointRun;
using packing_gradients::Bars;
using packing_gradients::VariedPacking;

constexpr const char* all_inputs =
    "position,velocity,angular_velocity,mass,radius,youngs_modulus,gravity,friction.coefficient,"
    "restitution";

/// The largest of the derivatives times their numbers, by which errors are judged.
double scale_of(const std::vector<double>& derivatives, const std::vector<double>& numbers,
                double scale) {
    double largest = 0.0;
    for (std::size_t i = 0; i < derivatives.size(); ++i)
        largest =
            std::max(largest, std::fabs(derivatives[i]) * std::max(std::fabs(numbers[i]), scale));
    return largest;
}

}  // namespace

TEST_CASE("the steps that packings' gradients reverse are those of the plain engine, to the bit") {
    for (const char* law : {"hertz", "hooke", "tsuji", "hunt-crossley", "ma-liu"}) {
        CAPTURE(law);
        packing::Packing p = heap(law, {});
        for (const auto& [name, value] :
             std::map<std::string, laws::Value>{{"restitution", 0.6}, {"impact_speed", 0.5}}) {
            if (p.law.values.contains(name)) p.law.values.insert_or_assign(name, value);
        }
        if (law == std::string("hooke")) {
            p.friction = {.law = laws::FrictionLaw::linear,
                          .coefficient = 0.3,
                          .stiffness = 2e3,
                          .damping = 0.05};
            p.rolling = {.coefficient = 0.02, .twisting_coefficient = 0.01, .damping_ratio = 0.1};
            p.law.values.insert_or_assign("stiffness", 4e3);
        }
        if (law == std::string("hertz")) p.friction.damping_ratio = 0.2;
        if (law == std::string("hunt-crossley")) {
            p.pairs.push_back({.species = {1, 0}, .law = p.law, .friction = p.friction});
            p.pairs[0].law.values.insert_or_assign("restitution", 0.3);
            p.pairs[0].friction.coefficient = 0.1;
            p.pairs[0].friction.static_coefficient = 0.2;
        }
        p.walls[0].velocity = {0.02, 0.0, 0.05};
        if (law == std::string("ma-liu")) add_elements(p);
        const auto engine = packing::make_plain_packing_engine(p, time_step);
        std::size_t closed = 0;
        for (std::int64_t s = 0; s < steps; s += 20) {
            engine->advance(20);
            closed = std::max(closed, engine->closed_contacts());
        }
        const VariedPacking varied(p);
        packing_gradients::Steps own(varied, time_step);
        own.start();
        for (std::int64_t s = 0; s < steps; ++s)
            own.advance();
        CHECK(engine->neighbour_list_builds() > 3);
        CHECK(closed > 3);
        CHECK(own.state().velocity == engine->velocity());
        CHECK(own.state().spin == engine->angular_velocity());
    }
}

TEST_CASE("a packing's gradient is that of dual numbers through a plain integration") {
    const packing::Packing p = heap();
    const VariedPacking varied(p);
    const Case of;
    AdjointRun run(varied, time_step, steps, of.channels, of.energies);
    run.forward(true);
    const Bars bars = run.reverse(of.seeds);
    const PlainRun plain(Plain(p), of);
    CHECK(plain.slips > 50);
    CHECK(plain.sticks > 50);
    CHECK(plain.crossings > 20);
    // Places rounded to 1e-18 m beside overlaps of 1e-6 m, over 400 steps.
    CHECK_RELATIVE(of.value_of(run.readings(), run.energies()[0]), plain.value.value, 1e-12);
    std::size_t compared = 0;
    for (const Input& input : packing_gradients::read_inputs(all_inputs, p, "inputs")) {
        const std::vector<double> numbers = packing_gradients::numbers_of(varied, input);
        const std::vector<double> gradient =
            packing_gradients::gradient_by(varied, input, bars, run.table());
        const double scale = scale_of(gradient, numbers, 0.0);
        REQUIRE(scale > 0.0);
        for (std::size_t i = compared % 3; i < gradient.size(); i += input.columns() == 3 ? 4 : 3) {
            CAPTURE(input.name);
            CAPTURE(i);
            Plain given(p);
            given.number(input, i).along[0] = 1.0;
            const std::size_t row = i / input.columns();
            if (input.of() == std::string("particle") && p.is_fixed(row) &&
                (input.kind == Input::Kind::velocity ||
                 input.kind == Input::Kind::angular_velocity))
                continue;
            const double size = std::max(std::fabs(numbers[i]), 1e-300);
            CHECK_ABSOLUTE(gradient[i] * size, PlainRun(given, of).value.along[0] * size,
                           1e-10 * scale);
            ++compared;
        }
    }
    CHECK(compared > 20);
}

TEST_CASE(
    "a packing's gradient is that of central differences, for every kind of friction and law") {
    struct Row {
        const char* law;
        laws::Friction friction;
        bool rolls = false, carries = false;
    };
    using enum laws::FrictionLaw;
    const std::array<Row, 6> rows{
        {{"hertz", {.law = mindlin_displacement, .coefficient = 0.3}, true},
         {"hooke", {.law = linear, .coefficient = 0.3, .stiffness = 2e3, .damping = 0.05}},
         {"hunt-crossley", {.law = mindlin, .coefficient = 0.3, .damping_ratio = 0.2}},
         {"kelvin-voigt", {.law = none}},
         {"hertz", {.law = mindlin, .coefficient = 0.3}, false, true},
         {"ma-liu", {.law = mindlin, .coefficient = 0.3}}}};
    for (const Row& row : rows) {
        CAPTURE(row.law);
        packing::Packing p = heap(row.law, {});
        for (const auto& [name, value] : std::map<std::string, laws::Value>{
                 {"restitution", 0.6}, {"impact_speed", 0.5}, {"stiffness", 4e3}}) {
            const auto at = p.law.values.find(name);
            if (at != p.law.values.end()) at->second = value;
        }
        p.species_list[0].elasticity.yield_stress = p.species_list[1].elasticity.yield_stress = 2e4;
        p.friction = row.friction;
        if (row.rolls)
            p.rolling = {.coefficient = 0.02, .twisting_coefficient = 0.01, .damping_ratio = 0.1};
        if (row.carries) add_elements(p);
        std::vector<gradients::Objective> objectives(3);
        objectives[0] = {.kind = ObjectiveKind::impulse,
                         .channel = {Channel::Kind::wall_force, 0, 0}};
        objectives[1] = {.kind = ObjectiveKind::energy,
                         .weight = 1e3,
                         .first_bead = 0,
                         .last_bead = 4,
                         .from = 3e-3};
        objectives[2] = {.kind = ObjectiveKind::peak,
                         .channel = {Channel::Kind::sensor_force, 2, 0}};
        const stepping::TimeStep step{.step = time_step, .count = 300};
        const gradients::Measure measure(objectives, step);
        const std::string some = std::string("radius,velocity,mass") +
                                 (row.carries ? ",position" : "") +
                                 (row.friction.law == none ? "" : ",friction.coefficient");
        const gradients::Gradient gradient = packing_gradients::gradient_of(
            p, step, measure, packing_gradients::read_inputs(some, p, "inputs"), "heap", true);
        REQUIRE(gradient.check);
        CHECK(gradient.check->numbers > 20);
        // Differences that no contact opens or closes in a step within.
        CHECK(gradient.check->largest_deviation < 1e-6);
        CHECK(gradient.warnings.size() == (row.law == std::string("kelvin-voigt") ? 1 : 0));
    }
}

TEST_CASE("a packing's gradient has the same bits twice, on two threads and with few states") {
    const packing::Packing p = heap();
    const VariedPacking varied(p);
    const Case of;
    std::vector<Bars> all;
    for (const std::size_t states : {0, 0, 12}) {
        const int threads = all.size() == 1 ? 2 : 1;
        AdjointRun run(varied, time_step, steps, of.channels, of.energies, {}, states, threads);
        run.forward(true);
        all.push_back(run.reverse(of.seeds));
        if (states > 0) CHECK(run.states() <= states);
        const Bars again = run.reverse(of.seeds);
        CHECK(again.position == all.back().position);
    }
    for (const Bars& bars : all) {
        CHECK(bars.position == all[0].position);
        CHECK(bars.radius == all[0].radius);
        CHECK(bars.law == all[0].law);
    }
}

TEST_CASE("packings without a gradient are refused by name") {
    const auto refusal = [](const packing::Packing& p) {
        try {
            packing_gradients::check_packing(p, "heap.toml");
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refusal(heap()).empty());
    packing::Packing p = heap();
    p.box.strain.emplace();
    CHECK(refusal(p).find("its box strains") != std::string::npos);
    p = heap();
    p.walls[1].load.emplace();
    CHECK(refusal(p).find("wall 1 has a mass") != std::string::npos);
    p = heap();
    p.walls[0].angular_velocity = 1.0;
    CHECK(refusal(p).find("wall 0 turns") != std::string::npos);
    p = heap();
    p.semi_axes.assign(p.particles(), {1e-3, 1e-3, 1e-3});
    CHECK(refusal(p).find("other shapes") != std::string::npos);
    p = heap();
    p.law = law_settings("jkr", {{"adhesion_energy", 0.1}});
    CHECK(refusal(p).find("adhesion") != std::string::npos);
    CHECK_THROWS_AS(packing_gradients::read_inputs("gap", p, "--inputs"), InputError);
}

}  // namespace beadwave::validation::packing_gradients_test
