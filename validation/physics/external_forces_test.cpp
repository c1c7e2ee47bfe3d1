// Forces from outside on beads and particles: against closed forms, against the loads of chains,
// and their work against the energy of the bodies.

#include "beadwave/laws/catalogue.hpp"
#include "chain/build_chain.hpp"
#include "dynamics/forced_engine.hpp"
#include "dynamics/tiled_engine.hpp"
#include "largest.hpp"
#include "packing/packing_engine.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace beadwave::validation::external_forces_test {

using packing::Vec3;
using stepping::ExternalForce;

namespace {

std::unique_ptr<dynamics::ForcedEngine> forced(const chain::Chain& chain, double dt,
                                               bool plain = false) {
    return std::make_unique<dynamics::ForcedEngine>(
        plain ? dynamics::make_plain_engine(chain, dt) : dynamics::make_tiled_engine(chain, dt, 1),
        dt);
}

ExternalForce<double> constant(std::vector<std::size_t> beads, double newton) {
    return {std::move(beads), [newton](double, auto, auto, std::span<double> force) {
                std::ranges::fill(force, newton);
            }};
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
    Largest largest;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest.enter(std::abs(a[i] - b[i]));
    return largest;
}

double energy_of_chain(const dynamics::Totals& t) {
    return t.kinetic + t.stored + t.dissipated - t.external_work;
}

/// A damped chain with Coulomb-like drag: the force depends on time, displacement and velocity.
double end_of_driven_chain(double dt, double& energy_error) {
    const chain::Chain chain = chain::build_chain(
        steel_chain(6, 0.5, law_settings("tsuji", {{"restitution", 0.7}}), 40e-6));
    const auto engine = forced(chain, dt);
    engine->add_force({{0, 3}, [](double time, auto displacement, auto velocity, auto force) {
                           force[0] = 40.0 * std::sin(1e5 * time) - 20.0 * velocity[0];
                           force[1] = -1e6 * displacement[1] - 20.0 * velocity[1];
                       }});
    const double before = energy_of_chain(engine->totals());
    dynamics::SensorTrace none;
    engine->advance(std::llround(40e-6 / dt), none);
    energy_error = std::abs(energy_of_chain(engine->totals()) - before);
    return engine->velocity()[4];
}

}  // namespace

TEST_CASE("a constant external force on a bead is a load of the chain") {
    for (const std::string law : {"hertz", "tsuji", "ma-liu"}) {
        for (const bool plain : {false, true}) {
            chain::Scenario scenario = steel_chain(9, 1.0, law_settings(law), 60e-6);
            chain::Chain chain = chain::build_chain(scenario);
            const double dt = 1e-8;
            const auto pushed = forced(chain, dt, plain);
            pushed->add_force(constant({2, 5}, 30.0));
            chain.loads = {{2, 30.0}, {5, 30.0}};
            const auto loaded = forced(chain, dt, plain);
            dynamics::SensorTrace a{.beads = {2, 7}, .force = {}, .velocity = {}}, b = a;
            pushed->advance(5000, a);
            loaded->advance(5000, b);
            INFO(law, plain ? " plain" : " tiled");
            // Other roundings only: 5000 steps of 1e-16.
            CHECK(largest_difference(pushed->velocity(), loaded->velocity()) < 1e-11);
            CHECK(largest_difference(a.velocity, b.velocity) < 1e-11);
            CHECK(largest_difference(a.force, b.force) < 1e-7);
            const dynamics::Totals with = pushed->totals(), expected = loaded->totals();
            CHECK_RELATIVE(with.external_work, expected.external_work, 1e-11);
            CHECK_ABSOLUTE(with.dissipated, expected.dissipated, 1e-13);
        }
    }
}

TEST_CASE("forces of time, displacement and velocity are of second order, and so is their work") {
    double errors[3] = {}, ends[3] = {};
    for (int k = 0; k < 3; ++k)
        ends[k] = end_of_driven_chain(4e-8 / (1 << (2 * k)), errors[k]);
    double unused = 0.0;
    const double exact = end_of_driven_chain(4e-8 / 256, unused);
    const double first = std::abs(ends[0] - exact), second = std::abs(ends[1] - exact);
    MESSAGE("errors of the velocity ", first, " ", second, "; of the energy ", errors[0], " ",
            errors[1], " ", errors[2]);
    // A fourth of the step: a sixteenth of the error. The automatic laws start at zero overlap,
    // where the dashpot's force is not smooth, so not exactly.
    CHECK(std::log2(first / second) / 2.0 > 1.8);
    CHECK(std::log2(errors[0] / errors[1]) / 2.0 > 1.8);
    CHECK(std::log2(errors[1] / errors[2]) / 2.0 > 1.8);
}

