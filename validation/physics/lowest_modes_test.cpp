// The lowest modes alone, by iteration of a subspace, against all modes from the matrices.

#include "modes/lowest_modes.hpp"

#include "crystals.hpp"
#include "largest.hpp"
#include "linear/packing_operator.hpp"
#include "modes/lowest_subspace.hpp"
#include "modes/packing_modes.hpp"
#include "modes/panels/panel_product.hpp"
#include "sanitised.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace beadwave::validation::lowest_modes_test {

namespace {

using packing::Lattice;
constexpr double pi = std::numbers::pi;

/// The lowest modes are the first of all modes, for each of these numbers of modes.
void check_lowest(const linear::PackingOperator& linear, const std::vector<std::size_t>& counts) {
    const modes::Modes all = modes::solve(linear, "test");
    for (const std::size_t count : counts) {
        CAPTURE(count);
        const modes::Modes lowest = modes::solve_lowest(linear, count, 2, "test");
        REQUIRE(lowest.frequency.size() == count);
        CHECK(lowest.rigid == std::min(all.rigid, count));
        CHECK(lowest.unstable == std::min(all.unstable, count));
        CHECK(lowest.warnings.size() == all.warnings.size());
        // The rounding of the matrices' eigenvalues, which are the frequencies squared.
        const double rounding = 1e-13 * all.frequency.back() * all.frequency.back();
        Largest worst;
        for (std::size_t k = 0; k < count; ++k) {
            const double square = all.frequency[k] * all.frequency[k];
            const double error = std::fabs(lowest.frequency[k] * lowest.frequency[k] - square);
            worst.enter((error - rounding) / std::max(square, rounding));
        }
        CHECK(worst < 2e-8);
    }
}

}  // namespace

TEST_CASE("the lowest modes of a crystal are the first of all its modes") {
    for (const bool rotates : {false, true}) {
        CAPTURE(rotates);
        const packing::Packing p = crystal_of(Lattice::fcc, {4, 4, 4}, rotates);
        const linear::PackingOperator linear = linear::linearise(p, "test");
        const modes::Modes all = modes::solve(linear, "test");
        const modes::Modes lowest = modes::solve_lowest(linear, 20, 2, "test");
        REQUIRE(lowest.frequency.size() == 20);
        CHECK(lowest.rigid == 3);
        CHECK(lowest.warnings.empty());
        modes::PanelProduct product(linear, 1);
        for (std::size_t k = 0; k < 20; ++k) {
            CHECK(std::fabs(lowest.frequency[k] - all.frequency[k]) <= 1e-8 * all.frequency[k]);
            // The shape is a mode: A q = omega^2 q with q = u sqrt(m).
            modes::Panel q = product.zeros(), image = product.zeros();
            const std::size_t n = linear.size();
            double size = 0.0, rest = 0.0;
            for (std::size_t i = 0; i < n; ++i)
                q[8 * i] = lowest.shape[k * n + i].real() * std::sqrt(linear.mass[i]);
            product.apply(q, image);
            const double square = std::pow(2.0 * pi * lowest.frequency[k], 2.0);
            for (std::size_t i = 0; i < n; ++i) {
                size += q[8 * i] * q[8 * i];
                rest += std::pow(image[8 * i] - square * q[8 * i], 2.0);
            }
            CHECK(std::sqrt(rest / size) < 1e-4 * std::pow(2.0 * pi * all.frequency[3], 2.0));
        }
    }
}

TEST_CASE("no copy of a multiple frequency is missing from the lowest modes") {
    // The counts end within groups of up to 24 equal frequencies.
    check_lowest(linear::linearise(crystal_of(Lattice::fcc, {3, 3, 3}, true), "test"),
                 {1, 4, 10, 21, 40, 64, 100});
    check_lowest(linear::linearise(crystal_of(Lattice::simple_cubic, {6, 6, 6}, false), "test"),
                 {5, 12, 33, 70});
    check_lowest(linear::linearise(crystal_of(Lattice::hexagonal, {10, 10, 1}, true), "test"),
                 {7, 30, 60});
}

TEST_CASE("the lowest modes of long thin packings, which bend slowly") {
    packing::Packing rod = crystal_of(Lattice::simple_cubic, {20, 2, 2}, true);
    rod.box.upper.y *= 3.0;  // free sides
    rod.box.upper.z *= 3.0;
    check_lowest(linear::linearise(rod, "test"), {20, 50});
    packing::Packing held = crystal_of(Lattice::fcc, {30, 1, 1}, true);
    held.fixed.assign(held.particles(), 0);
    for (std::size_t i = 0; i < 8; ++i)
        held.fixed[i] = 1;
    check_lowest(linear::linearise(held, "test"), {1, 30});
}

TEST_CASE("the lowest modes of a disordered packing with soft contacts and heavy bodies" *
          doctest::skip(sanitised)) {
    // Some contacts are 10,000 times softer than others, some bodies a thousand times heavier: many
    // modes are localised, far below where those of an elastic body are.
    std::mt19937 dice(7);
    const auto unit = [&] { return static_cast<double>(dice()) / 4294967296.0; };
    for (const bool rotates : {false, true}) {
        CAPTURE(rotates);
        linear::PackingOperator linear =
            linear::linearise(crystal_of(Lattice::fcc, {4, 3, 3}, rotates), "test");
        for (linear::Link& link : linear.links) {
            const double factor = std::pow(10.0, -4.0 * unit());
            link.normal_stiffness *= factor;
            link.sliding_stiffness *= factor;
            link.across *= factor;
        }
        const std::size_t c = linear.components();
        for (std::size_t body = 0; body < linear.body.size(); ++body) {
            const double factor = std::pow(10.0, 3.0 * unit());
            for (std::size_t k = 0; k < c; ++k)
                linear.mass[body * c + k] *= factor;
        }
        check_lowest(linear, {3, 20, 61});
    }
}

TEST_CASE("the lowest modes of a packing that buckles begin with those that grow") {
    linear::PackingOperator linear =
        linear::linearise(crystal_of(Lattice::simple_cubic, {6, 6, 6}, false), "test");
    check_lowest(linear, {30});
    for (linear::Link& link : linear.links)
        link.across *= 30.0;
    const modes::Modes all = modes::solve(linear, "test");
    CHECK(all.unstable > 10);
    check_lowest(linear, {8, all.unstable});
}

TEST_CASE("the lowest modes are the same with any number of threads") {
    const linear::PackingOperator linear =
        linear::linearise(crystal_of(Lattice::fcc, {4, 4, 4}, true), "test");
    const modes::Modes one = modes::solve_lowest(linear, 20, 1, "test");
    const modes::Modes three = modes::solve_lowest(linear, 20, 3, "test");
    CHECK(one.frequency == three.frequency);
    CHECK(one.shape == three.shape);
}

}  // namespace beadwave::validation::lowest_modes_test
