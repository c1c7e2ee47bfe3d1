// What curved walls answer: closest points against a search over the surface, and how they follow.

#include "normal_numbers.hpp"
#include "packing/walls/wall.hpp"
#include "relative.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::curved_walls_test {

using packing::Revolved;
using packing::SurfacePoint;
using packing::Vec3;

namespace {

const Vec3 axis = (1.0 / 3.0) * Vec3{2.0, -1.0, 2.0}, point{0.3, -0.2, 0.1};
// Across the axis and each other.
const Vec3 first = (1.0 / std::sqrt(5.0)) * Vec3{1.0, 2.0, 0.0}, second = cross(axis, first);

struct Named {
    std::string name;
    Revolved shape;
};

std::vector<Named> shapes() {
    return {{"endless cylinder", Revolved::cylinder(point, axis, 0.4)},
            {"cylinder", Revolved::cylinder(point, axis, 0.4, 0.5)},
            {"disc", Revolved::disc(point, axis, 0.4)},
            {"ring", Revolved::disc(point, axis, 0.4, 0.15)},
            {"cone", {point, axis, 0.1, 0.5, 0.6}},
            {"pointed cone", {point, axis, 0.3, 0.0, 0.4}}};
}

double size(const Vec3& v) {
    return std::sqrt(dot(v, v));
}

/// The smallest distance from a place to points of the surface, by refining a grid.
double searched_distance(const Revolved& s, const Vec3& from) {
    const bool endless = s.is_endless();
    double middle_part = 0.5, middle_angle = 0.0, width = 0.5, turn = std::numbers::pi;
    double best = std::numeric_limits<double>::infinity();
    for (int level = 0; level < 30; ++level) {
        const double part_0 = middle_part, angle_0 = middle_angle;
        for (int i = -20; i <= 20; ++i) {
            const double part = part_0 + width * i / 20.0;
            if (part < 0.0 || part > 1.0) continue;
            const double along = endless ? -3.0 + 6.0 * part : part * s.length;
            const double radius = s.radius_1 + part * (s.radius_2 - s.radius_1);
            for (int k = -20; k <= 20; ++k) {
                const double angle = angle_0 + turn * k / 20.0;
                const Vec3 at = s.point + along * axis + (radius * std::cos(angle)) * first +
                                (radius * std::sin(angle)) * second;
                if (const double distance = size(from - at); distance < best) {
                    best = distance;
                    middle_part = part;
                    middle_angle = angle;
                }
            }
        }
        width *= 0.5;
        turn *= 0.5;
    }
    return best;
}

Vec3 somewhere(std::uint64_t number) {
    return point + 0.4 * Vec3{normal_number(2, 3 * number), normal_number(2, 3 * number + 1),
                              normal_number(2, 3 * number + 2)};
}

}  // namespace

TEST_CASE("no point of a curved wall is closer than the closest one") {
    for (const auto& [name, shape] : shapes()) {
        for (std::uint64_t k = 0; k < 40; ++k) {
            const Vec3 from = somewhere(k);
            const SurfacePoint at = shape.closest(from, {});
            INFO(name, " ", k);
            // A grid of halving width ends at 1e-9 of the size, where the distance is flat.
            CHECK_ABSOLUTE(at.distance, searched_distance(shape, from), 1e-8);
            CHECK_ABSOLUTE(size(from - at.point - at.distance * at.normal), 0.0, 1e-14);
            CHECK_ABSOLUTE(size(at.normal), 1.0, 1e-14);
            // The closest point is on the surface.
            CHECK_ABSOLUTE(shape.closest(at.point, {}).distance, 0.0, 1e-14);
        }
    }
}

TEST_CASE("the closest point of a curved wall follows particle and wall") {
    for (const auto& [name, shape] : shapes()) {
        for (std::uint64_t k = 0; k < 40; ++k) {
            const Vec3 reference = somewhere(k), from{0.02, 0.01, -0.03};
            for (const double length : {0.3, 1e-3}) {
                const Vec3 step = length * (somewhere(k + 100) - point),
                           moved = length * (somewhere(k + 200) - point);
                const Vec3 expected = shape.closest(reference + step, from + moved).point -
                                      shape.closest(reference, from).point;
                const Vec3 follows =
                    shape.follow(shape.start(reference, from), reference, step, from, moved);
                INFO(name, " ", k, " ", length);
                CHECK_ABSOLUTE(size(follows - expected), 0.0, 2e-15);
            }
        }
    }
}

TEST_CASE("a tiny step on a curved wall keeps its digits") {
    // Outside of a cylinder the closest point moves along the axis with the particle, and across
    // it by the ratio of the distances from the axis.
    const Revolved cylinder = Revolved::cylinder(point, axis, 0.4);
    const double tiny = 1e-30;
    const Vec3 reference = point + 0.7 * axis + 0.9 * first;
    const Vec3 step = tiny * (3.0 * axis + 5.0 * first + 2.0 * second);
    const Vec3 expected = tiny * (3.0 * axis + (2.0 * 0.4 / 0.9) * second);
    CHECK_ABSOLUTE(
        size(cylinder.follow(cylinder.start(reference, {}), reference, step, {}, {}) - expected),
        0.0, 1e-14 * tiny);
    // With the wall it moves by all of it.
    CHECK_ABSOLUTE(
        size(cylinder.follow(cylinder.start(reference, {}), reference, step, {}, step) - step), 0.0,
        1e-14 * tiny);
}

TEST_CASE("numbers that make no curved wall are faults") {
    CHECK(Revolved::cylinder({}, axis, 0.1).fault() == nullptr);
    CHECK(Revolved::disc({}, axis, 0.1, 0.05).fault() == nullptr);
    CHECK(std::string(Revolved::disc({}, 2.0 * axis, 0.1).fault()) == "axis is not of unit length");
    CHECK(std::string(Revolved::disc({}, axis, 0.1, 0.1).fault()) == "has no surface");
    CHECK(std::string(Revolved::cylinder({}, axis, 0.0, 1.0).fault()) == "has no surface");
    CHECK(std::string(Revolved::cylinder({}, axis, 0.0).fault()) == "is endless, but no cylinder");
    CHECK(std::string(Revolved::cylinder({}, axis, -1.0, 1.0).fault()) ==
          "a radius or the length is not a number, 0 or larger");
}

}  // namespace beadwave::validation::curved_walls_test
