// A packing that several ranks share equals a packing on one process to the bit: motion, contacts,
// traces, totals, and the contents of a checkpoint, which any number of ranks continues.

#include "packing/fast/fast_packing_engine.hpp"
#include "packings.hpp"
#include "splitmix.hpp"
#include "thread_ranks.hpp"
#include "tumbling.hpp"

#include <array>
#include <bit>
#include <map>

using namespace beadwave;
using namespace beadwave::validation;
using packing::Vec3;

namespace {

using Numbers = std::map<std::string, std::vector<double>>;

void append(std::vector<double>& to, std::span<const Vec3> vectors) {
    for (const Vec3& v : vectors)
        to.insert(to.end(), {v.x, v.y, v.z});
}

/// All that an engine says of itself; on other ranks than the first without contacts.
void append_all(Numbers& out, const packing::PackingEngine& engine) {
    append(out["displacement"], engine.displacement());
    append(out["velocity"], engine.velocity());
    append(out["angular velocity"], engine.angular_velocity());
    const packing::PackingTotals t = engine.totals();
    append(out["momenta"], std::array{t.momentum, t.angular_momentum});
    for (const double number :
         {t.translational, t.rotational, t.stored_normal, t.stored_tangential, t.dissipated_normal,
          t.dissipated_tangential, t.dissipated_rolling, t.external_work})
        out["totals"].push_back(number);
    for (const packing::ContactState& c : engine.contacts()) {
        append(out["contacts"], std::array{c.point, c.branch, c.normal_force, c.tangential_force});
        for (const double number :
             {static_cast<double>(c.first), static_cast<double>(c.second), c.overlap})
            out["contacts"].push_back(number);
    }
    for (const packing::WallMotion& wall : engine.walls())
        append(out["walls"], std::array{wall.displacement, wall.velocity});
    const packing::BoxState box = engine.box();
    out["box"].insert(out["box"].end(), box.edges.of.begin(), box.edges.of.end());
    const packing::StabilityLimits limits = engine.stability_limits(1e-3);
    const packing::DeepContact deep = engine.deepest();
    for (const double number :
         {limits.frequency, limits.damping, deep.depth, deep.overlap, engine.largest_leap(),
          static_cast<double>(deep.first), static_cast<double>(deep.second),
          static_cast<double>(deep.step), static_cast<double>(engine.closed_contacts()),
          static_cast<double>(engine.listed_pairs()),
          static_cast<double>(engine.neighbour_list_builds()),
          static_cast<double>(engine.first_non_finite().value_or(engine.particles()))})
        out["numbers"].push_back(number);
}

struct Case {
    packing::Packing packing;
    double dt;
    std::vector<std::int64_t> steps;  // between two looks
    std::vector<std::size_t> traced{};
};

/// The saved state in the middle; of ranks: their parts.
struct Saved {
    std::int64_t step = 0;
    std::map<std::string, std::vector<double>> columns{};
};

void run(const Case& what, ranks::Communicator* ranks, int threads, Numbers& out, Saved& saved,
         const Saved* from) {
    const auto engine =
        packing::make_packing_engine(what.packing, what.dt, threads,
                                     simd::instruction_sets().front(), packing::Sleep::yes, ranks);
    if (from != nullptr) {
        engine->restore(from->step, [&](const std::string& name) {
            return std::span<const double>(from->columns.at(name));
        });
    }
    packing::ParticleTrace trace{.particles = what.traced, .force = {}, .velocity = {}};
    std::int64_t done = 0;
    for (std::size_t look = 0; look < what.steps.size(); ++look) {
        done += what.steps[look];
        if (engine->step() >= done) continue;
        engine->advance(what.steps[look], trace);
        append(out["traces"], trace.force);
        append(out["traces"], trace.velocity);
        append_all(out, *engine);
        engine->sample(trace);
        append(out["samples"], trace.force);
        append(out["samples"], trace.velocity);
        if (look + 1 != what.steps.size() / 2) continue;
        saved.step = engine->step();
        for (const packing::PackingColumn& column : engine->state()) {
            std::vector<double>& all = saved.columns[column.name];
            all.resize(column.total);
            std::ranges::copy(column.values,
                              all.begin() + static_cast<std::ptrdiff_t>(column.first));
        }
    }
    for (const packing::PackingColumn& column : engine->state()) {
        std::vector<double>& all = out["state " + column.name];
        all.resize(column.total);
        std::ranges::copy(column.values, all.begin() + static_cast<std::ptrdiff_t>(column.first));
    }
}

Numbers run_shared(const Case& what, int count, int threads, Saved& saved, const Saved* from) {
    std::vector<Numbers> parts(static_cast<std::size_t>(count));
    std::vector<Saved> saves(parts.size());
    ThreadRanks::run(count, [&](ranks::Communicator& ranks) {
        const auto r = static_cast<std::size_t>(ranks.rank());
        run(what, &ranks, threads, parts[r], saves[r], from);
    });
    // Each rank has its own part of the state.
    const auto join = [](std::vector<double>& to, const std::vector<double>& part) {
        REQUIRE(to.size() == part.size());
        for (std::size_t i = 0; i < to.size(); ++i) {
            if (std::bit_cast<std::uint64_t>(to[i]) == 0) to[i] = part[i];
        }
    };
    for (std::size_t r = 1; r < parts.size(); ++r) {
        for (auto& entry : parts.front()) {
            const std::string& name = entry.first;
            std::vector<double>& numbers = entry.second;
            if (name.starts_with("state ")) {
                join(numbers, parts[r].at(name));
            } else if (name != "contacts") {  // all ranks know the same
                CAPTURE(name);
                CHECK(numbers == parts[r].at(name));
            }
        }
        for (auto& [name, numbers] : saves.front().columns)
            join(numbers, saves[r].columns.at(name));
    }
    saved = std::move(saves.front());
    return std::move(parts.front());
}

void check_equal(const Numbers& found, const Numbers& expected) {
    REQUIRE(found.size() == expected.size());
    for (const auto& entry : expected) {
        const std::string& name = entry.first;
        CAPTURE(name);
        const std::vector<double>& other = found.at(name);
        REQUIRE(other.size() == entry.second.size());
        std::size_t different = 0;
        for (std::size_t i = 0; i < other.size(); ++i) {
            different += std::bit_cast<std::uint64_t>(other[i]) !=
                         std::bit_cast<std::uint64_t>(entry.second[i]);
        }
        CHECK(different == 0);
    }
}

/// Returns the numbers of one process.
Numbers check_same(const Case& what, const std::vector<int>& counts) {
    Numbers expected;
    Saved middle;
    run(what, nullptr, 1, expected, middle, nullptr);
    Numbers rest;
    Saved none;
    run(what, nullptr, 1, rest, none, &middle);
    const Saved* from = nullptr;
    Saved last;
    for (const int count : counts) {
        CAPTURE(count);
        Saved saved;
        check_equal(run_shared(what, count, count % 2 + 1, saved, nullptr), expected);
        check_equal(saved.columns, middle.columns);
        // The state of another number of ranks, at first of one process, continues on these.
        check_equal(run_shared(what, count, 1, last, from != nullptr ? from : &middle), rest);
        last = std::move(saved);
        from = &last;
    }
    Numbers again;
    run(what, nullptr, 2, again, none, from);
    check_equal(again, rest);
    return expected;
}

packing::Packing tumble(const std::string& law) {
    packing::Packing p = tumbling(law, {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3},
                                  {.lattice = packing::Lattice::bcc,
                                   .cells = {11, 9, 22},
                                   .origin = {0, 0, steel_radius},
                                   .radius = steel_radius});
    p.skin = 5e-5;
    return p;
}

const std::vector<std::size_t> some{5, 0, 102, 1500, 2900, 3400};

double sum_of(const std::vector<double>& numbers) {
    double sum = 0.0;
    for (const double x : numbers)
        sum += std::abs(x);
    return sum;
}

}  // namespace

