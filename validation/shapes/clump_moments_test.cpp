// Mass, centroid and moments of inertia of clumps: a table of closed forms, two methods, other
// frames, and a plain sum over cells.
#include "beadwave/argument_error.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "shape_rows.hpp"
#include "shapes/clump.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::clump_moments_test {
namespace {

using namespace shapes;

std::array<double, 3> sorted_inertia(const Clump& clump) {
    std::array<double, 3> all{clump.inertia.x, clump.inertia.y, clump.inertia.z};
    std::ranges::sort(all);
    return all;
}

/// Balls that overlap three and more at a time.
std::vector<Ball> heap(std::uint64_t seed, std::size_t count) {
    RandomNumbers random(seed);
    std::vector<Ball> balls;
    for (std::size_t i = 0; i < count; ++i)
        balls.push_back({random.direction() * random.between(0.0, 1.0), random.between(0.4, 0.8)});
    return balls;
}

std::vector<Ball> turned(std::vector<Ball> balls, const Quaternion& q, const Vector& by) {
    for (Ball& ball : balls)
        ball.centre = to_space(q, ball.centre) + by;
    return balls;
}

TEST_CASE("two spheres have the volume, centroid and moments of the table") {
    RandomNumbers random(3);
    for (const Row& row : table("shapes/two_sphere_clump.csv")) {
        const double distance = number(row, "distance");
        const Vector first = random.direction(), along = random.direction();
        const std::vector<Ball> balls{{first, number(row, "R1")},
                                      {first + distance * along, number(row, "R2")}};
        const auto clump = make_clump(balls);
        CHECK_RELATIVE(clump->volume, number(row, "volume"), 1e-12);
        const Vector centre = clump->balls[0].centre, across = cross(centre, along);
        CHECK_ABSOLUTE(-dot(centre, along), number(row, "centroid_from_centre_1"), 1e-12);
        CHECK(length(across) < 1e-12);
        CHECK(length(clump->balls[1].centre - centre - distance * along) < 1e-12);
        // One of the principal axes lies along the line.
        const Vector in_axes = to_body(clump->axes, along);
        const std::array<double, 3> inertia{clump->inertia.x, clump->inertia.y, clump->inertia.z};
        const std::array<double, 3> part{in_axes.x, in_axes.y, in_axes.z};
        for (std::size_t k = 0; k < 3; ++k) {
            const bool axis = std::abs(part[k]) > 0.5;
            CHECK_ABSOLUTE(std::abs(part[k]), axis ? 1.0 : 0.0, 1e-7);
            CHECK_RELATIVE(inertia[k],
                           number(row, axis ? "I_axis_over_mass" : "I_across_over_mass"), 1e-12);
        }
        const VolumeMoments slices = moments_by_slices(balls), caps = moments_by_caps(balls);
        CHECK(have_only_caps(balls));
        CHECK_RELATIVE(slices.volume, caps.volume, 1e-12);
        CHECK(length(slices.first - caps.first) < 1e-11);
        CHECK(length(slices.squares - caps.squares) < 1e-11);
        CHECK(length(slices.products - caps.products) < 1e-11);
    }
}

TEST_CASE("a clump of one sphere is a sphere, and keeps the axes that it was given") {
    const std::vector<Ball> balls{{{1e-3, 2e-3, -3e-3}, 2e-3}};
    const auto clump = make_clump(balls);
    CHECK_RELATIVE(clump->volume, 4.0 / 3.0 * std::numbers::pi * 8e-9, 1e-14);
    CHECK_RELATIVE(clump->inertia.x, 0.4 * 4e-6, 1e-14);
    CHECK_RELATIVE(clump->inertia.y, 0.4 * 4e-6, 1e-14);
    CHECK_RELATIVE(clump->inertia.z, 0.4 * 4e-6, 1e-14);
    CHECK(clump->axes == Quaternion{});
    CHECK(length(clump->balls[0].centre) < 1e-18);
    CHECK_RELATIVE(clump->radius, 2e-3, 1e-14);
    CHECK(clump->reach({0.6, 0.0, 0.8}) == clump->radius);
}

TEST_CASE("clumps whose spheres overlap three at a time are the same in every frame") {
    RandomNumbers random(8);
    for (const std::size_t count : {3u, 5u, 12u}) {
        const std::vector<Ball> balls = heap(count, count);
        CHECK_FALSE(have_only_caps(balls));
        const auto one = make_clump(balls);
        Largest volumes, moments, places;
        for (int i = 0; i < 4; ++i) {
            const Quaternion q = random.rotation();
            const auto other = make_clump(turned(balls, q, random.direction()));
            volumes.enter(std::abs(other->volume / one->volume - 1.0));
            for (std::size_t k = 0; k < 3; ++k)
                moments.enter(std::abs(sorted_inertia(*other)[k] / sorted_inertia(*one)[k] - 1.0));
            for (std::size_t b = 0; b < count; ++b)
                places.enter(length(other->balls[b].centre - to_space(q, one->balls[b].centre)));
        }
        MESSAGE(count, ": ", double(volumes), " ", double(moments), " ", double(places));
        CHECK(volumes < 1e-11);
        CHECK(moments < 1e-11);
        CHECK(places < 1e-11);
    }
}

TEST_CASE("spheres inside others change nothing") {
    const std::vector<Ball> two{{{}, 1.0}, {{1.2, 0.0, 0.1}, 0.7}};
    std::vector<Ball> more = two;
    more.push_back({{0.1, 0.2, 0.0}, 0.3});
    more.push_back({{1.2, 0.0, 0.1}, 0.7});
    const auto clump = make_clump(two), same = make_clump(more);
    CHECK(have_only_caps(more));
    CHECK_RELATIVE(same->volume, clump->volume, 1e-14);
    CHECK_RELATIVE(moments_by_slices(more).volume, clump->volume, 1e-12);
    for (std::size_t k = 0; k < 3; ++k)
        CHECK_RELATIVE(sorted_inertia(*same)[k], sorted_inertia(*clump)[k], 1e-14);
}

TEST_CASE("a heap of spheres has the moments that its cells add up to") {
    const std::vector<Ball> balls = heap(4, 4);
    VolumeMoments sum;
    constexpr int cells = 120;  // along each axis; what a cell at the surface is wrong by averages
    constexpr double from = -2.0, size = 4.0 / cells;
    for (int i = 0; i < cells * cells * cells; ++i) {
        const Vector x{from + size * (i % cells + 0.5), from + size * (i / cells % cells + 0.5),
                       from + size * (i / cells / cells + 0.5)};
        const bool inside = std::ranges::any_of(balls, [&](const Ball& ball) {
            const Vector r = x - ball.centre;
            return dot(r, r) < ball.radius * ball.radius;
        });
        if (!inside) continue;
        const double v = size * size * size;
        sum.volume += v;
        sum.first += v * x;
        sum.squares += v * Vector{x.x * x.x, x.y * x.y, x.z * x.z};
        sum.products += v * Vector{x.y * x.z, x.z * x.x, x.x * x.y};
    }
    const VolumeMoments exact = moments_by_slices(balls);
    CHECK_RELATIVE(sum.volume, exact.volume, 1e-3);
    CHECK(length(sum.first - exact.first) < 1e-3 * exact.volume);
    CHECK(length(sum.squares - exact.squares) < 1e-3 * exact.volume);
    CHECK(length(sum.products - exact.products) < 1e-3 * exact.volume);
    CHECK(length(exact.products) > 0.01 * exact.volume);
}

TEST_CASE("a larger clump has its volume, moments and places larger") {
    const auto clump = make_clump(heap(6, 4)), larger = scaled(*clump, 3.0);
    CHECK_RELATIVE(larger->volume, 27.0 * clump->volume, 1e-14);
    CHECK_RELATIVE(larger->inertia.x, 9.0 * clump->inertia.x, 1e-14);
    CHECK_RELATIVE(larger->radius, 3.0 * clump->radius, 1e-14);
    CHECK_RELATIVE(larger->smallest_radius(), 3.0 * clump->smallest_radius(), 1e-14);
    CHECK(larger->axes == clump->axes);
    const Vector n{0.48, -0.6, 0.64};
    CHECK_RELATIVE(larger->reach(n), 3.0 * clump->reach(n), 1e-14);
}

TEST_CASE("what is no clump is refused") {
    const double infinite = std::numeric_limits<double>::infinity();
    const auto refusal = [](const std::vector<Ball>& balls) -> std::string {
        try {
            make_clump(balls);
        } catch (const ArgumentError& error) {
            return error.what();
        }
        return {};
    };
    CHECK(refusal({}) == "has 0 spheres; expected from 1 to 100");
    CHECK(refusal(std::vector<Ball>(101, Ball{{}, 1.0})) ==
          "has 101 spheres; expected from 1 to 100");
    CHECK(refusal({{{}, 1.0}, {{}, 0.0}}) ==
          "has a sphere, number 1, of the radius 0 m; expected a finite number above 0");
    CHECK(refusal({{{}, -1e-3}}) ==
          "has a sphere, number 0, of the radius -0.001 m; expected a finite number above 0");
    CHECK(refusal({{{infinite, 0.0, 0.0}, 1.0}}) ==
          "has a sphere, number 0, whose centre is not finite");
}

}  // namespace
}  // namespace beadwave::validation::clump_moments_test
