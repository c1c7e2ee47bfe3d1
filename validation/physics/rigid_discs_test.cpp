// A hundred rigid discs at rest in a box, beside the linear equations of their equilibrium and
// beside springs that become stiff.

#include "largest.hpp"
#include "packing_backends.hpp"
#include "relative.hpp"
#include "rigid_packings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace beadwave::validation::rigid_discs_test {

using packing::ContactState;
using packing::Packing;
using packing::PackingEngine;
using packing::Vec3;

namespace {

constexpr double radius = 5e-3, g = standard_gravity;
constexpr std::size_t columns = 10, rows = 10, count = columns * rows;

/// Spheres in the plane, between a floor and two walls; radii differ by 15 %.
Packing loose_discs(Packing p) {
    p.dimension = 2;
    p.gravity = {0.0, -g, 0.0};
    std::mt19937 random(3);
    const auto part = [&] { return static_cast<double>(random()) / 4294967296.0; };
    const double pitch = 2.4 * radius;
    for (std::size_t j = 0; j < rows; ++j) {
        for (std::size_t i = 0; i < columns; ++i) {
            const double r = radius * (0.85 + 0.3 * part());
            const Vec3 shift{0.1 * radius * (part() - 0.5), 0.1 * radius * (part() - 0.5), 0.0};
            p.add(r, steel_mass(r),
                  Vec3{pitch * (static_cast<double>(i) + 0.5),
                       pitch * (static_cast<double>(j) + 0.5), 0.0} +
                      shift);
        }
    }
    const double width = pitch * static_cast<double>(columns);
    add_plane(p, {0.0, 0.0, 0.0}, {0.0, 1.0, 0.0});
    add_plane(p, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0});
    add_plane(p, {width, 0.0, 0.0}, {-1.0, 0.0, 0.0});
    return p;
}

double weight_of(const Packing& p) {
    double sum = 0.0;
    for (const double mass : p.mass)
        sum += mass * g;
    return sum;
}

/// The largest force on a particle that its weight does not balance, over its weight.
double imbalance(const Packing& p, const PackingEngine& engine) {
    std::vector<Vec3> force(p.particles());
    for (std::size_t i = 0; i < force.size(); ++i)
        force[i] = p.mass[i] * p.gravity;
    for (const ContactState& c : engine.contacts()) {
        force[c.first] += c.normal_force + c.tangential_force;
        if (c.second < force.size()) force[c.second] -= c.normal_force + c.tangential_force;
    }
    Largest worst;
    for (std::size_t i = 0; i < force.size(); ++i)
        worst.enter(size_of(force[i]) / (p.mass[i] * g));
    return worst;
}

/// The packing as an engine left it, at rest.
Packing at_rest(const Packing& p, const PackingEngine& engine) {
    Packing now = p;
    const std::vector<Vec3> moved = engine.displacement();
    for (std::size_t i = 0; i < count; ++i) {
        now.position[i] += moved[i];
        now.velocity[i] = now.angular_velocity[i] = {};
    }
    return now;
}

using Bodies = std::pair<std::size_t, std::size_t>;
using Forces = std::map<Bodies, double>;

Forces normal_forces(const PackingEngine& engine) {
    Forces forces;
    for (const ContactState& c : engine.contacts()) {
        const double force = size_of(c.normal_force);
        if (force > 0.0) forces[{c.first, c.second}] = force;
    }
    return forces;
}

/// The unknowns of linear equations, each with its right side as the last number, by Gauss and
/// Jordan; empty: they are not unique. Equations beyond the unknowns are left out.
std::vector<double> solved(std::vector<std::vector<double>> rows) {
    const std::size_t unknowns = rows.front().size() - 1;
    for (std::size_t k = 0; k < unknowns; ++k) {
        const auto pivot = std::max_element(
            rows.begin() + static_cast<std::ptrdiff_t>(k), rows.end(),
            [&](const auto& a, const auto& b) { return std::abs(a[k]) < std::abs(b[k]); });
        if (pivot == rows.end() || !(std::abs((*pivot)[k]) > 1e-6)) return {};
        std::swap(*pivot, rows[k]);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (r == k || rows[r][k] == 0.0) continue;
            const double part = rows[r][k] / rows[k][k];
            for (std::size_t c = k; c <= unknowns; ++c)
                rows[r][c] -= part * rows[k][c];
        }
    }
    std::vector<double> solution;
    for (std::size_t k = 0; k < unknowns; ++k)
        solution.push_back(rows[k].back() / rows[k][k]);
    return solution;
}

