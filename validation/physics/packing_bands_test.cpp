// Bands of endless crystals: group velocities, their edges, grids of wave vectors, smallest cells,
// and the lowest modes and responses of packings without all modes.

#include "modes/packing_bands.hpp"

#include "beadwave/input_error.hpp"
#include "crystals.hpp"
#include "largest.hpp"
#include "linear/packing_operator.hpp"
#include "modes/bloch.hpp"
#include "modes/lowest_modes.hpp"
#include "modes/packing_modes.hpp"
#include "modes/packing_transfer.hpp"
#include "modes/primitive_cell.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "splitmix.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadwave::validation::packing_bands_test {

namespace {

using packing::Lattice;
using packing::Vec3;
constexpr double pi = std::numbers::pi;

modes::Dispersion bands_of(const linear::PackingOperator& linear,
                           const modes::WaveVectors& wanted = {}) {
    return modes::dispersion(linear, wanted, "test").value();
}

/// Hertz's spring of two steel spheres [N/m], and Mindlin's over it.
double spring() {
    return steel_modulus / (1.0 - steel_ratio * steel_ratio) * std::sqrt(0.5 * steel_radius * 2e-7);
}
constexpr double sliding_over_normal = 2.0 * (1.0 - steel_ratio) / (2.0 - steel_ratio);

}  // namespace

TEST_CASE("group velocities are the slopes of the frequencies, in every direction") {
    for (const Lattice lattice : {Lattice::square, Lattice::hexagonal, Lattice::fcc}) {
        CAPTURE(static_cast<int>(lattice));
        const bool planar = packing::is_planar(lattice);
        const linear::PackingOperator linear =
            linear::linearise(crystal_of(lattice, {4, 4, planar ? 1 : 3}, true), "test");
        const modes::PrimitiveCell cell = modes::primitive_cell(linear).value();
        const double size = 2.0 * steel_radius;
        for (Vec3 wave : {Vec3{0.3, 0.1, 0.2}, Vec3{1.1, -0.7, 0.4}, Vec3{2.0, 2.3, -1.7}}) {
            wave = wave * (1.0 / size);
            if (planar) wave.z = 0.0;
            const modes::BlochWaves waves = modes::bloch_waves(linear, cell, wave, {1, 0, 0});
            const double fastest = waves.omega.back() * size;
            for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
                if (planar && axis.z != 0.0) continue;
                const double step = 1e-4 / size;
                const auto above = modes::bloch_frequencies(linear, cell, wave + step * axis);
                const auto below = modes::bloch_frequencies(linear, cell, wave - step * axis);
                for (std::size_t b = 0; b < waves.omega.size(); ++b) {
                    // The difference is wrong by its third derivative times the step squared / 6.
                    const double slope = (above[b] - below[b]) / (2.0 * step);
                    CHECK(std::fabs(dot(waves.velocity[b], axis) - slope) < 1e-7 * fastest);
                }
            }
        }
    }
}

TEST_CASE("the path starts with the speeds of sound, and two branches that meet keep theirs") {
    // fcc along [100]: c_L^2 = (k_n + k_s) a^2/m, c_T^2 = half of it, twice; a = 2 R. The static
    // force adds its share of the spring, 3e-5.
    const linear::PackingOperator linear =
        linear::linearise(crystal_of(Lattice::fcc, {3, 3, 3}, true), "test");
    const modes::PrimitiveCell cell = modes::primitive_cell(linear).value();
    const double unit = 2.0 * steel_radius * std::sqrt(spring() / steel_mass(steel_radius));
    const double k = 1.0 + sliding_over_normal;
    const modes::BlochWaves sound = modes::bloch_waves(linear, cell, {}, {1, 0, 0});
    CHECK_RELATIVE(sound.velocity[0].x, unit * std::sqrt(0.5 * k), 1e-4);
    CHECK_RELATIVE(sound.velocity[1].x, unit * std::sqrt(0.5 * k), 1e-4);
    CHECK_RELATIVE(sound.velocity[2].x, unit * std::sqrt(k), 1e-4);
    // Along the path from 0 the velocity is the slope of the frequency over the path, also at 0.
    const modes::Dispersion d = bands_of(linear);
    REQUIRE(d.group_velocity.size() == 3 * d.frequency.size());
    const std::size_t n = d.branches;
    for (std::size_t b = 0; b < 3; ++b) {
        const auto along = [&](std::size_t p) {
            const Vec3 way{d.wave_vector[3] - d.wave_vector[0], d.wave_vector[4] - d.wave_vector[1],
                           d.wave_vector[5] - d.wave_vector[2]};
            const double* v = d.group_velocity.data() + 3 * (p * n + b);
            return dot(Vec3{v[0], v[1], v[2]}, way) / size_of(way);
        };
        const double step = size_of({d.wave_vector[3], d.wave_vector[4], d.wave_vector[5]});
        const double slope = 2.0 * pi * d.frequency[n + b] / step;
        CHECK_RELATIVE(along(0), slope, 1e-3);  // it bends as the step squared / 24
    }
    // Where a wave has no direction, it has no velocity.
    const modes::BlochWaves still = modes::bloch_waves(linear, cell, {}, {});
    CHECK(std::isnan(still.velocity[0].x));
}

