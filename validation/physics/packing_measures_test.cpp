// Stress and structure of packings against closed forms and against the forces on walls.

#include "packing_system/packing_measures.hpp"

#include "crystals.hpp"
#include "normal_numbers.hpp"
#include "packing_engines.hpp"
#include "relative.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>

namespace beadwave::validation::packing_measures_test {

using observers::MeasuredState;
using observers::Tensor;
using packing::Vec3;

namespace {

/// Force of two equal steel spheres, or of a sphere and a steel wall, by Hertz [N].
double hertz_force(double overlap, double effective_radius) {
    const double modulus = steel_modulus / (2.0 * (1.0 - steel_ratio * steel_ratio));
    return 4.0 / 3.0 * modulus * std::sqrt(effective_radius) * overlap * std::sqrt(overlap);
}

void check_isotropic(const Tensor& tensor, double expected, double tolerance) {
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            CHECK_ABSOLUTE(tensor[3 * i + j], i == j ? expected : 0.0,
                           tolerance * std::abs(expected));
    }
}

/// A fcc crystal, periodic along x and y, squeezed by two walls across z.
packing::Packing between_walls(const std::string& law) {
    packing::Packing p = steel_packing(law);
    const packing::Crystal crystal{.lattice = packing::Lattice::fcc,
                                   .cells = {2, 2, 2},
                                   .radius = steel_radius,
                                   .overlap = crystal_overlap};
    add_crystal(p, crystal);
    const Vec3 period = packing::period(crystal);
    p.box.upper = period;
    p.box.periodic = {true, true, false};
    const double top = 0.75 * period.z;  // height of the highest layer
    const double gap = steel_radius - crystal_overlap;
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, -gap}, .normal = {0, 0, 1}}});
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, top + gap}, .normal = {0, 0, -1}}});
    return p;
}

}  // namespace

TEST_CASE("a fcc crystal has twelve contacts, an isotropic fabric and the stress of its contacts") {
    const packing::Packing p = crystal_of(packing::Lattice::fcc, {3, 3, 3}, true);
    const double distance = 2.0 * steel_radius - crystal_overlap;
    // Four particles with twelve contacts each in a cube of edge sqrt(2) distance.
    const double cell = std::pow(std::sqrt(2.0) * distance, 3);
    const double fraction = 4.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(steel_radius, 3) / cell;
    const double pressure =
        24.0 * distance * hertz_force(crystal_overlap, 0.5 * steel_radius) / (3.0 * cell);
    // The spacing of the crystal is rounded, and so is its overlap.
    const double rounding = 1e-12 * distance / crystal_overlap;
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 1e-8);
        const MeasuredState state(p, *engine);
        CHECK(coordination_number(state) == 12.0);
        CHECK(rattlers(state) == 0.0);
        CHECK_RELATIVE(volume_fraction(state), fraction, 1e-11);
        check_isotropic(fabric(state), 1.0 / 3.0, 1e-13);
        check_isotropic(stress(state), -pressure, 2.0 * rounding);
        CHECK_ABSOLUTE(volume_fraction(state), std::numbers::pi / std::sqrt(18.0), 1e-3);
    }
}

TEST_CASE("a cell inside a crystal measures the same as the whole crystal") {
    packing::Packing p = crystal_of(packing::Lattice::fcc, {4, 4, 4}, false);
    const double edge = p.box.upper.x / 4.0;
    const Vec3 corner{0.25 * edge, 0.25 * edge, 0.25 * edge};
    const auto engine = packing::make_packing_engine(p, 1e-8, 1);
    const MeasuredState whole(p, *engine);
    // The second region crosses the sides of the box.
    for (const Vec3 at : {edge * Vec3{1, 1, 1} + corner, edge * Vec3{3, 3, 3} + corner}) {
        p.region = {.lower = at, .upper = at + edge * Vec3{1, 1, 1}};
        const MeasuredState cell(p, *engine);
        CHECK(cell.particles == 4.0);
        CHECK(coordination_number(cell) == 12.0);
        CHECK_RELATIVE(volume_fraction(cell), volume_fraction(whole), 1e-12);
        check_isotropic(stress(cell), stress(whole)[0], 1e-12);
        check_isotropic(fabric(cell), 1.0 / 3.0, 1e-13);
    }
}

TEST_CASE("the stress of a pressed crystal at rest is the force on its walls over their area") {
    packing::Packing p = between_walls("tsuji");
    p.law.values.insert_or_assign("restitution", 0.1);
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 2e-8);
        engine->advance(60'000);
        const packing::PackingTotals totals = engine->totals();
        REQUIRE(totals.translational < 1e-24 * totals.stored_normal);
        const MeasuredState state(p, *engine);
        const observers::WallMeasures walls = observers::wall_measures(state);
        const double area = p.box.upper.x * p.box.upper.y;
        const Tensor all = stress(state), contacts = contact_stress(state);
        CHECK_RELATIVE(walls.force[0].z, -walls.force[1].z, 1e-10);
        CHECK_RELATIVE(-all[8], walls.force[1].z / area, 1e-10);
        CHECK_RELATIVE(-contacts[8], walls.force[1].z / area, 1e-10);
        for (const std::size_t shear : {1, 2, 3, 5, 6, 7})
            CHECK_ABSOLUTE(all[shear], 0.0, -1e-10 * all[8]);
        CHECK(all[0] < 0.0);
        CHECK(walls.position[1] == std::get<packing::Plane>(p.walls[1].shape).point);
    }
}

