// Driven ends: their work is in the ledger, and the chain moves like one integrated independently.

#include "chain/build_chain.hpp"
#include "largest.hpp"
#include "plain_chain.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace beadwave::validation::driven_test {

namespace {

constexpr double radius = 2.38e-3, mass = 0.45e-3, frequency = 1.5e4, amplitude = 4e-6;
constexpr double omega = 2.0 * std::numbers::pi * frequency;

/// Beads at rest that touch. The left wall is driven, the right one is at rest.
chain::Scenario shaken(const laws::Settings& law, double step, double end = 250e-6) {
    chain::Scenario scenario = steel_chain(12, 0.0, law, end);
    scenario.left = {.kind = chain::EndKind::driven,
                     .drive = stepping::Drive::sine(frequency, amplitude)};
    scenario.right = {.kind = chain::EndKind::wall};
    scenario.time.step = step;
    return scenario;
}

/// The same chain, integrated by PlainChain.
PlainChain plain_shaken(double alpha) {
    PlainChain plain;
    plain.mass.assign(12, mass);
    plain.velocity.assign(12, 0.0);
    plain.stiffness.assign(13, hertz_spheres(radius, radius, 193e9, 0.3));
    plain.stiffness.front() = plain.stiffness.back() = 0.5 * hertz_rigid_flat(radius, 193e9, 0.3);
    plain.alpha = alpha;
    plain.left_wall = [](double t) { return amplitude * std::sin(omega * t); };
    plain.left_wall_velocity = [](double t) { return amplitude * omega * std::cos(omega * t); };
    return plain;
}

/// Work of the contact forces on their overlaps, which the test sums over the steps, and work of
/// the wall.
struct ContactWork {
    double contacts = 0.0, wall = 0.0;
};

ContactWork contact_work(dynamics::Engine& engine, const chain::Chain& chain, double step,
                         std::int64_t steps) {
    const std::size_t n = chain.beads();
    ContactWork work;
    dynamics::SensorTrace trace;
    std::vector<double> overlap(n + 1),
        force(engine.contact_force().begin(), engine.contact_force().end());
    double wall = 0.0;
    const auto read_overlaps = [&](std::vector<double>& into, double left) {
        for (std::size_t c = 0; c <= n; ++c) {
            into[c] = (c == 0 ? left : engine.displacement()[c - 1]) -
                      (c == n ? 0.0 : engine.displacement()[c]);
        }
    };
    read_overlaps(overlap, 0.0);
    for (std::int64_t k = 1; k <= steps; ++k) {
        engine.advance(1, trace);
        const double moved = amplitude * std::sin(omega * static_cast<double>(k) * step);
        std::vector<double> now(n + 1);
        read_overlaps(now, moved);
        for (std::size_t c = 0; c <= n; ++c) {
            work.contacts += 0.5 * (force[c] + engine.contact_force()[c]) * (now[c] - overlap[c]);
        }
        work.wall += 0.5 * (force[0] + engine.contact_force()[0]) * (moved - wall);
        overlap = now;
        wall = moved;
        force.assign(engine.contact_force().begin(), engine.contact_force().end());
    }
    return work;
}

}  // namespace

TEST_CASE(
    "the work of a driven end is in the ledger of an elastic, a damped and an elastoplastic "
    "chain") {
    for (const std::string law : {"hertz", "tsuji", "ma-liu"}) {
        CAPTURE(law);
        // The largest energy error over all the work, because the work at the start is close to
        // zero.
        const auto error_of = [&](double step) {
            Largest imbalance;
            running::Sinks sinks;
            sinks.energy = [&](std::int64_t, double, const recording::Ledger& ledger) {
                imbalance.enter(std::abs(ledger.energy_error));
            };
            const auto ledger = run(shaken(law_settings(law), step), sinks).result.ledger;
            CHECK(ledger.initial == 0.0);
            CHECK(ledger.external_work > 0.0);
            if (law != "hertz") CHECK(ledger.dissipated > 0.1 * ledger.external_work);
            return imbalance / ledger.external_work;
        };
        const double coarse = error_of(8e-8), fine = error_of(2e-8);
        const double order = std::log2(coarse / fine) / 2.0;
        MESSAGE(law, ": energy error ", fine, ", of order ", order);
        CHECK(fine < 1e-5);
        CHECK(order >= 1.9);
    }
}