TEST_CASE("band edges of a hexagonal crystal at the corner of its zone") {
    // Two masses on springs along three bonds: omega^2 at K is 4.5 k/m, twice, where the lower
    // branch is highest. K is at thirds of the reciprocal vectors, beside any power of two.
    const linear::PackingOperator linear =
        linear::linearise(crystal_of(Lattice::hexagonal, {6, 6, 1}, false), "test");
    const modes::Dispersion d = bands_of(linear);
    REQUIRE(d.bands.size() == 2);
    const double unit = std::sqrt(spring() / steel_mass(steel_radius)) / (2.0 * pi);
    CHECK_RELATIVE(d.bands[0].upper, std::sqrt(4.5) * unit, 1e-4);
    CHECK_RELATIVE(d.bands[1].upper, std::sqrt(6.0) * unit, 1e-4);
    const modes::PrimitiveCell cell = modes::primitive_cell(linear).value();
    const double a = 2.0 * steel_radius - 2e-7;
    const auto corner = modes::bloch_frequencies(linear, cell, {4.0 * pi / (3.0 * a), 0, 0});
    CHECK_RELATIVE(2.0 * pi * d.bands[0].upper, corner[0], 1e-8);

    // Where the extremum is at no point of symmetry it is found too: no wave of a fine grid is
    // outside of the bands, and the edges are reached within the grid's spacing squared.
    const linear::PackingOperator rotates =
        linear::linearise(crystal_of(Lattice::hexagonal, {6, 6, 1}, true), "test");
    const modes::Dispersion all = bands_of(rotates, {.corners = {}, .grid = {61, 61, 1}});
    for (std::size_t b = 0; b < 3; ++b) {
        double lowest = INFINITY;
        Largest highest;
        for (std::size_t p = 0; p < 61 * 61; ++p) {
            lowest = std::min(lowest, all.grid->frequency[p * 3 + b]);
            highest.enter(all.grid->frequency[p * 3 + b]);
        }
        CHECK(all.bands[b].lower <= lowest);
        CHECK(all.bands[b].upper >= highest);
        CHECK_RELATIVE(all.bands[b].upper, highest, 1e-2);
    }
}

TEST_CASE("a grid holds the waves of the whole zone") {
    const linear::PackingOperator linear =
        linear::linearise(crystal_of(Lattice::square, {4, 4, 1}, true), "test");
    const modes::Dispersion d = bands_of(linear, {.corners = {}, .grid = {4, 6, 1}, .threads = 2});
    REQUIRE(d.grid.has_value());
    const modes::PrimitiveCell cell = modes::primitive_cell(linear).value();
    REQUIRE(d.grid->frequency.size() == 24 * 3);
    for (std::size_t p = 0; p < 24; ++p) {
        const Vec3 wave{d.grid->wave_vector[3 * p], d.grid->wave_vector[3 * p + 1], 0.0};
        for (std::size_t k = 0; k < 2; ++k) {
            const Vec3 a{d.lattice[k][0], d.lattice[k][1], d.lattice[k][2]};
            const double part = dot(wave, a) / (2.0 * pi);
            const double expected =
                k == 0 ? static_cast<double>(p / 6) / 4.0 : static_cast<double>(p % 6) / 6.0;
            CHECK(std::fabs(part - expected) < 1e-12);
        }
        const auto omega = modes::bloch_frequencies(linear, cell, wave);
        for (std::size_t b = 0; b < 3; ++b) {
            CHECK_RELATIVE(2.0 * pi * d.grid->frequency[3 * p + b] + 1.0, omega[b] + 1.0, 1e-12);
            const double* v = d.grid->group_velocity.data() + 3 * (3 * p + b);
            CHECK(std::isnan(v[0]) == (omega[b] == 0.0));
        }
    }
    const auto again = bands_of(linear, {.corners = {}, .grid = {4, 6, 1}, .threads = 1});
    CHECK(again.grid->frequency == d.grid->frequency);
    for (std::size_t b = 0; b < 3; ++b) {
        CHECK(again.bands[b].lower == d.bands[b].lower);
        CHECK(again.bands[b].upper == d.bands[b].upper);
    }
    try {
        bands_of(linear, {.corners = {}, .grid = {10000, 10000, 1}});
        CHECK(false);
    } catch (const InputError& error) {
        CHECK(std::string(error.what()) ==
              "test: --grid: 100000000 wave vectors of 3 branches are too many; expected at most "
              "20000000 frequencies");
    }
}