TEST_CASE("the stress of a gas without contacts is minus the sum of m v v over its volume") {
    packing::Packing p = steel_packing();
    constexpr std::size_t count = 500;
    p.box.upper = {0.2, 0.15, 0.1};
    p.box.periodic = {true, true, true};
    const std::vector<double> radii(count, 1e-3);
    for (const Vec3& centre : packing::random_loose(radii, {}, p.box.upper, 3, 3)) {
        const std::uint64_t i = p.particles();
        p.add(1e-3, steel_mass(1e-3) * (1.0 + 0.3 * static_cast<double>(i % 4)), centre);
        p.velocity.back() = {3.0 + normal_number(5, 3 * i), 2.0 * normal_number(5, 3 * i + 1),
                             normal_number(5, 3 * i + 2)};
    }
    double mass = 0.0;
    Vec3 mean{};
    for (std::size_t i = 0; i < count; ++i) {
        mass += p.mass[i];
        mean += p.mass[i] * p.velocity[i];
    }
    mean = mean * (1.0 / mass);
    double xx = 0.0, yy = 0.0, xy = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3 v = p.velocity[i] - mean;
        xx += p.mass[i] * v.x * v.x / (0.2 * 0.15 * 0.1);
        yy += p.mass[i] * v.y * v.y / (0.2 * 0.15 * 0.1);
        xy += p.mass[i] * v.x * v.y / (0.2 * 0.15 * 0.1);
    }
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 1e-8);
        const MeasuredState state(p, *engine);
        CHECK_RELATIVE(-stress(state)[0], xx, 1e-12);
        CHECK_RELATIVE(-stress(state)[4], yy, 1e-12);
        CHECK_ABSOLUTE(-stress(state)[1], xy, 1e-12 * xx);
        CHECK(stress(state)[3] == stress(state)[1]);
        CHECK(contact_stress(state) == Tensor{});
        CHECK(coordination_number(state) == 0.0);
        CHECK(fabric(state) == Tensor{});
        CHECK(rattlers(state) == static_cast<double>(count));
    }
}

TEST_CASE("in the plane the stress of a hexagonal crystal is a force per length") {
    const packing::Packing p = crystal_of(packing::Lattice::hexagonal, {6, 6, 1}, false);
    const double distance = 2.0 * steel_radius - crystal_overlap;
    const double cell = 0.5 * std::sqrt(3.0) * distance * distance;  // of one particle
    const double force = hertz_force(crystal_overlap, 0.5 * steel_radius);
    const auto engine = packing::make_packing_engine(p, 1e-8, 1);
    const MeasuredState state(p, *engine);
    CHECK(coordination_number(state) == 6.0);
    CHECK_RELATIVE(volume_fraction(state), std::numbers::pi * steel_radius * steel_radius / cell,
                   1e-11);
    // Three contacts per particle; n_x n_x is 1/2 on average.
    const double expected = 3.0 * force * distance / (2.0 * cell);
    const double rounding = 1e-12 * distance / crystal_overlap;
    CHECK_RELATIVE(-stress(state)[0], expected, 2.0 * rounding);
    CHECK_RELATIVE(-stress(state)[4], expected, 2.0 * rounding);
    CHECK(stress(state)[8] == 0.0);
}

TEST_CASE("a sphere that only rattlers hold is a rattler") {
    packing::Packing p = between_walls("hertz");
    const std::size_t crystal = p.particles();
    {
        const auto engine = packing::make_packing_engine(p, 1e-8, 1);
        CHECK(rattlers(MeasuredState(p, *engine)) == 0.0);
    }
    // Outside of the walls, where only they touch each other: three in a row, and a fixed one.
    for (int k = 0; k < 4; ++k)
        p.add(steel_radius, steel_mass(steel_radius),
              {1.0 + 2.0 * k * (steel_radius - 1e-7), 0.0, steel_radius * 2.0});
    p.fixed.assign(p.particles(), false);
    p.fixed.back() = true;
    p.box.periodic = {false, false, false};
    p.region = {.lower = {-1, -1, -1}, .upper = {2, 1, 1}};
    const auto engine = packing::make_packing_engine(p, 1e-8, 1);
    const MeasuredState state(p, *engine);
    const double all = rattlers(state);
    CHECK(all >= 3.0);
    p.region->lower.x = 0.5;
    CHECK(rattlers(MeasuredState(p, *engine)) == 3.0);
    CHECK(crystal + 4 == p.particles());
}

}  // namespace beadwave::validation::packing_measures_test
