// Spheres where two curved walls meet: once on the convex side and where one goes on into the
// other, twice in corners.

#include "largest.hpp"
#include "meshes.hpp"
#include "normal_numbers.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace beadwave::validation::shared_rims_test {

using packing::Revolved;

namespace {

constexpr double g = 9.81;

packing::Wall wall_of(packing::WallShape shape) {
    return {.shape = std::move(shape)};
}

/// The triangles between circles about z, each (height, radius), one after the other.
std::vector<Corners> turned_line(const std::vector<std::array<double, 2>>& circles, int around) {
    std::vector<Corners> all;
    const auto at = [&](std::size_t circle, int k) {
        const double angle = 2.0 * std::numbers::pi * (k % around) / around;
        // Mean radius that of the circle.
        const double bend = std::numbers::pi / around;
        const double radius = circles[circle][1] * (1.0 + bend * bend / 6.0);
        return Vec3{radius * std::cos(angle), radius * std::sin(angle), circles[circle][0]};
    };
    for (std::size_t c = 0; c + 1 < circles.size(); ++c) {
        for (int k = 0; k < around; ++k) {
            if (circles[c][1] > 0.0) {
                add_square(all, at(c, k), at(c, k + 1), at(c + 1, k + 1), at(c + 1, k));
            } else {
                all.push_back({at(c, 0), at(c + 1, k), at(c + 1, k + 1)});
            }
        }
    }
    return all;
}

/// Spheres with spin and friction that roll along a tilted tube.
packing::Packing in_tube(const std::string& law, const Vec3& axis) {
    packing::Packing p = steel_packing(law);
    p.species_list[0].elasticity.youngs_modulus = 1e7;
    p.species_list[0].elasticity.yield_stress = 2e4;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.rolling.coefficient = 0.01;
    p.gravity = {0, 0, -g};
    const Vec3 down{axis.z * axis.x, 0.0, axis.z * axis.z - 1.0};
    const Vec3 out = (1.0 / size_of(down)) * down;
    for (int k = 0; k < 4; ++k) {
        p.add(steel_radius, steel_mass(steel_radius),
              (0.03 - steel_radius) * out + (-0.03 + 0.015 * k) * axis);
        p.velocity.back() = (0.1 + 0.1 * k) * axis + Vec3{0.0, 0.05 * k, 0.0};
        p.angular_velocity.back() = {30.0 * k, -20.0, 10.0};
    }
    return p;
}

/// A hopper of a barrel, a cone, a spout and a bottom, with spheres in it that fall.
packing::Packing hopper(const std::string& law, std::vector<packing::Wall> walls, int spheres) {
    packing::Packing p = steel_packing(law);
    p.species_list[0].elasticity.youngs_modulus = 1e7;
    p.gravity = {0, 0, -g};
    std::uint64_t number = 0;
    const int row = static_cast<int>(std::ceil(std::cbrt(spheres)));
    for (int k = 0; k < spheres; ++k) {
        const auto place = [&](int n) { return 2.2 * steel_radius * (n - 0.5 * (row - 1)); };
        p.add(steel_radius, steel_mass(steel_radius),
              {place(k % row) + 1e-4, place(k / row % row),
               0.03 + place(k / row / row) + 1.1 * steel_radius * row});
        p.velocity.back() = 0.05 * Vec3{normal_number(5, number), normal_number(5, number + 1),
                                        normal_number(5, number + 2)};
        number += 3;
    }
    p.walls = std::move(walls);
    return p;
}

std::vector<packing::Wall> hopper_walls() {
    return {wall_of(Revolved{{0, 0, 0.02}, {0, 0, -1}, 0.025, 0.006, 0.015}),  // a cone downwards
            wall_of(Revolved::cylinder({0, 0, 0.02}, {0, 0, 1}, 0.025, 0.06)),
            wall_of(Revolved::cylinder({0, 0, -0.015}, {0, 0, 1}, 0.006, 0.02)),
            wall_of(Revolved::disc({0, 0, -0.015}, {0, 0, 1}, 0.006))};
}

}  // namespace

