// Chains whose beads adhere.

#include "adhesion.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "largest.hpp"
#include "laws/neck.hpp"
#include "relative.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

namespace beadwave::validation::adhesion_chain_test {

namespace {

using Maker = std::function<std::unique_ptr<dynamics::Engine>(const chain::Chain&, double)>;

const std::vector<std::pair<const char*, Maker>> makers{
    {"plain",
     [](const chain::Chain& chain, double dt) { return dynamics::make_plain_engine(chain, dt); }},
    {"tiled", [](const chain::Chain& chain, double dt) {
         return dynamics::make_tiled_engine(chain, dt, 1);
     }}};

/// `beads` rubber beads, bead 0 at `speed`, after a gap [m].
chain::Scenario rubber_chain(std::int64_t beads, double speed, const laws::Settings& law,
                             double gap) {
    chain::Scenario scenario = steel_chain(beads, speed, law, 1e-3);
    scenario.materials["steel"] = {.elasticity = rubber, .density = {}};
    for (chain::Segment& segment : scenario.segments) {
        segment.radius = rubber_radius;
        segment.mass = rubber_mass(rubber_radius);
    }
    scenario.segments.back().gap = gap;
    return scenario;
}

/// Speed at which a rubber pair just parts again [m/s].
double sticking_speed() {
    const laws::Contact c = rubber_pair();
    return std::sqrt(2.0 * equations_of(c).lost_energy() / c.mass);
}

double kinetic_of_approach(const dynamics::Engine& engine, double mass) {
    return 0.5 * mass * std::pow(engine.velocity()[1] - engine.velocity()[0], 2);
}

double relative_difference(std::span<const double> a, std::span<const double> b) {
    return validation::largest_difference(a, b) / largest_size(b);
}

}  // namespace

TEST_CASE("two beads that adhere part with the energy that JKR's neck leaves them, or stick") {
    const laws::Contact c = rubber_pair();
    const double lost = equations_of(c).lost_energy(), slowest = sticking_speed();
    const double dt = laws::hertz_duration(c.stiffness, c.mass, slowest) / 4000.0;
    for (const auto& [name, make] : makers) {
        CAPTURE(name);
        dynamics::SensorTrace none;
        {
            const double speed = 1.5 * slowest;
            const chain::Chain chain =
                chain::build_chain(rubber_chain(2, speed, jkr_settings(), 1e-7));
            const auto engine = make(chain, dt);
            engine->advance(20000, none);
            CHECK(engine->contact_force()[1] == 0.0);
            const double before = 0.5 * c.mass * speed * speed;
            // The jumps of the force leave an error of first order in the step; at a quarter of
            // this step it is a quarter.
            CHECK_RELATIVE(before - kinetic_of_approach(*engine, c.mass), lost, 1e-3);
            const dynamics::Totals now = engine->totals();
            CHECK(now.stored == 0.0);
            CHECK_RELATIVE(now.dissipated, lost, 1e-3);
            const double whole = 0.5 * rubber_mass(rubber_radius) * speed * speed;
            CHECK_ABSOLUTE(now.kinetic + now.dissipated, whole, 1e-8 * whole);
        }
        {
            const double speed = 0.7 * slowest;
            const chain::Chain chain =
                chain::build_chain(rubber_chain(2, speed, jkr_settings(), 1e-7));
            const auto engine = make(chain, dt);
            double lowest = 0.0;
            for (int k = 0; k < 200; ++k) {
                engine->advance(500, none);
                const double overlap = engine->displacement()[0] - engine->displacement()[1] - 1e-7;
                if (k > 0) lowest = std::min(lowest, overlap);
            }
            // It swings through the neck and back for ever, and the ledger holds the energy of the
            // forming of the neck as dissipated: 3.6 4^(4/3) F_0 a_s^2/R.
            const laws::AnyLaw law = laws::make(c, jkr_settings());
            CHECK(lowest < -0.3 * 3.0 * std::pow(equations_of(c).smallest_radius(), 2) / c.radius);
            const dynamics::Totals now = engine->totals();
            CHECK_RELATIVE(now.dissipated, -law.stored_energy(1e-15, {1.0}), 1e-3);
            const double whole = 0.5 * rubber_mass(rubber_radius) * speed * speed;
            CHECK(now.stored < 0.0);
            CHECK_ABSOLUTE(now.kinetic + now.stored + now.dissipated, whole, 1e-5 * now.dissipated);
        }
    }
}

TEST_CASE("damped beads that stick come to rest where JKR's force is zero") {
    // Half of the pull: s^3 = 6, so the contact radius is 6^(2/3) a_s.
    const laws::Contact c = rubber_pair();
    const JkrEquations jkr = equations_of(c);
    const double a = std::cbrt(36.0) * jkr.smallest_radius();
    CHECK_ABSOLUTE(jkr.force(a), 0.0, 1e-13 * jkr.w * jkr.R);
    const double dt = laws::hertz_duration(c.stiffness, c.mass, sticking_speed()) / 1000.0;
    for (const auto& [name, make] : makers) {
        CAPTURE(name);
        dynamics::SensorTrace none;
        const chain::Chain chain =
            chain::build_chain(rubber_chain(2, 0.3 * sticking_speed(), jkr_settings(0.3), 1e-8));
        const auto engine = make(chain, dt);
        engine->advance(100000, none);
        const double overlap = engine->displacement()[0] - engine->displacement()[1] - 1e-8;
        CHECK_RELATIVE(overlap, jkr.overlap(a), 1e-9);
        CHECK_ABSOLUTE(engine->contact_force()[1], 0.0, 1e-9 * jkr.w * jkr.R);
    }
}

TEST_CASE("the tiled engine follows the plain one through necks that form and break") {
    for (const char* name : {"jkr", "dmt", "capillary"}) {
        for (const double disorder : {0.0, 0.05}) {
            for (const double restitution : {1.0, 0.9}) {
                CAPTURE(name);
                CAPTURE(disorder);
                laws::Settings law = law_settings(name, {{"restitution", restitution}});
                if (law.values.contains("adhesion_energy"))
                    law.values.insert_or_assign("adhesion_energy", rubber_adhesion);
                if (law.values.contains("bridge_volume"))
                    law.values.insert_or_assign("bridge_volume", 1e-16);
                chain::Scenario scenario = rubber_chain(90, 8.0, law, 2e-7);
                scenario.segments.back().disorder = disorder;
                scenario.segments.back().seed = 3;
                const chain::Chain chain = chain::build_chain(scenario);
                const double dt = 2e-8;
                const auto plain = dynamics::make_plain_engine(chain, dt);
                dynamics::SensorTrace none;
                std::size_t tense = 0;
                for (int k = 0; k < 20; ++k) {
                    plain->advance(150, none);
                    tense += static_cast<std::size_t>(std::ranges::count_if(
                        plain->contact_force(), [](double force) { return force < 0.0; }));
                }
                CHECK(tense >= 5);
                for (const simd::InstructionSet& set : simd::instruction_sets()) {
                    CAPTURE(set.name);
                    const auto tiled =
                        dynamics::make_tiled_engine(chain, dt, 1, {.beads = 24, .steps = 13}, set);
                    tiled->advance(3000, none);
                    CHECK_ABSOLUTE(relative_difference(tiled->velocity(), plain->velocity()), 0.0,
                                   1e-13);
                    CHECK_ABSOLUTE(
                        relative_difference(tiled->displacement(), plain->displacement()), 0.0,
                        1e-13);
                    const dynamics::Totals a = tiled->totals(), b = plain->totals();
                    CHECK_ABSOLUTE(a.stored, b.stored, 1e-11 * b.kinetic);
                    CHECK_ABSOLUTE(a.dissipated, b.dissipated, 1e-11 * b.kinetic);
                }
            }
        }
    }
}

TEST_CASE("threads and a saved state change no bit of a chain that adheres") {
    chain::Scenario scenario = rubber_chain(120, 8.0, jkr_settings(0.9), 2e-7);
    scenario.segments.back().disorder = 0.05;
    scenario.segments.back().seed = 3;
    const chain::Chain chain = chain::build_chain(scenario);
    const dynamics::TileShape tiles{.beads = 24, .steps = 13};
    dynamics::SensorTrace none;
    const auto whole = dynamics::make_tiled_engine(chain, 2e-8, 1, tiles);
    whole->advance(5000, none);
    const auto same = [&](const dynamics::Engine& other) {
        return std::ranges::equal(other.velocity(), whole->velocity()) &&
               std::ranges::equal(other.displacement(), whole->displacement()) &&
               std::ranges::equal(other.contact_force(), whole->contact_force()) &&
               other.totals().dissipated == whole->totals().dissipated;
    };
    const auto threads = dynamics::make_tiled_engine(chain, 2e-8, 2, tiles);
    threads->advance(2345, none);
    std::map<std::string, std::vector<double>> saved;
    for (const dynamics::StateColumn& column : threads->state())
        saved[column.name].assign(column.values.begin(), column.values.end());
    threads->advance(5000 - 2345, none);
    CHECK(same(*threads));
    const auto again = dynamics::make_tiled_engine(chain, 2e-8, 1, tiles);
    for (const dynamics::StateColumn& column : again->state())
        std::ranges::copy(saved.at(column.name), column.values.begin());
    again->continue_at(2345);
    again->advance(5000 - 2345, none);
    CHECK(same(*again));
}

TEST_CASE("the automatic time step is short enough for beads that adhesion alone moves") {
    // They start with a tenth of the overlap at which they rest, at rest.
    const laws::Contact c = rubber_pair();
    const JkrEquations jkr = equations_of(c);
    const double rest = jkr.overlap(std::cbrt(36.0) * jkr.smallest_radius());
    chain::Scenario scenario = rubber_chain(2, 0.0, jkr_settings(), -0.1 * rest);
    scenario.time.end = 1e-4;
    const Finished f = run(scenario);
    const dynamics::Totals now = f.engine->totals();
    CHECK(now.kinetic > 0.0);
    CHECK(std::abs(now.dissipated) < 1e-4 * std::abs(now.stored));
    CHECK(f.time_step.step < 2e-7);
}

}  // namespace beadwave::validation::adhesion_chain_test
