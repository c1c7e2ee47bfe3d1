// What is recorded of the contacts of ellipsoids and clumps: impacts, the wear of walls, and what
// triangles of meshes get; beside the plain engine of spheres, closed forms and the ledger.

#include "clump_packings.hpp"
#include "dissipating_packings.hpp"
#include "laws/wear.hpp"
#include "packing/contacts/impact.hpp"
#include "packing/packing_engine.hpp"
#include "packing/walls/wall_work.hpp"
#include "saved_packings.hpp"
#include "shaped_packings.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

namespace beadwave::validation::shaped_records_test {
namespace {

using packing::ContactRecords;
using packing::DissipationParts;
using packing::Impact;
using packing::Packing;
using packing::Vec3;

constexpr double density = 2500.0, dt = 1e-6;
const Vec3 flat_axes{2.5e-3, 2e-3, 1.5e-3};

double volume_of(const Vec3& axes) {
    return 4.188790204786391 * axes.x * axes.y * axes.z;
}

std::unique_ptr<packing::PackingEngine> watching(const Packing& p) {
    return packing::make_packing_engine(p, dt, 1, nullptr, ContactRecords::impacts);
}

void add_ellipsoid(Packing& p, const Vec3& axes, const Vec3& place) {
    p.add(std::max({axes.x, axes.y, axes.z}), density * volume_of(axes), place);
    p.semi_axes.push_back(axes);
    p.orientation.emplace_back();
}

packing::Wall mesh_floor() {
    packing::Wall floor;
    floor.shape = mesh_of(plate({-0.02, -0.02, 0}, {0.041, 0, 0}, {0, 0.0413, 0}, 9), {});
    return floor;
}

/// Bodies that fall on a floor of triangles and on each other between walls of which one moves back
/// and forth.
Packing falling(bool clumps, bool balls) {
    Packing p = shaped_packing(1e7, "tsuji");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.gravity = {0, 0, -9.81};
    const auto dumb = dumbbell(1.5e-3, 2e-3);
    Draw draw;
    for (int i = 0; i < 12; ++i) {
        const Vec3 place{6e-3 * (i % 2), 6e-3 * (i / 2 % 2), 4e-3 + 6e-3 * (i / 4)};
        const double a = draw(0.0, 1.5), b = draw(0.0, 1.5);
        if (clumps)
            add_clump(p, dumb, density, place, raised(a));
        else
            add_ellipsoid(p, balls ? Vec3{2e-3, 2e-3, 2e-3} : flat_axes, place);
        if (!clumps) p.orientation.back() = raised(b);
        p.velocity.back() = {draw(-0.3, 0.3), draw(-0.3, 0.3), draw(-0.6, 0.0)};
        p.angular_velocity.back() = {draw(-50, 50), draw(-50, 50), draw(-50, 50)};
    }
    p.walls.push_back(mesh_floor());
    for (const Vec3& normal : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}})
        p.walls.push_back({.shape = packing::Plane{.point = Vec3{3e-3, 3e-3, 0} - 6e-3 * normal,
                                                   .normal = normal}});
    p.walls[1].drive = stepping::Drive::sine(30.0, 2e-4);
    return p;
}

/// Impacts that ended, and those that have not: all that was dissipated.
struct Recorded {
    std::vector<Impact> rows;

    void take(packing::PackingEngine& engine) {
        for (const Impact& impact : engine.take_impacts())
            rows.push_back(impact);
    }
    void check_sum(const packing::PackingEngine& engine, double scale) const {
        DissipationParts all = engine.open_impacts().dissipated;
        for (const Impact& impact : rows)
            all.add(impact.dissipated);
        const packing::PackingTotals t = engine.totals();
        CHECK_ABSOLUTE(all.normal, t.dissipated_normal, 1e-12 * scale);
        CHECK_ABSOLUTE(all.sliding, t.dissipated_tangential, 1e-12 * scale);
    }
};

/// Relative differences of numbers, of which those that are not known are the same.
void check_alike(const Impact& a, const Impact& b, double tolerance) {
    REQUIRE(a.first == b.first);
    REQUIRE(a.second == b.second);
    for (const auto member : Impact::times_and_speeds) {
        REQUIRE(std::isnan(a.*member) == std::isnan(b.*member));
        const double scale = std::abs(b.*member) + 1e-6;
        if (!std::isnan(a.*member)) CHECK_ABSOLUTE(a.*member, b.*member, tolerance * scale);
    }
    CHECK_ABSOLUTE(a.dissipated.sum(), b.dissipated.sum(),
                   tolerance * (std::abs(b.dissipated.sum()) + 1e-9));
}

}  // namespace