TEST_CASE("an external force wakes a bead that sleeps far from the others") {
    const chain::Chain chain =
        chain::build_chain(steel_chain(40'000, 1.0, law_settings("hertz"), 100e-6));
    const double dt = 5e-8;
    const ExternalForce<double> pulse{{25'000},
                                      [](double time, auto, auto, std::span<double> force) {
                                          force[0] = time > 20e-6 && time < 40e-6 ? 20.0 : 0.0;
                                      }};
    const auto tiled = forced(chain, dt), plain = forced(chain, dt, true);
    for (const auto& engine : {tiled.get(), plain.get()})
        engine->add_force(pulse);
    dynamics::SensorTrace none;
    for (int look = 0; look < 10; ++look) {
        tiled->advance(100, none);
        plain->advance(100, none);
        CHECK(largest_difference(tiled->velocity(), plain->velocity()) < 1e-11);
    }
    CHECK(tiled->velocity()[25'001] > 0.01);  // a wave has left the bead
    CHECK_RELATIVE(tiled->totals().external_work, plain->totals().external_work, 1e-11);
    CHECK_RELATIVE(tiled->totals().kinetic, plain->totals().kinetic, 1e-11);
}

TEST_CASE("if a function fails, its step is complete and the energy still balances") {
    const chain::Chain chain =
        chain::build_chain(steel_chain(5, 1.0, law_settings("hertz"), 100e-6));
    const auto engine = forced(chain, 1e-8);
    engine->add_force(constant({1}, 50.0));
    engine->add_force({{3}, [](double time, auto, auto, std::span<double> force) {
                           if (time > 20.005e-6) throw std::runtime_error("mine");
                           force[0] = -10.0;
                       }});
    const double before = energy_of_chain(engine->totals());
    dynamics::SensorTrace none;
    CHECK_THROWS_WITH_AS(engine->advance(5000, none), "mine", std::runtime_error);
    CHECK(engine->step() == 2001);
    engine->remove_force(1);
    engine->advance(2000, none);
    CHECK_RELATIVE(energy_of_chain(engine->totals()), before, 1e-6);
}

TEST_CASE("particles: both engines agree under a field of forces, and the energy balances") {
    for (const std::string law : {"hertz", "tsuji"}) {
        packing::Packing p = steel_packing(law);
        if (law == "tsuji") p.law = law_settings("tsuji", {{"restitution", 0.8}});
        p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
        p.gravity = {0.0, 0.0, -9.81};
        add_crystal(p,
                    {.lattice = packing::Lattice::fcc, .cells = {3, 3, 3}, .radius = steel_radius});
        p.velocity[0] = {1.0, 0.5, 0.3};
        std::vector<std::size_t> all(p.particles());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const ExternalForce<Vec3> field{
            all, [](double time, auto displacement, auto velocity, auto force) {
                for (std::size_t k = 0; k < force.size(); ++k) {
                    force[k] = -0.5 * velocity[k] - 1e3 * displacement[k] +
                               Vec3{0.0, 3.0 * std::sin(2e4 * time), 1.0};
                }
            }};
        const auto run = [&](std::unique_ptr<packing::PackingEngine> engine, double& error) {
            engine->add_force(field);
            const double before = energy_of(engine->totals());
            engine->advance(std::llround(1e-4 / engine->time_step()));
            error = std::abs(energy_of(engine->totals()) - before);
            return engine;
        };
        const double dt = 1e-7;
        double coarse = 0.0, fine = 0.0, of_plain = 0.0;
        const auto fast = run(packing::make_packing_engine(p, dt, 1), coarse);
        run(packing::make_packing_engine(p, dt / 4.0, 1), fine);
        const auto plain = run(packing::make_plain_packing_engine(p, dt), of_plain);
        MESSAGE(law, ": energy errors ", coarse, " and ", fine, " J; work ",
                fast->work_of_forces());
        Largest largest;
        const auto a = fast->velocity(), b = plain->velocity();
        for (std::size_t i = 0; i < all.size(); ++i)
            largest.enter(size_of(a[i] - b[i]));
        CHECK(largest < 1e-9);  // roundings, amplified by contacts that open and close
        CHECK_RELATIVE(fast->work_of_forces(), plain->work_of_forces(), 1e-8);
        CHECK_ABSOLUTE(of_plain, coarse, 1e-11);
        CHECK(coarse < 1e-5 * std::abs(fast->work_of_forces()));
        // At the end (dt^2/8) sum m a^2 is missing. Without the forces' part of the contacts' power
        // the ledger of the damped law would be of first order.
        CHECK(std::log2(coarse / fine) / 2.0 > 1.8);
    }
}

TEST_CASE("new velocities of a particle change the kinetic energy, not what is dissipated") {
    packing::Packing p = steel_packing("tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.8}});
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.add(steel_radius, steel_mass(steel_radius), {});
    p.add(steel_radius, steel_mass(steel_radius), {2.0 * steel_radius, 0.0, 0.0});
    p.velocity[0] = {1.0, 0.4, 0.0};
    const double dt = 1e-8;
    for (const bool plain : {false, true}) {
        const auto engine = plain ? packing::make_plain_packing_engine(p, dt)
                                  : packing::make_packing_engine(p, dt, 1);
        engine->advance(300);
        REQUIRE(engine->closed_contacts() == 1);
        const packing::PackingTotals before = engine->totals();
        engine->set_velocities(1, {0.3, 0.0, 0.0}, {0.0, 0.0, 20.0});
        const packing::PackingTotals after = engine->totals();
        CHECK_ABSOLUTE(after.dissipated_normal, before.dissipated_normal, 1e-17);
        CHECK(after.translational != before.translational);
        const double inertia = p.inertia[1];
        CHECK_RELATIVE(engine->motion(1).angular_velocity.z, 20.0, 1e-15);
        CHECK(after.rotational > 0.5 * inertia * 400.0);
        const double energy = energy_of(after);
        engine->advance(5000);
        REQUIRE(engine->closed_contacts() == 0);
        CHECK_ABSOLUTE(energy_of(engine->totals()), energy, 1e-4 * energy);
    }
}

}  // namespace beadwave::validation::external_forces_test