TEST_CASE(
    "a packing that ranks share equals a whole one to the bit, with walls, friction, rolling, "
    "fixed particles and rebuilt lists") {
    const std::map<std::string, std::vector<int>> counts{
        {"hertz", {2}}, {"ma-liu", {2, 3, 4}}, {"flores", {3}}};
    for (const auto& entry : counts) {
        const std::string& law = entry.first;
        CAPTURE(law);
        packing::Packing p = tumble(law);
        if (law == "flores") p.friction = {};
        if (law == "ma-liu") p.rolling = {.coefficient = 0.02, .twisting_coefficient = 0.01};
        const Numbers found = check_same({p, 2e-7, {1, 99, 150, 160}, some}, entry.second);
        CHECK(found.at("numbers").rbegin()[1] > 2);  // rebuilds
        CHECK(sum_of(found.at("traces")) > 0.0);
        CHECK(sum_of(found.at("contacts")) > 0.0);
    }
}

TEST_CASE("a pulse through a resting crystal, most of which sleeps, is the same on all ranks") {
    packing::Packing p = steel_packing("hertz");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    add_crystal(p,
                {.lattice = packing::Lattice::fcc, .cells = {14, 14, 14}, .radius = steel_radius});
    p.velocity[0] = {3.0, 2.0, 1.0};
    p.angular_velocity[0] = {50.0, 0.0, 80.0};
    check_same({p, 2e-7, {25, 25, 50, 50}, some}, {4});
    ThreadRanks::run(3, [&](ranks::Communicator& ranks) {
        packing::FastPackingEngine engine(p, 2e-7, 1, simd::instruction_sets().front(),
                                          packing::Sleep::yes, &ranks);
        engine.advance(25);
        CHECK(engine.asleep_fraction() > 0.3);
        CHECK(engine.asleep_fraction() < 1.0);
    });
}

