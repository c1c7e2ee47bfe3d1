#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "slider_crank.hpp"

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace beadwave {
namespace {

using namespace mechanism;

struct Seen {
    std::vector<double> numbers;  ///< of every moment and impact, in order
    std::vector<std::vector<double>> states;
    std::vector<std::size_t> before;  ///< numbers seen before each state
};

/// A run from a state, that saves one every `steps` steps.
Seen run(const Mechanism& made, int steps, const std::vector<double>* from = nullptr) {
    Seen seen;
    int step = 0;
    Sinks sinks;
    sinks.moment = [&](const Moment& moment) {
        seen.numbers.push_back(moment.time);
        for (const BodyMotion& body : moment.bodies) {
            seen.numbers.insert(
                seen.numbers.end(),
                {body.centre[0], body.centre[1], body.velocity[0], body.velocity[1],
                 body.acceleration[0], body.acceleration[1], body.angle, body.spin});
        }
        for (const SpotMoment& spot : moment.spots)
            seen.numbers.insert(seen.numbers.end(), {spot.overlap, spot.force, spot.friction});
        seen.numbers.push_back(moment.ledger.residual);
    };
    sinks.impact = [&](std::size_t spot, const Impact& impact) {
        seen.numbers.push_back(static_cast<double>(spot));
        for (double Impact::*number : impact_numbers)
            seen.numbers.push_back(impact.*number);
    };
    sinks.checkpoint_due = [&](std::int64_t) { return ++step % steps == 0; };
    sinks.checkpoint = [&](std::int64_t, const std::vector<double>& state) {
        seen.before.push_back(seen.numbers.size());
        seen.states.push_back(state);
    };
    const Result result = simulate(made, sinks, from);
    for (const double count :
         {static_cast<double>(result.steps), static_cast<double>(result.refused_steps),
          static_cast<double>(result.evaluations)})
        seen.numbers.push_back(count);
    return seen;
}

/// Goes on from every state of a run: what is seen from there on is what the whole run saw, to the
/// bit.
void check_every_state(const Mechanism& made, int steps) {
    const Seen whole = run(made, steps);
    REQUIRE(whole.states.size() > 3);
    for (std::size_t i = 0; i < whole.states.size(); ++i) {
        const Seen rest = run(made, steps, &whole.states[i]);
        REQUIRE(rest.numbers.size() == whole.numbers.size() - whole.before[i]);
        std::size_t different = 0;
        for (std::size_t k = 0; k < rest.numbers.size(); ++k) {
            different += std::bit_cast<std::uint64_t>(rest.numbers[k]) !=
                         std::bit_cast<std::uint64_t>(whole.numbers[whole.before[i] + k]);
        }
        CHECK(different == 0);
    }
}

TEST_CASE("a mechanism goes on from any step to the same bits, whatever its contacts remember") {
    // Impulses: until the pin rests on the bearing.
    constexpr int steps = 5;
    for (const std::string law :
         {"lankarani-nikravesh", "ma-liu", "poursina-nikravesh", "impulse"}) {
        CAPTURE(law);
        const double end = law == "impulse" ? 1.5e-3 : 4e-4;
        validation::SliderCrank given;
        given.end = end;
        if (law != "impulse") given.law = validation::law_settings(law);
        if (given.law.values.contains("impact_speed"))
            given.law.values["impact_speed"] = std::string("per-contact");
        Mechanism made = given.mechanism();
        if (law == "impulse") made.contacts[0].law = Impulse{0.3};
        made.contacts[0].keeps_memory = law == "ma-liu";
        made.interval = end / 17.0;
        // The motor's rate jumps: on which side of it a step looks is remembered too.
        made.joints[0].motor =
            Motor{.times = {0.0, 0.3 * end, 0.6 * end}, .speeds = {given.speed, 600.0, 400.0}};
        check_every_state(made, steps);
    }
}

TEST_CASE("a saved state of another mechanism, or a damaged one, is refused") {
    validation::SliderCrank given;
    given.law = validation::law_settings("hertz");
    given.end = 4e-4;
    const Mechanism made = given.mechanism();
    const Seen whole = run(made, 20);
    REQUIRE(!whole.states.empty());
    std::vector<double> state = whole.states.back();
    state.push_back(0.0);
    CHECK_THROWS_AS(run(made, 20, &state), std::length_error);
    state.resize(state.size() - 3);
    CHECK_THROWS_AS(run(made, 20, &state), std::length_error);
    state = whole.states.back();
    state.front() = 1.0;  // the time: beyond the end
    CHECK_THROWS_AS(run(made, 20, &state), std::length_error);
}

}  // namespace
}  // namespace beadwave
