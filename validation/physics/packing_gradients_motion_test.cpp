// Gradients of packings beside the motion and not the steps: one bounce on a floor. The speed after
// it does not depend on where within its step the contact closes, so neither may its derivative.

#include "beadwave/laws/catalogue.hpp"
#include "gradient_heap.hpp"
#include "largest.hpp"
#include "laws/neck.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing_gradients/adjoint_run.hpp"
#include "packing_gradients/inputs.hpp"
#include "packing_gradients/law_warnings.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace beadwave::validation::packing_gradients_motion_test {
namespace {

using gradient_heap::Channel;
using packing_gradients::AdjointRun;
using packing_gradients::VariedPacking;

constexpr double speed = 0.5, end = 4e-3;                // of the bead [m/s], of the run [s]
constexpr double radius = 2.6e-3, shortest_step = 1e-6;  // [m], [s]
constexpr double collision = 1e-3;                       // its duration with Hertz's law, about [s]

/// A rubber bead above a floor, which it reaches after `gap` [m].
packing::Packing bead(const std::string& law, double gap, double speed_in) {
    packing::Packing p = steel_packing();
    p.law = law_settings(law);
    for (const auto& [name, value] : std::map<std::string, laws::Value>{
             {"restitution", 0.7}, {"impact_speed", 0.5}, {"stiffness", 1e3}}) {
        if (p.law.values.contains(name)) p.law.values.insert_or_assign(name, value);
    }
    p.species_list[0].elasticity.youngs_modulus = 2e6;
    p.species_list[0].elasticity.yield_stress = 2e4;
    p.friction = {.law = laws::FrictionLaw::none};
    p.walls = {{.shape = packing::Plane{.point = {0.0, 0.0, 0.0}, .normal = {0, 0, 1}}}};
    p.add(radius, 1.1e-4, {0.0, 0.0, radius + gap});
    p.velocity[0] = {0.0, 0.0, -speed_in};
    return p;
}

struct Bounce {
    double speed_out = 0.0;  // [m/s]
    bool left = false;       // the floor, at the end
    double by_speed = 0.0;   // derivatives of it [-], [1/s]
    double by_height = 0.0;
    std::vector<std::string> warnings{};
};

Bounce bounce(const std::string& law, double gap, double speed_in, double time_step, bool reverse) {
    const VariedPacking varied(bead(law, gap, speed_in));
    const auto steps = static_cast<std::int64_t>(std::lround(end / time_step));
    AdjointRun run(varied, time_step, steps,
                   {Channel{Channel::Kind::velocity, 0, 2}, Channel{Channel::Kind::position, 0, 2}},
                   {});
    run.forward(reverse);
    Bounce result{.speed_out = run.readings()[0].back(),
                  .left = run.readings()[1].back() > radius,
                  .warnings = packing_gradients::law_warnings(run.table())};
    if (!reverse) return result;
    const std::vector<double> none(static_cast<std::size_t>(steps) + 1, 0.0);
    gradients::Readings seeds{none, none};
    seeds[0].back() = 1.0;
    const packing_gradients::Bars bars = run.reverse(seeds);
    result.by_speed = -bars.velocity[0].z;
    result.by_height = bars.position[0].z;
    return result;
}

/// The largest deviations from the motion over places of closing within a step.
struct Deviation {
    Largest by_speed{}, by_height{};
};

Deviation deviation(const std::string& law, double slope, double time_step) {
    Deviation largest;
    for (const double part : {0.0, 0.13, 0.37, 0.62, 0.88}) {
        const Bounce at = bounce(law, 1e-4 + part * speed * time_step, speed, time_step, true);
        largest.by_speed.enter(std::fabs(at.by_speed - slope));
        largest.by_height.enter(std::fabs(at.by_height) * collision);
    }
    return largest;
}

/// The derivative of the speed after the bounce, from two runs with short steps.
double slope_of_motion(const std::string& law) {
    constexpr double part = 0.02;
    const double above = bounce(law, 1e-4, speed * (1.0 + part), shortest_step, false).speed_out;
    const double below = bounce(law, 1e-4, speed * (1.0 - part), shortest_step, false).speed_out;
    return (above - below) / (2.0 * part * speed);
}

}  // namespace

TEST_CASE("packings' gradients without a warning are those of the motion") {
    std::size_t compared = 0;
    for (const laws::Entry& entry : laws::catalogue()) {
        if (entry.make == nullptr || entry.name == "tabulated") continue;
        CAPTURE(entry.name);
        const packing::Packing p = bead(entry.name, 1e-4, speed);
        if (laws::is_adhesive(packing::PairLaws(p).normal())) continue;
        const Bounce motion = bounce(entry.name, 1e-4, speed, shortest_step, false);
        // With these numbers some laws bring the bead to rest or keep it longer than the run.
        if (!motion.warnings.empty() || !motion.left || motion.speed_out < 0.05 * speed) continue;
        const double slope = slope_of_motion(entry.name);
        if (entry.name == "hertz" || entry.name == "hooke") CHECK_ABSOLUTE(slope, 1.0, 1e-3);
        // Linear springs have the largest deviations, two thirds of these.
        for (const double time_step : {2e-5, 5e-6}) {
            const Deviation of = deviation(entry.name, slope, time_step);
            CHECK(of.by_speed < 5e3 * time_step);
            CHECK(of.by_height < 2.4e4 * time_step);
        }
        ++compared;
    }
    CHECK(compared > 30);
}

TEST_CASE("gradients warn of the laws of all pairs of a run, also where particle 0 is fixed") {
    const auto warnings = [](const packing::Packing& p) {
        const VariedPacking varied(p);
        AdjointRun run(varied, 1e-5, 10, {}, {});
        run.forward(false);
        return packing_gradients::law_warnings(run.table()).size();
    };
    packing::Packing p = bead("tsuji", 1e-4, speed);
    CHECK(warnings(p) == 1);
    // A fixed particle has no dashpot with itself, and one with a particle that moves.
    p.add(radius, 1.1e-4, {0.0, 0.0, 3.0 * radius + 1.1e-4});
    p.velocity = {{}, {0.0, 0.0, -speed}};
    p.fixed = {1, 0};
    CHECK(warnings(p) == 1);
    // The floor is of another species, with a law of its own.
    packing::Packing own = bead("hertz", 1e-4, speed);
    own.species_list.push_back(own.species_list[0]);
    own.walls[0].species = 1;
    CHECK(warnings(own) == 0);
    own.pairs = {{.species = {0, 1}, .law = p.law, .friction = p.friction, .rolling = {}}};
    CHECK(warnings(own) == 1);
    own.law = p.law;
    own.pairs[0].law = law_settings("hertz");
    CHECK(warnings(own) == 0);
}

}  // namespace beadwave::validation::packing_gradients_motion_test