TEST_CASE("a lid with a mass and a wall that turns move alike on all ranks") {
    packing::Packing p = tumble("tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.8}});
    p.walls[1].velocity = {};
    p.walls[1].load = packing::Load{.mass = 5e-2, .force = 300.0, .gain = 30.0};
    p.walls[0].angular_velocity = 40.0;
    const Numbers found = check_same({p, 2e-7, {40, 160, 100, 100}, some}, {3, 4});
    CHECK(found.at("walls").at(8) != 0.0);
}

TEST_CASE("boxes that strain, with and without pistons, strain alike on all ranks") {
    const packing::Straining rates{.rate = {-60.0, 25.0, -40.0}, .shear_rate = {90.0, -30.0, 50.0}};
    const packing::Straining pistons{.rate = {0, 0, -40.0},
                                     .shear_rate = {60.0, 0, 0},
                                     .has_piston = {true, true, false},
                                     .stress = {4e4, 2e4, 0},
                                     .mass = 2e-3,
                                     .damping = 0.05};
    for (const packing::Straining& strain : {rates, pistons}) {
        packing::Packing p = steel_packing("ma-liu");
        p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
        std::uint64_t drawn = 0;
        const auto uniform = [&] {
            return std::ldexp(static_cast<double>(mixed(++drawn) >> 11), -53);
        };
        std::vector<double> radii;
        for (std::size_t i = 0; i < 3500; ++i)
            radii.push_back(steel_radius * (0.8 + 0.4 * uniform()));
        const double side = 40.0 * steel_radius;
        const auto centres = packing::random_loose(radii, {}, {side, side, side}, 3, 5);
        for (std::size_t i = 0; i < radii.size(); ++i) {
            p.add(radii[i], steel_mass(radii[i]), centres[i]);
            p.velocity.back() = 6.0 * Vec3{uniform() - 0.5, uniform() - 0.5, uniform() - 0.5};
        }
        p.skin = 0.15 * steel_radius;
        p.box.upper = {side, side, side};
        p.box.periodic = {true, true, true};
        p.box.strain = strain;
        const Numbers found =
            check_same({p, 4e-7, {100, 300, 300, 100}, some}, {strain.has_pistons() ? 4 : 3});
        CHECK(found.at("numbers").rbegin()[1] > 1);  // rebuilds
    }
}