TEST_CASE(
    "a rim of two walls gives the force of one contact on its convex side, of two in a corner") {
    const double radius = 0.03, overlap = 1e-5;
    const double hertz = 4.0 / 3.0 * steel_modulus / (2.0 * (1.0 - steel_ratio * steel_ratio)) *
                         std::sqrt(steel_radius) * std::pow(overlap, 1.5);
    struct Case {
        Revolved one, two;
        Vec3 to_sphere;  // from the rim at (radius, 0, 0), of length 1
        std::size_t contacts;
    };
    const Vec3 z{0, 0, 1};
    const double d = std::sqrt(0.5), big = 10.0 * radius;
    const auto can = Revolved::cylinder({0, 0, -big}, z, radius, big);
    const auto lid = Revolved::disc({}, z, radius);
    const Revolved cone{{}, z, radius, radius + big, big};
    const std::vector<Case> cases{
        {can, lid, {d, 0, d}, 1},  // the edge of a can
        {can, lid, {0.6, 0, 0.8}, 1},
        {can, lid, {1.0, 0, 0}, 1},    // beside the can, at its edge
        {can, cone, {-1.0, 0, 0}, 1},  // a funnel, where its spout begins
        {can, cone, {-std::cos(0.3), 0, std::sin(0.3)}, 1},
        {can, Revolved::disc({}, z, 2.0 * radius, radius), {-d, 0, d}, 1},  // a hole in a plate
        {Revolved::cylinder({}, z, radius, big), can, {-1.0, 0, 0}, 1},     // a tube of two tubes
        {Revolved::disc({}, z, radius), Revolved::disc({}, z, big, radius), {0, 0, 1}, 1},
    };
    for (const Case& c : cases) {
        for (const bool swapped : {false, true}) {
            packing::Packing p = steel_packing();
            p.walls = {wall_of(swapped ? c.two : c.one), wall_of(swapped ? c.one : c.two)};
            p.add(steel_radius, steel_mass(steel_radius),
                  Vec3{radius, 0, 0} + (steel_radius - overlap) * c.to_sphere);
            for (const EngineMaker& make : engine_makers) {
                const auto contacts = make(p, 1e-8)->contacts();
                REQUIRE(contacts.size() == c.contacts);
                CHECK_RELATIVE(size_of(contacts[0].normal_force), hertz, 1e-9);
                CHECK_RELATIVE(dot(contacts[0].normal_force, c.to_sphere), hertz, 1e-9);
                CHECK(contacts[0].tangential_force == Vec3{});
            }
        }
    }
    // In the can, in the corner of side and lid; and where a shallow cone goes on from a cylinder:
    // both bear, also where the nearest point of one is at its rim already.
    const double bend = 0.2;
    const Revolved shallow_cone{{}, z, radius, radius - 0.01 * std::tan(bend), 0.01};
    const double h = steel_radius - overlap;
    for (const auto& [other, place, touched] : std::vector<std::tuple<Revolved, Vec3, std::size_t>>{
             {lid, {radius - h, 0, -h}, 2},
             {shallow_cone, {radius - 0.99 * steel_radius, 0, -2e-3 * steel_radius}, 2},
             {shallow_cone, {radius - 0.95 * steel_radius, 0, -0.2 * steel_radius}, 2}}) {
        packing::Packing p = steel_packing();
        p.walls = {wall_of(can), wall_of(other)};
        p.add(steel_radius, steel_mass(steel_radius), place);
        for (const EngineMaker& make : engine_makers)
            CHECK(make(p, 1e-8)->contacts().size() == touched);
    }
}

TEST_CASE("a tube of three tubes acts like one, with the memory of its contacts") {
    const Vec3 axis{0.96, 0.0, -0.28};
    for (const std::string law : {"hertz", "tsuji", "thornton"}) {
        if (sanitised && law != "thornton") continue;
        const packing::Packing whole = [&] {
            packing::Packing p = in_tube(law, axis);
            p.walls = {wall_of(Revolved::cylinder(-0.1 * axis, axis, 0.03, 0.4))};
            return p;
        }();
        packing::Packing parts = whole;
        // One sphere starts at the end of a part. A part may be shorter than a sphere.
        parts.walls = {wall_of(Revolved::cylinder(axis * 0.0, axis, 0.03, 0.3)),
                       wall_of(Revolved::cylinder(-0.1 * axis, axis, 0.03, 0.097)),
                       wall_of(Revolved::cylinder(0.0 * axis, -axis, 0.03, 0.003))};
        for (const EngineMaker& make : engine_makers) {
            const auto a = make(whole, 2e-6), b = make(parts, 2e-6);
            Largest passed, reach;
            for (int k = 0; k < 60; ++k) {
                a->advance(1000);
                b->advance(1000);
                REQUIRE(b->closed_contacts() == a->closed_contacts());
                passed.enter(b->totals().stored_tangential);
            }
            INFO(law);
            CHECK(b->neighbour_list_builds() > 3);
            CHECK(passed > 0.0);
            for (std::size_t i = 0; i < whole.particles(); ++i) {
                reach.enter(dot(a->displacement()[i], axis));
                CHECK_ABSOLUTE(size_of(a->displacement()[i] - b->displacement()[i]), 0.0, 1e-10);
                CHECK_ABSOLUTE(size_of(a->velocity()[i] - b->velocity()[i]), 0.0, 1e-9);
                CHECK_ABSOLUTE(size_of(a->angular_velocity()[i] - b->angular_velocity()[i]), 0.0,
                               1e-6);
            }
            CHECK(reach > 0.04);
            CHECK_RELATIVE(b->totals().dissipated_tangential, a->totals().dissipated_tangential,
                           1e-7);
            CHECK_ABSOLUTE(b->totals().dissipated_normal, a->totals().dissipated_normal,
                           1e-7 * a->totals().dissipated_tangential);
        }
    }
}