TEST_CASE(
    "a driven chain dissipates the work of its contacts minus what they store, in either engine") {
    for (const std::string law : {"hertz", "tsuji", "ma-liu"}) {
        CAPTURE(law);
        const auto error = [&](double step, bool plainly) {
            const chain::Scenario scenario = shaken(law_settings(law), step);
            const chain::Chain chain = chain::build_chain(scenario);
            const auto engine =
                plainly ? dynamics::make_plain_engine(chain, step)
                        : dynamics::make_tiled_engine(chain, step, 1, {.beads = 8, .steps = 5});
            const ContactWork work =
                contact_work(*engine, chain, step, std::llround(250e-6 / step));
            const dynamics::Totals totals = engine->totals();
            CHECK_RELATIVE(totals.external_work, work.wall, 1e-10);
            return std::abs(totals.stored + totals.dissipated - work.contacts) / work.wall;
        };
        for (const bool plainly : {true, false}) {
            const double coarse = error(8e-8, plainly), fine = error(2e-8, plainly);
            MESSAGE(law, ": error ", fine, ", of order ", std::log2(coarse / fine) / 2.0);
            CHECK(fine < 2e-5);
            CHECK(std::log2(coarse / fine) / 2.0 >= 1.8);
        }
    }
}

TEST_CASE("a driven chain moves like one integrated by the Runge-Kutta method") {
    for (const double restitution : {1.0, 0.8}) {
        CAPTURE(restitution);
        const double loss = -std::log(restitution);
        PlainChain plain = plain_shaken(std::sqrt(5.0) * loss / std::hypot(std::numbers::pi, loss));
        plain.run(100e-6, 5e-9);
        const laws::Settings law = restitution == 1.0
                                       ? law_settings("hertz")
                                       : law_settings("tsuji", {{"restitution", restitution}});
        const auto error = [&](double step) {
            const Finished finished = run(shaken(law, step, 100e-6));
            Largest worst;
            Largest scale;
            for (std::size_t i = 0; i < 12; ++i) {
                worst.enter(std::abs(finished.engine->velocity()[i] - plain.velocity[i]));
                scale.enter(std::abs(plain.velocity[i]));
            }
            return worst / scale;
        };
        const double coarse = error(4e-8), fine = error(1e-8);
        MESSAGE("restitution ", restitution, ": error ", fine, ", of order ",
                std::log2(coarse / fine) / 2.0);
        CHECK(fine < 1e-5);
    }
}

TEST_CASE("a driven end that does not move is a wall, to the bit") {
    const stepping::Drive still =
        stepping::Drive::table("time_s,displacement_m\n0,0\n1e-5,0\n2e-5,0\n3e-5,0\n", "still.csv");
    for (const std::string law : {"hertz", "flores", "ma-liu"}) {
        CAPTURE(law);
        chain::Scenario scenario =
            steel_chain(70, 0.3, law_settings(law, {{"impact_speed", 0.3}}), 1e-4);
        scenario.precompression = 15.0;
        scenario.left.kind = scenario.right.kind = chain::EndKind::wall;
        chain::Scenario driven = scenario;
        driven.left = driven.right = {.kind = chain::EndKind::driven, .drive = still};
        for (const bool plainly : {true, false}) {
            const auto state = [&](const chain::Scenario& s) {
                const chain::Chain chain = chain::build_chain(s);
                const auto engine = plainly ? dynamics::make_plain_engine(chain, 2e-8)
                                            : dynamics::make_tiled_engine(chain, 2e-8, 1);
                dynamics::SensorTrace trace;
                engine->advance(4000, trace);
                CHECK(engine->totals().external_work == 0.0);
                std::vector<double> numbers(engine->velocity().begin(), engine->velocity().end());
                numbers.insert(numbers.end(), engine->displacement().begin(),
                               engine->displacement().end());
                numbers.insert(numbers.end(), engine->contact_force().begin(),
                               engine->contact_force().end());
                return numbers;
            };
            CHECK(state(driven) == state(scenario));
        }
    }
}

TEST_CASE(
    "a compressed chain under gravity starts in equilibrium and stays at rest until its driven end "
    "moves") {
    chain::Scenario scenario = steel_chain(20, 0.0, law_settings("hertz"), 1e-4);
    scenario.gravity = chain::Gravity{.acceleration = 9.81, .equilibrium = true};
    scenario.precompression = 5.0;
    // The end is at rest for more than 20 us.
    scenario.right = {
        .kind = chain::EndKind::driven,
        .drive = stepping::Drive::table(
            "time_s,displacement_m\n0,0\n1e-5,0\n2e-5,0\n3e-5,0\n4e-5,0\n5e-5,-1e-6\n",
            "late.csv")};
    const chain::Chain chain = chain::build_chain(scenario);
    const auto engine = dynamics::make_tiled_engine(chain, 2e-8, 1);
    dynamics::SensorTrace trace;
    engine->advance(1000, trace);
    for (const double v : engine->velocity())
        CHECK(std::abs(v) < 1e-15);
    engine->advance(2000, trace);
    CHECK(engine->velocity()[19] < -1e-3);
}

}  // namespace beadwave::validation::driven_test
