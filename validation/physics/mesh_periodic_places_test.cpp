// Where a particle meets a mesh that repeats, however many periods away its place is given:
// estimates at the start, poured particles, and edges that lie across a side of the box.

#include "meshes.hpp"
#include "packing/step/fastest_motion.hpp"
#include "packing/walls/mesh_images.hpp"
#include "packing/walls/mesh_place.hpp"
#include "packing_engines.hpp"
#include "poured_packings.hpp"
#include "relative.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace beadwave::validation::mesh_periodic_places_test {

namespace {

constexpr double radius = 1e-3, period = 0.012, sharp = 0.2;

packing::Box repeating() {
    packing::Box box;
    box.upper = {period, period, 0.0};
    box.periodic = {true, true, false};
    return box;
}

packing::Packing over_mesh(const std::vector<Corners>& triangles) {
    packing::Packing p = soft_packing("tsuji");
    p.box = repeating();
    p.walls.push_back({.shape = mesh_of(packing::with_images(triangles, p.box, sharp), {}, sharp)});
    return p;
}

/// A flat plate that covers a part of the period.
std::vector<Corners> small_plate() {
    return plate({2e-3, 2e-3, 0.0}, {4e-3, 0, 0}, {0, 4e-3, 0}, 2);
}

/// A roof with its ridge along x at a height of 1 mm, from `from` to `from` + 6 mm, cut at the side
/// of the box where it goes across. `swapped`: the two slopes list their parts in opposite orders.
std::vector<Corners> roof(double from, bool swapped) {
    constexpr double length = 6e-3, ridge = 1e-3, middle = 6e-3, half = 2e-3;
    std::vector<std::pair<double, double>> parts{{from, from + length}};
    if (from + length > period) parts = {{from, period}, {0.0, from + length - period}};
    const auto slope = [&](double side, bool backwards, std::vector<Corners>& all) {
        auto order = parts;
        if (backwards && order.size() > 1) std::swap(order[0], order[1]);
        for (const auto& [x, to] : order)
            add_square(all, {x, middle, ridge}, {to, middle, ridge}, {to, middle + side, 0.0},
                       {x, middle + side, 0.0});
    };
    std::vector<Corners> all;
    slope(half, false, all);
    slope(-half, swapped, all);
    return all;
}

}  // namespace

TEST_CASE(
    "a particle that is given periods away from a mesh has the contact of the one beside it") {
    packing::Packing near = over_mesh(small_plate());
    near.add(radius, steel_mass(radius), {4e-3, 3e-3, 0.9 * radius});
    packing::Packing far = over_mesh(small_plate());
    far.add(radius, steel_mass(radius), {4e-3 - 3.0 * period, 3e-3 + 2.0 * period, 0.9 * radius});
    const auto one = packing::compressed_pairs(near), other = packing::compressed_pairs(far);
    REQUIRE(one.size() == 1);
    REQUIRE(other.size() == 1);
    CHECK_RELATIVE(one[0].overlap, 0.1 * radius, 1e-9);
    CHECK_RELATIVE(other[0].overlap, one[0].overlap, 1e-9);
    for (const packing::Packing* p : {&near, &far}) {
        const packing::SurfacePoint at =
            packing::ClosestInBox(p->walls[0], p->box)(p->position[0], {});
        CHECK_RELATIVE(at.distance, 0.9 * radius, 1e-9);
        CHECK_ABSOLUTE(size_of(at.point - (p->position[0] - Vec3{0, 0, 0.9 * radius})), 0.0,
                       1e-9 * radius);
    }
    // The estimate of the largest speed has the height of fall above the mesh.
    near.position[0].z = far.position[0].z = 20.0 * radius;
    const double speed = packing::largest_speed(near, 0.0, {.end = 1.0, .interval = 1.0});
    CHECK_RELATIVE(packing::largest_speed(far, 0.0, {.end = 1.0, .interval = 1.0}), speed, 1e-9);
    CHECK(speed > 0.5);
}

TEST_CASE("a particle in the corner of a mesh is compressed by each of its sides") {
    packing::Packing p = soft_packing("hertz");
    std::vector<Corners> corner = plate({}, {6e-3, 0, 0}, {0, 6e-3, 0}, 1);
    for (const Corners& triangle : plate({}, {0, 6e-3, 0}, {0, 0, 6e-3}, 1))
        corner.push_back(triangle);
    p.walls.push_back({.shape = mesh_of(corner, {}, sharp)});
    p.add(radius, steel_mass(radius), {0.9 * radius, 3e-3, 0.8 * radius});
    const auto pairs = packing::compressed_pairs(p);
    REQUIRE(pairs.size() == 2);
    const double low = std::min(pairs[0].overlap, pairs[1].overlap),
                 high = std::max(pairs[0].overlap, pairs[1].overlap);
    CHECK_RELATIVE(low, 0.1 * radius, 1e-9);
    CHECK_RELATIVE(high, 0.2 * radius, 1e-9);
}

TEST_CASE("an edge of two patches across a side counts once, in any order of the file") {
    // At the ridge and beside it, along all of it and beyond its ends.
    for (const bool swapped : {false, true}) {
        for (int k = -3; k <= 43; ++k) {
            for (const double beside : {-0.3, 0.0, 0.3}) {
                const double along = k * 0.15e-3;
                std::vector<Vec3> force;
                for (const double from : {1e-3, 9e-3}) {  // within the box, across its side
                    packing::Packing p = over_mesh(roof(from, from > 5e-3 && swapped));
                    p.gravity = {};
                    p.add(radius, steel_mass(radius),
                          {from + along, 6e-3 + beside * radius, 1e-3 + 0.9 * radius});
                    if (k % 2 == 0) p.position[0].x -= period;
                    const auto engine = packing::make_plain_packing_engine(p, 1e-7);
                    Vec3& sum = force.emplace_back();
                    for (const packing::ContactState& c : engine->contacts())
                        sum += c.normal_force;
                }
                CAPTURE(k);
                CAPTURE(beside);
                CHECK_ABSOLUTE(size_of(force[0] - force[1]), 0.0, 1e-9 * size_of(force[0]));
                if (k >= 0 && k <= 40) CHECK(size_of(force[0]) > 0.0);
            }
        }
    }
}

TEST_CASE("particles are poured beside a mesh that repeats, and lie on all of its images") {
    for (const EngineMaker& make : engine_makers) {
        packing::Packing p = over_mesh(plate({}, {period, 0, 0}, {0, period, 0}, 3));
        // The region lies three periods away and reaches below the mesh's height.
        add_pour(
            p, 60, radius,
            {{3.0 * period, -2.0 * period, -1.5e-3}, {4.0 * period, -1.0 * period, 6.0 * radius}},
            0.0, {0.0, 0.0, -0.3});
        REQUIRE(validate(p).empty());
        const auto engine = make(p, 5e-6);
        engine->advance(1);
        for (std::size_t i = 0; i < p.particles(); ++i) {
            const Vec3 at = p.position[i] + engine->displacement()[i];
            if (!engine->population().is_absent(i)) CHECK(std::abs(at.z) > radius - 1e-5);
        }
        engine->advance(20000);
        const packing::PackingTotals now = engine->totals();
        CHECK(engine->population().count(packing::Presence::inside) > 20);
        CHECK_ABSOLUTE(energy_of(now) - now.inflow_energy, 0.0,
                       1e-5 * (std::abs(now.external_work) + std::abs(now.inflow_energy)));
    }
}

}  // namespace beadwave::validation::mesh_periodic_places_test