TEST_CASE("a hopper of cylinders, cone and disc acts like one of triangles") {
    packing::Packing exact = hopper("hertz", hopper_walls(), 1);
    // It jumps from the cone to the edge of the spout, and off it.
    exact.species_list[0].elasticity.youngs_modulus = 1e6;
    exact.position[0] = {0.012, 0.002, 0.02};
    exact.velocity[0] = {};
    const std::vector<std::array<double, 2>> line{
        {-0.015, 0.0}, {-0.015, 0.006}, {0.005, 0.006}, {0.02, 0.025}, {0.08, 0.025}};
    const auto end = [](const packing::Packing& p, const EngineMaker& make) {
        const auto engine = make(p, 2e-6);
        const double before = energy_of(engine->totals());
        engine->advance(55'000);
        CHECK_ABSOLUTE(energy_of(engine->totals()), before,
                       2e-5 * std::abs(engine->totals().external_work));
        return p.position[0] + engine->displacement()[0];
    };
    for (const EngineMaker& make : engine_makers) {
        const Vec3 place = end(exact, make);
        std::vector<double> error;
        for (const int around : {128, 512}) {
            packing::Packing meshed = exact;
            meshed.walls = {wall_of(mesh_of(turned_line(line, around)))};
            error.push_back(size_of(end(meshed, make) - place));
        }
        MESSAGE("ends at ", place.x, " ", place.y, " ", place.z, ", off by ", error[0], " ",
                error[1], " m");
        // With two contacts at the edge it would be off by 3e-4 m.
        CHECK(error[1] < 1e-5);
        CHECK(error[0] / error[1] > 8.0);
    }
}

TEST_CASE("threads, interruptions and resumption change no bit at shared rims") {
    packing::Packing p = hopper("ma-liu", hopper_walls(), 60);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    for (packing::Wall& wall : p.walls)
        wall.velocity = {0.0, 0.01, 0.0};
    for (std::size_t i = 0; i < p.particles(); ++i) {
        p.position[i].z -= 0.016;
        p.velocity[i].z -= 1.0;
    }
    add_crystal(p, {.lattice = packing::Lattice::simple_cubic,
                    .cells = {13, 13, 13},
                    .origin = {1.0, 1.0, 1.0},
                    .radius = steel_radius});
    const auto one = packing::make_packing_engine(p, 2e-6, 1);
    one->advance(6000);
    REQUIRE(one->neighbour_list_builds() > 5);
    std::size_t in_spout = 0;
    for (std::size_t i = 0; i < 60; ++i)
        in_spout += p.position[i].z + one->displacement()[i].z < 0.004 ? 1 : 0;
    REQUIRE(in_spout > 0);
    const auto more = packing::make_packing_engine(p, 2e-6, 3);
    more->advance(4250);
    more->advance(1);
    const SavedPacking columns = saved(*more);
    const auto again = packing::make_packing_engine(p, 2e-6, 2);
    restore(*again, 4251, columns);
    more->advance(1749);
    again->advance(1749);
    for (const auto* engine : {more.get(), again.get()}) {
        CHECK(engine->velocity() == one->velocity());
        CHECK(engine->angular_velocity() == one->angular_velocity());
        CHECK(engine->totals().external_work == one->totals().external_work);
        CHECK(engine->totals().dissipated_normal == one->totals().dissipated_normal);
    }
}

}  // namespace beadwave::validation::shared_rims_test