TEST_CASE("ellipsoids with equal axes have the impacts and the wear of spheres") {
    Packing shaped = falling(false, true), spheres = shaped;
    spheres.semi_axes.clear();
    spheres.orientation.clear();
    const auto engine = watching(shaped);
    const auto plain = packing::make_plain_packing_engine(spheres, dt, ContactRecords::impacts);
    engine->advance(20'000);
    plain->advance(20'000);
    const std::vector<Impact> own = engine->take_impacts(), expected = plain->take_impacts();
    REQUIRE(own.size() == expected.size());
    CHECK(own.size() > 20);
    // Rounding, which collisions enlarge.
    for (std::size_t k = 0; k < own.size(); ++k)
        check_alike(own[k], expected[k], 1e-6);
    for (std::size_t w = 0; w < shaped.walls.size(); ++w) {
        CHECK_RELATIVE(engine->wall_rubbing()[w], plain->wall_rubbing()[w], 1e-6);
        CHECK_RELATIVE(engine->wall_work()->cutting().wall[w],
                       plain->wall_work()->cutting().wall[w], 1e-6);
    }
    const auto &tri = engine->wall_work()->rubbing().triangle,
               &expected_tri = plain->wall_work()->rubbing().triangle;
    REQUIRE(tri.size() == expected_tri.size());
    for (std::size_t t = 0; t < tri.size(); ++t)
        CHECK_ABSOLUTE(tri[t], expected_tri[t], 1e-6 * engine->wall_rubbing()[0]);
}

TEST_CASE("an ellipsoid that falls flat returns e, and loses what that takes") {
    // Tsuji's dashpot has the restitution e at every speed.
    constexpr double fall = 0.4, e = 0.7;
    Packing p = shaped_packing(1e7, "tsuji");
    p.law = law_settings("tsuji", {{"restitution", e}});
    add_ellipsoid(p, flat_axes, {0, 0, flat_axes.z + 1e-4});
    p.velocity[0] = {0.3, 0, -fall};
    p.walls.push_back({});
    const auto engine = watching(p);
    engine->advance(4000);
    const std::vector<Impact> impacts = engine->take_impacts();
    REQUIRE(impacts.size() == 1);
    const Impact& impact = impacts[0];
    CHECK(impact.second == 1);
    CHECK_ABSOLUTE(impact.start, 1e-4 / fall, 1e-9);
    CHECK_RELATIVE(impact.impact_speed, fall, 1e-9);
    CHECK_RELATIVE(impact.impact_slip_speed, 0.3, 1e-9);
    CHECK_RELATIVE(impact.separation_slip_speed, 0.3, 1e-9);
    // Of the law itself, which is fitted to e; the step's error is 1e-6.
    CHECK_RELATIVE(impact.restitution(), e, 2e-3);
    const double kept = impact.restitution() * impact.restitution();
    CHECK_RELATIVE(impact.dissipated.normal, 0.5 * p.mass[0] * fall * fall * (1.0 - kept), 1e-4);
    CHECK_RELATIVE(engine->wall_work()->cutting().wall[0],
                   laws::finnie_cutting(p.mass[0], fall, 0.3), 1e-9);
}

TEST_CASE("a clump that lands on both of its balls has one impact") {
    Packing p = shaped_packing(1e7, "tsuji");
    add_clump(p, dumbbell(1.5e-3, 4e-3), density, {0, 0, 1.5e-3 + 1e-4});
    p.velocity[0] = {0, 0, -0.4};
    p.walls.push_back({});
    const auto engine = watching(p);
    engine->advance(6000);
    const std::vector<Impact> impacts = engine->take_impacts();
    REQUIRE(impacts.size() == 1);
    CHECK_RELATIVE(impacts[0].impact_speed, 0.4, 1e-9);
    const double out = engine->velocity()[0].z;
    CHECK_RELATIVE(impacts[0].separation_speed, out, 1e-5);
    CHECK_RELATIVE(impacts[0].dissipated.normal, 0.5 * p.mass[0] * (0.16 - out * out), 1e-5);
}

TEST_CASE("impacts of ellipsoids and clumps add up to the ledger, also from a saved state") {
    for (const bool clumps : {false, true}) {
        CAPTURE(clumps);
        const Packing p = falling(clumps, false);
        auto engine = watching(p);
        std::unique_ptr<packing::PackingEngine> other;
        double scale = scale_of(engine->totals());
        Recorded recorded, of_other;
        for (int part = 0; part < 4; ++part) {
            engine->advance(5000);
            if (other) other->advance(5000);
            scale = std::max(scale, scale_of(engine->totals()));
            if (part == 1) {
                other = watching(p);
                restore(*other, engine->step(), saved(*engine));
            }
            recorded.take(*engine);
            if (other) of_other.take(*other);
            recorded.check_sum(*engine, scale);
            check_sum(*engine, scale);
        }
        CHECK(recorded.rows.size() > 20);
        const std::size_t before = recorded.rows.size() - of_other.rows.size();
        REQUIRE(of_other.rows.size() > 3);
        for (std::size_t k = 0; k < of_other.rows.size(); ++k)
            check_alike(recorded.rows[before + k], of_other.rows[k], 0.0);
        CHECK(engine->wall_rubbing() == other->wall_rubbing());
        CHECK(engine->wall_work()->cutting().triangle == other->wall_work()->cutting().triangle);
        // What each wall is cut by is that of its impacts; those that last have begun, too.
        for (std::size_t w = 0; w < p.walls.size(); ++w) {
            double sum = 0.0;
            for (const Impact& impact : recorded.rows) {
                if (impact.second == p.particles() + w)
                    sum += laws::finnie_cutting(p.mass[impact.first], impact.impact_speed,
                                                impact.impact_slip_speed);
            }
            CHECK(sum <= engine->wall_work()->cutting().wall[w] * (1.0 + 1e-12));
            CHECK(sum >= 0.3 * engine->wall_work()->cutting().wall[w]);
        }
        for (const auto* sums : {&engine->wall_work()->rubbing(), &engine->wall_work()->cutting()})
            CHECK_RELATIVE(std::accumulate(sums->triangle.begin(), sums->triangle.end(), 0.0),
                           sums->wall[0], 1e-12);
    }
}

TEST_CASE("a floor that slides under a resting ellipsoid rubs by its weight times the way") {
    for (const bool triangles : {false, true}) {
        CAPTURE(triangles);
        Packing p = shaped_packing(1e7);
        add_ellipsoid(p, flat_axes, {0, 0, flat_axes.z - 1e-6});
        p.walls.push_back(triangles ? mesh_floor() : packing::Wall{});
        p.walls[0].velocity = {2.0, 0.5, 0};
        const auto pressed = watching(p)->contacts();
        REQUIRE(pressed.size() == 1);
        const double weight = std::abs(pressed[0].normal_force.z);
        p.gravity = {0, 0, -weight / p.mass[0]};
        const auto engine = watching(p);
        engine->advance(2000);
        CHECK_RELATIVE(engine->wall_rubbing()[0], weight * std::hypot(2.0, 0.5) * 2000 * dt, 1e-9);
        CHECK(engine->wall_work()->cutting().wall[0] == 0.0);
        if (!triangles) continue;
        const auto& each = engine->wall_work()->rubbing().triangle;
        CHECK_RELATIVE(std::accumulate(each.begin(), each.end(), 0.0), engine->wall_rubbing()[0],
                       1e-12);
    }
}

TEST_CASE("triangles under ellipsoids and clumps get the wall's half of what contacts dissipate") {
    for (const bool clumps : {false, true}) {
        CAPTURE(clumps);
        const Packing p = falling(clumps, false);
        packing::PackingEngine engine = std::move(*watching(p));
        engine.follow_dissipation(p, true);
        engine.advance(12'000);
        double wall = 0.0, all = 0.0;
        for (const auto& each : engine.dissipation())
            if (each.second == p.particles()) wall += 0.5 * each.parts.sum();
        for (const double each : engine.triangle_dissipation())
            all += each;
        CHECK(wall > 0.0);
        CHECK_RELATIVE(all, wall, 1e-12);
        std::size_t some = 0;
        for (const double each : engine.triangle_dissipation())
            some += each != 0.0 ? 1 : 0;
        CHECK(some > 1);
    }
}

}  // namespace beadwave::validation::shaped_records_test
