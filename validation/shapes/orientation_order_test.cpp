// How bodies of a packing are oriented, against closed forms.
#include "packing_system/orientation_order.hpp"

#include "clump_packings.hpp"
#include "relative.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace beadwave::validation::orientation_order_test {
namespace {

using namespace shapes;
using std::numbers::pi;

/// From the body's x to this direction in the plane of x and y.
Quaternion in_plane(double angle) {
    return {std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)};
}

packing::Packing bodies(const Vector& semi_axes, const std::vector<Quaternion>& turned) {
    packing::Packing p = shaped_packing(70e9);
    for (std::size_t i = 0; i < turned.size(); ++i) {
        add_body(p, solid(Ellipsoid{.semi_axes = semi_axes,
                                    .centre = {0.01 * static_cast<double>(i), 0.0, 0.0},
                                    .orientation = turned[i]},
                          2500.0));
    }
    return p;
}

struct Order {
    observers::Tensor fabric;
    double nematic;
};

Order order_of(const packing::Packing& p) {
    const auto engine = packing::make_packing_engine(p, 1e-8, 1);
    const observers::MeasuredState now(p, *engine);
    return {observers::orientation_fabric(now), observers::nematic_order(now)};
}

}  // namespace

TEST_CASE("the order of axes is 1 where they are parallel, and that of their angle otherwise") {
    const Vector rod{4e-3, 1e-3, 1.5e-3}, disc{3e-3, 3e-3, 1e-3};
    const Order parallel = order_of(bodies(rod, {in_plane(0.3), in_plane(0.3 + pi)}));
    CHECK_RELATIVE(parallel.nematic, 1.0, 1e-12);
    CHECK_RELATIVE(parallel.fabric[0], std::pow(std::cos(0.3), 2), 1e-12);
    CHECK_RELATIVE(parallel.fabric[1], std::cos(0.3) * std::sin(0.3), 1e-12);
    const Order crossed = order_of(bodies(rod, {in_plane(0.4), in_plane(-0.4)}));
    CHECK_RELATIVE(crossed.nematic, 1.5 * std::pow(std::cos(0.4), 2) - 0.5, 1e-12);
    CHECK_ABSOLUTE(crossed.fabric[1], 0.0, 1e-15);
    // The axis of a disc is its short one, which no turn about it moves.
    const Order discs = order_of(bodies(disc, {in_plane(0.2), in_plane(1.9)}));
    CHECK_RELATIVE(discs.nematic, 1.0, 1e-12);
    CHECK_RELATIVE(discs.fabric[8], 1.0, 1e-12);
    std::vector<Quaternion> fan;
    for (int i = 0; i < 7; ++i)
        fan.push_back(in_plane(0.1 + i * pi / 7));
    CHECK_RELATIVE(order_of(bodies(rod, fan)).nematic, 0.25, 1e-12);
}

TEST_CASE("axes at random have little order, and bodies without an axis do not count") {
    RandomNumbers random(5);
    std::vector<Quaternion> turned;
    for (int i = 0; i < 1500; ++i)
        turned.push_back(random.rotation());
    const packing::Packing rods = bodies({4e-3, 1e-3, 1.5e-3}, turned);
    const Order any = order_of(rods);
    // Three standard deviations of an eigenvalue of the mean of 1500.
    CHECK(std::abs(any.nematic) < 0.05);
    CHECK(any.nematic > 0.0);
    CHECK_RELATIVE(any.fabric[0] + any.fabric[4] + any.fabric[8], 1.0, 1e-12);
    packing::Packing mixed = bodies({4e-3, 1e-3, 1.5e-3}, {in_plane(0.3)});
    add_body(mixed, solid(Ellipsoid{.semi_axes = {1e-3, 1e-3, 1e-3},
                                    .centre = {0.1, 0.0, 0.0},
                                    .orientation = in_plane(1.0)},
                          2500.0));
    CHECK_RELATIVE(order_of(mixed).nematic, 1.0, 1e-12);
    CHECK(order_of(bodies({1e-3, 1e-3, 1e-3}, {in_plane(0.3)})).nematic == 0.0);
}

TEST_CASE("the axis of a clump is the one about which it turns most easily") {
    packing::Packing p = shaped_packing(70e9);
    const std::array<Ball, 2> balls{{{{-1e-3, -1e-3, 0.0}, 1e-3}, {{1e-3, 1e-3, 0.0}, 1e-3}}};
    add_clump(p, make_clump(balls), 2500.0, {}, in_plane(0.5));
    const Order order = order_of(p);
    CHECK_RELATIVE(order.nematic, 1.0, 1e-12);
    const double angle = 0.25 * pi + 0.5;
    CHECK_RELATIVE(order.fabric[0], std::pow(std::cos(angle), 2), 1e-9);
    CHECK_RELATIVE(order.fabric[1], std::cos(angle) * std::sin(angle), 1e-9);
}

}  // namespace beadwave::validation::orientation_order_test
