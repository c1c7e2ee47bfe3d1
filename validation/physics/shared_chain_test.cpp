// A chain that several ranks share equals a chain on one process to the bit: beads, contacts, time
// step, motion, sensors, ledger, and the contents of a checkpoint.

#include "chain/fingerprint.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "scenarios.hpp"
#include "thread_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>

namespace beadwave::validation::shared_chain_test {

namespace {

/// All numbers of a run, by name.
using Numbers = std::map<std::string, std::vector<double>>;

void append(std::vector<double>& to, std::span<const double> numbers) {
    to.insert(to.end(), numbers.begin(), numbers.end());
}

/// The own part of the chain on this rank.
void append_chain(Numbers& out, const chain::Chain& chain) {
    const std::size_t end = chain.own_end() + (chain.own_end() == chain.beads() ? 1 : 0);
    const std::vector<double> position = chain.positions();
    for (std::size_t i = chain.own_begin(); i < end; ++i) {
        out["gap"].push_back(chain.gap[i]);
        if (i == chain.own_end()) continue;
        out["radius"].push_back(chain.radius[i]);
        out["mass"].push_back(chain.mass[i]);
        out["position"].push_back(position[i]);
    }
    for (const chain::Load& load : chain.loads) {
        if (load.bead < chain.own_begin() || load.bead >= chain.own_end()) continue;
        append(out["loads"],
               std::array{static_cast<double>(chain.first() + load.bead), load.force});
    }
}

/// Runs as one of the ranks. Data of a rank goes to `parts`, data that all ranks have to `whole`.
void run(const chain::Scenario& scenario, ranks::Communicator* ranks, int threads, bool interrupted,
         Numbers& parts, Numbers& whole) {
    const chain::Chain chain = running::build_chain(scenario, ranks);
    const running::Settings settings = running::settings_of(scenario);
    const stepping::TimeStep step = running::choose_time_step(scenario, chain);
    const auto make = [&] { return running::make_engine(chain, settings, step.step, threads); };
    auto engine = make();
    running::Sinks sinks;
    sinks.sensors = [&](auto, double, auto force, auto velocity) {
        append(whole["sensors"], force);
        append(whole["sensors"], velocity);
    };
    sinks.energy = [&](auto, double, const recording::Ledger& ledger) {
        append(whole["ledger"],
               std::array{ledger.kinetic, ledger.stored, ledger.dissipated, ledger.external_work,
                          ledger.sleep_loss, ledger.relative_energy_error});
    };
    int left = interrupted ? 3 : -1;  // blocks of steps
    std::vector<double> observers;
    sinks.stop = [&] { return left-- == 0; };
    sinks.checkpoint = [&](const std::vector<double>& numbers) { observers = numbers; };
    running::RunResult result = running::simulate(settings, chain, step, *engine, sinks);
    if (interrupted) {
        REQUIRE(result.stopped);
        std::vector<std::vector<double>> saved;
        for (const dynamics::StateColumn& column : engine->state())
            saved.emplace_back(column.values.begin(), column.values.end());
        const std::int64_t at = engine->step();
        engine = make();
        result = running::continue_simulation(
            settings, chain, step, *engine, sinks,
            {.step = at, .observers = observers, .restore = [&](running::System& fresh) {
                 std::size_t k = 0;
                 fresh.restore(at, [&](const auto&, auto, auto, auto) { return saved[k++]; });
             }});
    }
    append_chain(parts, chain);
    append(parts["displacement"], engine->displacement());
    append(parts["velocity"], engine->velocity());
    append(parts["contact_force"], engine->contact_force());
    for (const dynamics::StateColumn& column : engine->state()) {
        if (column.total > 2) append(parts["state " + column.name], column.values);
        if (column.total == 1) append(whole["state " + column.name], column.values);
    }
    whole["step"] = {step.step, step.largest_speed, step.shortest_contact,
                     static_cast<double>(result.steps)};
    whole["stability_limits"] = {result.stability_limits.frequency,
                                 static_cast<double>(result.stability_limits.frequency_bead),
                                 result.stability_limits.damping,
                                 static_cast<double>(result.stability_limits.damping_bead)};
    const std::uint64_t print = chain::fingerprint(chain);
    whole["fingerprint"] = {static_cast<double>(print >> 32),
                            static_cast<double>(print & 0xffffffff)};
    for (const observers::SensorResult& sensor : result.sensors) {
        append(whole["sensor results"],
               std::array{sensor.position, sensor.peak_force, sensor.arrival_time,
                          sensor.peak_velocity, sensor.peak_velocity_time});
    }
}

/// The same on `count` ranks.
Numbers run_shared(const chain::Scenario& scenario, int count, int threads, bool interrupted) {
    std::vector<Numbers> parts(static_cast<std::size_t>(count)), whole(parts.size());
    ThreadRanks::run(count, [&](ranks::Communicator& ranks) {
        const auto r = static_cast<std::size_t>(ranks.rank());
        run(scenario, &ranks, threads, interrupted, parts[r], whole[r]);
    });
    Numbers all = whole.front();
    for (const Numbers& part : parts) {
        for (const auto& [name, numbers] : part)
            append(all[name], numbers);
    }
    return all;
}

void check_same(const chain::Scenario& scenario, bool interrupted = false) {
    Numbers expected, whole;
    run(scenario, nullptr, 1, false, expected, whole);
    expected.merge(whole);
    REQUIRE(expected["ledger"].size() > 0);
    for (const int count : {2, 3}) {
        const int threads = count - 1;
        CAPTURE(count);
        CAPTURE(threads);
        const Numbers found = run_shared(scenario, count, threads, interrupted);
        REQUIRE(found.size() == expected.size());
        for (const auto& entry : expected) {
            const std::string& name = entry.first;
            const std::vector<double>& numbers = entry.second;
            CAPTURE(name);
            // Compares bits, so that infinite gaps and NaNs are equal.
            const std::vector<double>& other = found.at(name);
            REQUIRE(other.size() == numbers.size());
            std::size_t different = 0;
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                different += std::bit_cast<std::uint64_t>(numbers[i]) !=
                             std::bit_cast<std::uint64_t>(other[i]);
            }
            CHECK(different == 0);
        }
    }
}

/// One bead in 500 strikes the next ones, so that a wave crosses every border.
chain::Scenario struck(const std::string& law, std::int64_t beads, double end) {
    chain::Scenario scenario = steel_chain(500, 1.77, law_settings(law), end);
    const std::vector<chain::Segment> part = scenario.segments;
    for (std::int64_t count = 500; count < beads; count += 500)
        scenario.segments.insert(scenario.segments.end(), part.begin(), part.end());
    scenario.sensors = {.ids = {0, beads / 3, beads / 2, beads - 1}, .interval = {}};
    return scenario;
}

/// Sets the velocity of all striking beads.
void set_velocity(chain::Scenario& scenario, double velocity) {
    for (chain::Segment& segment : scenario.segments) {
        if (segment.beads == 1) segment.velocity = velocity;
    }
}

}  // namespace