/// Solved as far as numbers go.
laws::Settings accurate(double e) {
    laws::Settings law = laws::rigid_settings(e);
    law.values.insert_or_assign("solver_tolerance", 1e-13);
    law.values.insert_or_assign("solver_iterations", 1e5);
    return law;
}

/// Rigid discs, settled: `steps` of `step`, then few with a tolerance of 1e-13.
std::unique_ptr<PackingEngine> settled(Packing& p, double step, std::int64_t steps) {
    p.law.values.insert_or_assign("solver_tolerance", 1e-6);
    const auto falls = packing::make_rigid_packing_engine(p, step);
    double before = 0.0;
    Largest growth, open;
    for (std::int64_t k = 0; k < steps; k += 10) {
        falls->advance(10);
        const packing::PackingTotals t = falls->totals();
        const double now = t.translational + t.rotational - t.external_work;
        growth.enter(now - before);
        open.enter(std::abs(energy_of(t)));
        before = now;
    }
    // Of 0.1 J. Energy grows by what the tolerance leaves open alone, the ledger balances always.
    CHECK(growth < 1e-6);
    CHECK(open < 1e-13);
    CHECK(falls->totals().dissipated_normal > 0.05);
    // The discs fall at up to 0.7 m/s.
    CHECK(falls->rigid()->penetration.overlap < 0.7 * step);
    p = at_rest(p, *falls);
    p.law = accurate(0.0);
    auto rests = packing::make_rigid_packing_engine(p, step);
    rests->advance(60);
    return rests;
}

}  // namespace

TEST_CASE("a hundred rigid discs without friction settle, and carry the forces of equilibrium") {
    Packing p = loose_discs(rigid_packing(0.0, 0.0));
    const auto engine = settled(p, 5e-4, 1600);
    CHECK(imbalance(p, *engine) < 1e-10);
    CHECK_RELATIVE(-force_on_wall(*engine, 0).y, weight_of(p), 1e-10);
    CHECK(engine->rigid()->unconverged == 0);
    // Without friction a packing is isostatic: as many contacts as there are equations, less where
    // discs are loose. Their forces solve A f = weight, with the weights as the last column.
    std::vector<double> found;
    std::vector<std::vector<double>> equations(2 * count);
    for (const ContactState& c : engine->contacts()) {
        const double force = size_of(c.normal_force);
        if (!(force > 0.0)) continue;
        for (std::vector<double>& equation : equations)
            equation.push_back(0.0);
        const Vec3 on_first = (1.0 / force) * c.normal_force;
        equations[2 * c.first].back() = on_first.x;
        equations[2 * c.first + 1].back() = on_first.y;
        if (c.second < count) {
            equations[2 * c.second].back() = -on_first.x;
            equations[2 * c.second + 1].back() = -on_first.y;
        }
        found.push_back(force);
    }
    for (std::size_t i = 0; i < count; ++i) {
        equations[2 * i].push_back(0.0);
        equations[2 * i + 1].push_back(p.mass[i] * g);
    }
    const std::vector<double> exact = solved(std::move(equations));
    REQUIRE(exact.size() == found.size());
    CHECK(largest_difference(exact, found) < 1e-9 * largest_size(exact));
}

TEST_CASE("stiff springs carry the forces of rigid discs") {
    Packing soft = loose_discs(steel_packing());
    double difference = 1.0;
    for (const double stiffness : {1e5, 1e7}) {
        soft.law = law_settings("kelvin-voigt", {{"stiffness", stiffness}, {"restitution", 0.1}});
        const double step = 0.1 * std::sqrt(steel_mass(0.85 * radius) / stiffness);
        const auto springs = packing::make_packing_engine(soft, step, 1);
        springs->advance(static_cast<std::int64_t>((stiffness == 1e5 ? 1.5 : 0.5) / step));
        soft = at_rest(soft, *springs);
        Packing rigid = soft;
        rigid.law = accurate(0.0);
        const auto engine = packing::make_rigid_packing_engine(rigid, 1e-4);
        engine->advance(1);
        const Forces expected = normal_forces(*springs), found = normal_forces(*engine);
        Largest largest, worst;
        for (const auto& [pair, force] : expected) {
            largest.enter(force);
            worst.enter(std::abs(force - (found.contains(pair) ? found.at(pair) : 0.0)));
        }
        // 12 % where soft springs touch at one place more than rigid discs need, then 7e-4, of
        // which a half is that the springs are not quite at rest.
        CHECK(worst / largest < 0.2 * difference);
        difference = worst / largest;
    }
    CHECK(difference < 1e-3);
}