TEST_CASE("the smallest cell of a crystal with a vacancy is the box") {
    packing::Packing p = crystal_of(Lattice::square, {4, 4, 1}, true);
    packing::Packing holed = steel_packing();
    holed.dimension = 2;
    holed.box = p.box;
    holed.friction = p.friction;
    for (std::size_t i = 0; i < p.particles(); ++i)
        if (i != 5) holed.add(p.radius[i], p.mass[i], p.position[i]);
    // Its rows stay in equilibrium: each neighbour of the hole is still pressed from two sides of
    // the other axis only, so fix the two rows and columns around it.
    for (std::size_t i = 0; i < holed.particles(); ++i)
        holed.fixed.push_back(0);
    for (const std::size_t i : {1u, 4u, 5u, 8u})
        holed.fixed[i] = 1;
    const linear::PackingOperator linear = linear::linearise(holed, "test");
    CHECK(linear.body.size() == 11);
    const auto cell = modes::primitive_cell(linear);
    REQUIRE(cell.has_value());
    CHECK(cell->bodies.size() == 11);
    CHECK_FALSE(modes::primitive_cell(linear, 10).has_value());
}

TEST_CASE("the lowest modes with particles that touch nothing") {
    packing::Packing p = crystal_of(Lattice::fcc, {4, 4, 4}, true);
    const linear::PackingOperator crystal = linear::linearise(p, "test");
    const modes::Modes alone = modes::solve_lowest(crystal, 12, 2, "test");
    // Small spheres in the octahedral holes of the crystal: half of the box along each axis of a
    // conventional cell.
    const double half = 0.125 * p.box.upper.x;
    for (int i = 0; i < 4; ++i)
        p.add(0.2 * steel_radius, 1e-6, {half, 0.0, 2.0 * half * i});
    const linear::PackingOperator linear = linear::linearise(p, "test");
    const modes::Modes m = modes::solve_lowest(linear, 36, 2, "test");
    REQUIRE(m.frequency.size() == 36);
    CHECK(m.rigid == 27);  // six of each, and the crystal's three
    CHECK(m.warnings.size() == 1);
    for (std::size_t k = 0; k < 12; ++k)
        CHECK(std::fabs(m.frequency[24 + k] - alone.frequency[k]) <= 1e-7 * alone.frequency[k]);
    for (std::size_t k = 24; k < 36; ++k) {  // the crystal's modes leave them at rest
        for (std::size_t i = crystal.size(); i < linear.size(); ++i)
            CHECK(std::abs(m.shape[k * linear.size() + i]) < 1e-9);
    }
    // So many that there is nothing else among the lowest.
    const modes::Modes few = modes::solve_lowest(linear, 5, 2, "test");
    CHECK(few.rigid == 5);
}

TEST_CASE("damping ratios of the lowest modes are those of all modes to first order") {
    packing::Packing p = crystal_of(Lattice::square, {6, 6, 1}, true);
    p.law = law_settings("tsuji", {{"restitution", 0.99}});
    const linear::PackingOperator linear = linear::linearise(p, "test");
    const modes::Modes all = modes::solve(linear, "test");
    std::size_t count = 10;  // whole groups of equal frequencies, which share their damping
    while (all.frequency[count] < 1.001 * all.frequency[count - 1])
        ++count;
    REQUIRE(count < 30);
    const modes::Modes lowest = modes::solve_lowest(linear, count, 1, "test");
    REQUIRE(lowest.damping_ratio.size() == count);
    CHECK(lowest.warnings.back().starts_with(
        "damped modes are computed with all modes only: the frequencies are those without"));
    double sum_all = 0.0, sum_lowest = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
        sum_all += all.damping_ratio[k];
        sum_lowest += lowest.damping_ratio[k];
        const double ratio = all.damping_ratio[k];
        CHECK(std::fabs(lowest.frequency[k] - all.frequency[k]) <=
              (1e-7 + ratio * ratio) * all.frequency[k]);
    }
    CHECK(sum_all > 1e-4);
    CHECK_RELATIVE(sum_lowest, sum_all, 1e-4);
}

TEST_CASE("the response without all modes is that of all modes") {
    packing::Packing p = crystal_of(Lattice::square, {5, 6, 1}, true);
    const linear::PackingOperator linear = linear::linearise(p, "test");
    const modes::Modes all = modes::solve(linear, "test");
    const modes::Modes lowest = modes::solve_lowest(linear, 4, 1, "test");
    const modes::TransferRequest request{
        .input = "7 x", .frequency = {3e3, 21e3, 55e3, 140e3}, .sensors = {0, 7, 12, 29}};
    const modes::Transfer by_modes = modes::transfer(linear, all, request, "test");
    const modes::Transfer sparse = modes::transfer(linear, lowest, request, "test");
    Largest largest, worst;
    for (std::size_t k = 0; k < by_modes.displacement.size(); ++k) {
        largest.enter(std::abs(by_modes.displacement[k]));
        worst.enter(std::abs(by_modes.displacement[k] - sparse.displacement[k]));
    }
    CHECK(worst < 1e-9 * largest);
}

TEST_CASE("a caller can end the work on modes") {
    const linear::PackingOperator linear =
        linear::linearise(crystal_of(Lattice::fcc, {4, 4, 4}, true), "test");
    int calls = 0;
    const modes::Stop stop = [&] { return ++calls > 3; };
    CHECK_THROWS_WITH_AS(modes::solve_lowest(linear, 20, 1, "test", stop), "interrupted",
                         std::runtime_error);
    CHECK(calls > 3);
}

}  // namespace beadwave::validation::packing_bands_test