TEST_CASE("a struck chain that ranks share equals a whole chain to the bit") {
    for (const char* law : {"hertz", "flores", "ma-liu"}) {
        CAPTURE(law);
        check_same(struck(law, 4000, 1e-4));
    }
}

TEST_CASE(
    "shared chains with disorder, ellipsoids, gravity and precompression equal whole chains to the "
    "bit") {
    chain::Scenario scenario = struck("hertz", 4000, 1e-4);
    for (chain::Segment& segment : scenario.segments) {
        segment.disorder = 0.05;
        segment.seed = 7;
    }
    check_same(scenario);

    for (chain::Segment& segment : scenario.segments) {
        segment.form = chain::BeadForm::ellipsoid;
        segment.shape = {.first = 2.0, .second = 0.7, .direction = segment.beads == 1 ? 0.3 : 0.0};
        segment.angle = 0.9;
    }
    scenario.right = {.kind = chain::EndKind::wall};
    set_velocity(scenario, 1e-3);
    scenario.gravity = chain::Gravity{.acceleration = 9.81, .equilibrium = true};
    scenario.time.step = 2e-8;
    check_same(scenario);

    scenario.gravity.reset();
    scenario.right = {};
    set_velocity(scenario, 0.1);
    scenario.precompression = 20.0;
    check_same(scenario);
}