TEST_CASE("a hundred rough rigid discs settle in balance") {
    Packing p = loose_discs(rigid_packing(0.0, 0.4));
    const auto engine = settled(p, 5e-4, 1000);
    CHECK(imbalance(p, *engine) < 1e-10);
    const Vec3 carried =
        force_on_wall(*engine, 0) + force_on_wall(*engine, 1) + force_on_wall(*engine, 2);
    CHECK_RELATIVE(-carried.y, weight_of(p), 1e-10);
    CHECK(engine->rigid()->unconverged == 0);
}

TEST_CASE("the forces of rough springs are among those that rigid friction leaves open") {
    constexpr double stiffness = 1e6, mu = 0.4;
    Packing soft = loose_discs(steel_packing());
    const double mass = steel_mass(0.85 * radius), step = 0.1 * std::sqrt(mass / stiffness);
    soft.law = law_settings("kelvin-voigt", {{"stiffness", stiffness}, {"restitution", 0.1}});
    soft.friction = {.law = laws::FrictionLaw::linear,
                     .coefficient = mu,
                     .stiffness = 0.8 * stiffness,
                     .damping = 0.3 * std::sqrt(mass * stiffness)};
    const auto springs = packing::make_packing_engine(soft, step, 1);
    springs->advance(static_cast<std::int64_t>(0.6 / step));
    REQUIRE(imbalance(soft, *springs) < 1e-11);
    Packing rigid = at_rest(soft, *springs);
    rigid.law = accurate(0.0);
    rigid.friction = {.law = laws::FrictionLaw::coulomb, .coefficient = mu};
    constexpr double short_step = 1e-4;
    std::map<Bodies, Vec3> expected;  // on the second
    double sum = 0.0;
    for (const ContactState& c : springs->contacts()) {
        const Vec3 force = -c.normal_force - c.tangential_force;
        expected[{c.first, c.second}] = force;
        sum += size_of(force);
    }
    const double mean = sum / static_cast<double>(expected.size());
    const auto step_from = [&](const auto& factor) {
        auto engine = packing::make_rigid_packing_engine(rigid, short_step);
        std::vector<Vec3> impulses;
        auto& backend = backend_of<packing::RigidBackend>(*engine);
        for (const auto& pair : backend.impulses()) {
            const auto known = expected.find({pair.first, pair.second});
            impulses.push_back(known == expected.end() ? Vec3{}
                                                       : factor() * short_step * known->second);
        }
        backend.set_impulses(impulses);
        engine->advance(1);
        return engine;
    };
    // From the springs' forces the solver goes nowhere: they are a solution.
    const auto kept = step_from([] { return 1.0; });
    Largest moved;
    for (const auto& pair : backend_of<packing::RigidBackend>(*kept).impulses()) {
        const auto known = expected.find({pair.first, pair.second});
        const Vec3 was = known == expected.end() ? Vec3{} : known->second;
        moved.enter(size_of((1.0 / short_step) * pair.impulse - was));
    }
    CHECK(moved < 1e-10 * mean);
    // From starts that differ from them by up to a quarter it finds others, all in balance: forces
    // of that width are left open, and the springs' are among them. From starts that differ by
    // more it also finds impulses with which discs slide in that step: friction leaves open even
    // whether a packing rests.
    std::mt19937 random(5);
    std::map<Bodies, std::pair<double, double>> range;
    Largest balance;
    for (int k = 0; k < 20; ++k) {
        const auto engine =
            step_from([&] { return 0.75 + 0.5 * static_cast<double>(random()) / 4294967296.0; });
        balance.enter(imbalance(rigid, *engine));
        const Forces found = normal_forces(*engine);
        for (const auto& [pair, unused] : expected) {
            const double normal = found.contains(pair) ? found.at(pair) : 0.0;
            auto& ends = range.try_emplace(pair, normal, normal).first->second;
            ends.first = std::min(ends.first, normal);
            ends.second = std::max(ends.second, normal);
        }
    }
    CHECK(balance < 1e-10);
    Largest widest, outside;
    const Forces of_springs = normal_forces(*springs);
    for (const auto& [pair, ends] : range) {
        widest.enter(ends.second - ends.first);
        const double force = of_springs.contains(pair) ? of_springs.at(pair) : 0.0;
        outside.enter(ends.first - force, force - ends.second);
    }
    CHECK(widest > 0.5 * mean);  // 0.77
    CHECK(outside <= 0.0);
}

}  // namespace beadwave::validation::rigid_discs_test