TEST_CASE(
    "shared chains with driven ends and sleep speeds, and resumed runs, equal whole chains to the "
    "bit") {
    chain::Scenario scenario = struck("flores", 4000, 1.5e-4);
    scenario.time.sleep_speed = 1e-3;
    check_same(scenario);
    check_same(scenario, true);

    scenario = struck("ma-liu", 4000, 1e-4);
    scenario.law = law_settings("ma-liu", {{"impact_speed", 1.0}});
    scenario.left = {.kind = chain::EndKind::driven, .drive = stepping::Drive::sine(2e4, 2e-6)};
    scenario.right = {.kind = chain::EndKind::driven, .drive = stepping::Drive::sine(3e4, -1e-6)};
    check_same(scenario, true);
}

/// Around the beads 992 and 2000, with which the parts of the ranks begin; some on one rank only.
chain::Scenario loaded(const std::string& law) {
    chain::Scenario scenario = struck(law, 4000, 1e-4);
    chain::ElementGroups& all = scenario.elements;
    all.foundations = {
        {.beads = {.ends = {{100, 200}}},
         .spring = {.stiffness = 1e5, .cubic = 1e13, .damping = 0.5}},
        {.beads = {.ends = {{900, 2900}}, .every = 7}, .spring = {.stiffness = 2e5}}};
    all.resonators = {{.beads = {}, .mass = 1e-4, .spring = {.stiffness = 1e6}},
                      {.beads = {.ends = {{30, 1500}}, .every = 3},
                       .mass = 5e-5,
                       .spring = {.stiffness = 4e5, .damping = 0.1}}};
    all.loads = {{.bead = 2001, .force = stepping::ForceSignal::constant(0.3)},
                 {.bead = 991, .force = stepping::ForceSignal::constant(-0.2)},
                 {.bead = 2000, .force = stepping::ForceSignal::sine(2e4, 0.5)}};
    all.drives = {{.bead = 1999, .motion = stepping::Drive::sine(2e4, 1e-7)},
                  {.bead = 992, .motion = stepping::Drive::sine(3e4, -1e-7)}};
    all.bonds = {{.contacts = {.ends = {{1, 2005}}}, .stiffness = 1e6, .strength = 2.0},
                 {.contacts = {.ends = {{2100, 3500}}, .every = 2},
                  .stiffness = 2e6,
                  .damping = 0.3,
                  .tension_only = true}};
    return scenario;
}

TEST_CASE(
    "shared chains whose beads carry something, also resumed, equal whole chains to the bit") {
    for (const std::string law : {"hertz", "flores"}) {
        if (sanitised && law == "hertz") continue;
        CAPTURE(law);
        chain::Scenario scenario = loaded(law);
        check_same(scenario, true);
        scenario.right = {.kind = chain::EndKind::absorbing, .tail = 300, .damping = 2.0};
        scenario.elements.pair_forces = {{.beads = {.ends = {{900, 3100}}},
                                          .force = 0.5,
                                          .distance = 4.8e-3,
                                          .moments = {1.0, -2.0, 0.5},
                                          .range = 0.02,
                                          .neighbours = 3}};
        check_same(scenario, true);
    }
}

TEST_CASE("the tiles of a long chain are the same on all ranks, whatever a few beads carry") {
    chain::Scenario scenario = struck("hertz", 20'000, 1e-6);
    scenario.elements.loads = {{.bead = 7, .force = stepping::ForceSignal::constant(2.0)}};
    check_same(scenario);
    scenario.elements.resonators = {
        {.beads = {.ends = {{3, 3}}}, .mass = 1e-4, .spring = {.stiffness = 1e6}}};
    check_same(scenario);
}

TEST_CASE("beads and masses inside them start displaced in tiles, plain engine and ranks alike") {
    for (const char* law : {"hertz", "flores"}) {
        CAPTURE(law);
        chain::Scenario scenario = struck(law, 4000, 1e-4);
        set_velocity(scenario, 0.0);
        if (scenario.law.is("impact_speed", "initial"))
            scenario.law.values.insert_or_assign("impact_speed", 0.1);
        scenario.elements.resonators = {{.beads = {.ends = {{2, 3900}}, .every = 3},
                                         .mass = 1e-4,
                                         .spring = {.stiffness = 1e6}}};
        chain::InitialState initial;
        // Beads, then 1300 masses; most beads of the second half are at rest.
        for (int i = 0; i < 4000 + 1300; ++i) {
            const bool rests = i > 2000 && i < 4000;
            initial.displacement.push_back(rests ? 0.0 : 1e-7 * std::sin(0.3 * i));
            initial.velocity.push_back(rests ? 0.0 : 1e-2 * std::cos(0.7 * i));
        }
        scenario.initial = initial;
        check_same(scenario);
        check_same(scenario, true);

        const chain::Chain chain = running::build_chain(scenario, nullptr);
        CHECK(chain.displacement.at(5) == initial.displacement[5]);
        const running::Settings settings = running::settings_of(scenario);
        const double step = running::choose_time_step(scenario, chain).step;
        const auto tiled = running::make_engine(chain, settings, step, 1);
        const auto plain = dynamics::make_plain_engine(chain, step);
        dynamics::SensorTrace trace;
        CHECK(tiled->displacement()[5] == initial.displacement[5]);
        for (const auto& engine : {tiled.get(), plain.get()})
            engine->advance(100, trace);
        std::size_t moved = 0;
        for (std::size_t i = 0; i < chain.beads(); ++i) {
            const double u = plain->displacement()[i];
            moved += u != initial.displacement[i] ? 1 : 0;
            CHECK_ABSOLUTE(tiled->displacement()[i], u, 1e-19);
        }
        CHECK(moved > 1900);
        // The ledger of both counts from there.
        CHECK_RELATIVE(tiled->totals().kinetic, plain->totals().kinetic, 1e-9);
        CHECK_RELATIVE(tiled->totals().stored, plain->totals().stored, 1e-9);
    }
}

TEST_CASE("all ranks refuse a chain with too few beads for them") {
    const chain::Scenario scenario = struck("hertz", 1500, 1e-4);
    int refused = 0;
    std::mutex mutex;
    ThreadRanks::run(3, [&](ranks::Communicator& ranks) {
        try {
            running::build_chain(scenario, &ranks);
        } catch (const InputError& error) {
            const std::lock_guard lock(mutex);
            refused +=
                std::string(error.what()).find("too few for 3 processes") != std::string::npos;
        }
    });
    CHECK(refused == 3);
}

TEST_CASE("a rank that fails while others compute on several threads ends all ranks") {
    const chain::Scenario scenario = struck("hertz", 40'000, 1e-3);
    std::string why;
    try {
        ThreadRanks::run(2, [&](ranks::Communicator& ranks) {
            const chain::Chain chain = running::build_chain(scenario, &ranks);
            const running::Settings settings = running::settings_of(scenario);
            const stepping::TimeStep step = running::choose_time_step(scenario, chain);
            const auto engine = running::make_engine(chain, settings, step.step, 2);
            REQUIRE(engine->threads() == 2);
            dynamics::SensorTrace trace;
            engine->advance(20'000, trace);  // until enough beads move for two threads
            if (ranks.rank() == 1) throw std::runtime_error("no more memory");
            engine->advance(1000, trace);
        });
    } catch (const std::runtime_error& error) {
        why = error.what();
    }
    CHECK(why == "no more memory");
}

}  // namespace beadwave::validation::shared_chain_test
