// Bloch waves and modes of crystals and packings, against a dynamical matrix written plainly,
// closed forms, and small waves in the fast engine.

#include "modes/packing_modes.hpp"

#include "beadwave/input_error.hpp"
#include "crystals.hpp"
#include "linear/packing_operator.hpp"
#include "modes/bloch.hpp"
#include "modes/lapack.hpp"
#include "modes/packing_bands.hpp"
#include "modes/primitive_cell.hpp"
#include "packings.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::packing_modes_test {

namespace {

using packing::Lattice;
using packing::Vec3;
using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;
constexpr double overlap = crystal_overlap;

/// The unit vectors to the neighbours of a sphere; those of half of them suffice.
std::vector<Vec3> half_bonds(Lattice lattice) {
    const double h = std::sqrt(3.0) / 2.0, s = std::sqrt(0.5);
    switch (lattice) {
        case Lattice::square:
            return {{1, 0, 0}, {0, 1, 0}};
        case Lattice::hexagonal:
            return {{1, 0, 0}, {0.5, h, 0}, {-0.5, h, 0}};
        case Lattice::simple_cubic:
            return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        default:
            return {{s, s, 0}, {s, -s, 0}, {s, 0, s}, {s, 0, -s}, {0, s, s}, {0, s, -s}};
    }
}

struct Springs {
    double normal, sliding, force;
};

/// Of two equal steel spheres with this overlap: Hertz, and Mindlin without slip.
Springs springs_of(double delta, bool rotates) {
    const double modulus = steel_modulus / (2.0 * (1.0 - steel_ratio * steel_ratio));
    const double contact_radius = std::sqrt(0.5 * steel_radius * delta);
    const double shear = steel_modulus / (2.0 * (1.0 + steel_ratio));
    const double effective_shear = shear / (2.0 * (2.0 - steel_ratio));
    return {.normal = 2.0 * modulus * contact_radius,
            .sliding = rotates ? 8.0 * effective_shear * contact_radius : 0.0,
            .force = 4.0 / 3.0 * modulus * contact_radius * delta};
}

/// Angular frequencies squared of a crystal with one sphere per cell, ascending: three translations
/// and three rotations, from the work of a wave on each bond.
std::vector<double> plain_squares(Lattice lattice, const Vec3& wave, double distance,
                                  const Springs& k) {
    const double mass = steel_mass(steel_radius);
    const double inertia = 0.4 * mass * steel_radius * steel_radius;
    std::vector<Complex> matrix(36);
    for (const Vec3& n : half_bonds(lattice)) {
        const Complex turn = std::polar(1.0, distance * dot(wave, n));
        // The material points at the contact move by u_1 + theta_1 x (n d/2) and
        // u_2 - theta_2 x (n d/2).
        const auto row = [&](const Vec3& along, bool rotations) {
            std::array<Complex, 6> r{};
            const double arm = rotations ? 0.5 * distance : 0.0;
            const Vec3 moment = cross(n, along);  // theta x n . along = theta . (n x along)
            const double a[] = {along.x, along.y, along.z};
            const double b[] = {moment.x, moment.y, moment.z};
            for (std::size_t i = 0; i < 3; ++i) {
                r[i] = (turn - 1.0) * a[i] / std::sqrt(mass);
                r[3 + i] = -arm * (turn + 1.0) * b[i] / std::sqrt(inertia);
            }
            return r;
        };
        const auto add = [&](double stiffness, const std::array<Complex, 6>& r) {
            for (std::size_t i = 0; i < 6; ++i)
                for (std::size_t j = 0; j < 6; ++j)
                    matrix[j * 6 + i] += stiffness * std::conj(r[i]) * r[j];
        };
        add(k.normal, row(n, false));
        const Vec3 other = std::fabs(n.z) < 0.5 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
        Vec3 t = cross(n, other);
        t = t * (1.0 / size_of(t));
        for (const Vec3& across : {t, cross(n, t)}) {
            add(k.sliding, row(across, true));
            add(-k.force / distance, row(across, false));
        }
    }
    return modes::lapack::hermitian(matrix, 6);
}

/// The freedoms of the plane: x, y and the rotation about z, split off by symmetry.
std::vector<double> planar_squares(Lattice lattice, const Vec3& wave, double distance,
                                   const Springs& k) {
    const double mass = steel_mass(steel_radius);
    const double inertia = 0.4 * mass * steel_radius * steel_radius;
    std::vector<Complex> matrix(9);
    for (const Vec3& n : half_bonds(lattice)) {
        const Complex turn = std::polar(1.0, distance * dot(wave, n));
        const Vec3 t{-n.y, n.x, 0.0};
        const auto add = [&](double stiffness, const Vec3& along, double arm) {
            const Complex r[] = {(turn - 1.0) * along.x / std::sqrt(mass),
                                 (turn - 1.0) * along.y / std::sqrt(mass),
                                 -arm * (turn + 1.0) / std::sqrt(inertia)};
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                    matrix[j * 3 + i] += stiffness * std::conj(r[i]) * r[j];
        };
        add(k.normal, n, 0.0);
        add(k.sliding, t, 0.5 * distance);
        add(-k.force / distance, t, 0.0);
    }
    return modes::lapack::hermitian(matrix, 3);
}

}  // namespace

TEST_CASE("crystals: every branch equals a dynamical matrix written plainly") {
    // The overlaps are those of the coordinates, whose rounding is 1e-9 of 20 um.
    const std::array<Vec3, 5> parts{Vec3{0.5, 0, 0}, Vec3{0.5, 0.5, 0}, Vec3{0.1, 0.03, 0.2},
                                    Vec3{-0.27, 0.4, 0.11}, Vec3{0.01, 0.02, 0.003}};
    for (const bool rotates : {false, true}) {
        for (const Lattice lattice :
             {Lattice::square, Lattice::hexagonal, Lattice::simple_cubic, Lattice::fcc}) {
            CAPTURE(static_cast<int>(lattice));
            CAPTURE(rotates);
            const bool planar = packing::is_planar(lattice);
            const packing::Packing p = crystal_of(lattice, {4, 4, planar ? 1 : 3}, rotates, 2e-5);
            const linear::PackingOperator linear = linear::linearise(p, "test");
            const modes::PrimitiveCell cell = modes::primitive_cell(linear).value();
            REQUIRE(cell.bodies.size() == 1);
            const double distance = size_of(p.position[1] - p.position[0]);
            const Springs k = springs_of(2.0 * steel_radius - distance, rotates);
            for (const Vec3& part : parts) {
                Vec3 wave = (2.0 * pi / distance) * part;
                if (planar) wave.z = 0.0;
                const std::vector<double> omega = modes::bloch_frequencies(linear, cell, wave);
                std::vector<double> expected = planar ? planar_squares(lattice, wave, distance, k)
                                                      : plain_squares(lattice, wave, distance, k);
                const double largest = expected.back();
                if (!rotates) {  // rotations have no stiffness
                    std::ranges::sort(expected, {}, [](double x) { return std::fabs(x); });
                    expected.erase(expected.begin(), expected.begin() + (planar ? 1 : 3));
                    std::ranges::sort(expected);
                }
                REQUIRE(omega.size() == expected.size());
                for (std::size_t b = 0; b < omega.size(); ++b)
                    CHECK(std::fabs(std::copysign(omega[b] * omega[b], omega[b]) - expected[b]) <
                          1e-9 * largest);
            }
        }
    }
}

TEST_CASE("crystals: rotations at the wave vector 0, and the zero modes") {
    struct Known {
        Lattice lattice;
        std::size_t zeros;             ///< translations
        std::vector<double> rotation;  ///< squares in k_s/m
        /// Spheres that roll on each other like gears, neighbours in opposite directions: all of a
        /// square lattice; each of three square layers, which may twist against each other.
        std::size_t gears;
    };
    for (const auto& [lattice, zeros, rotation, gears] :
         {Known{Lattice::square, 2, {20}, 1}, Known{Lattice::hexagonal, 2, {30}, 0},
          Known{Lattice::simple_cubic, 3, {20, 20, 20}, 3},
          Known{Lattice::fcc, 3, {40, 40, 40}, 0}}) {
        CAPTURE(static_cast<int>(lattice));
        const packing::Packing p =
            crystal_of(lattice, {4, 4, packing::is_planar(lattice) ? 1 : 3}, true, 2e-5);
        const linear::PackingOperator linear = linear::linearise(p, "test");
        const auto omega =
            modes::bloch_frequencies(linear, modes::primitive_cell(linear).value(), {});
        const double distance = size_of(p.position[1] - p.position[0]);
        const double unit = springs_of(2.0 * steel_radius - distance, true).sliding /
                            steel_mass(steel_radius) *
                            std::pow(distance / (2.0 * steel_radius), 2.0);
        for (std::size_t b = 0; b < zeros; ++b)
            CHECK(omega[b] == 0.0);
        for (std::size_t r = 0; r < rotation.size(); ++r)
            CHECK_RELATIVE(omega[zeros + r] * omega[zeros + r], rotation[r] * unit, 1e-9);
        const modes::Modes m = modes::solve(linear, "test");
        CHECK(m.rigid == zeros + gears);
        CHECK(m.unstable == 0);
        CHECK_RELATIVE(2.0 * pi * m.frequency.back(), omega.back(), 1e-9);
    }
}

TEST_CASE("the modes of a box are the waves that fit into it") {
    const packing::Packing p = crystal_of(Lattice::hexagonal, {4, 4, 1}, true);
    const linear::PackingOperator linear = linear::linearise(p, "test");
    const modes::PrimitiveCell cell = modes::primitive_cell(linear).value();
    std::vector<double> all;
    for (int x = 0; x < 4; ++x) {
        for (int y = 0; y < 4; ++y) {
            const Vec3 wave{2.0 * pi * x / p.box.upper.x, 2.0 * pi * y / p.box.upper.y, 0.0};
            for (const double omega : modes::bloch_frequencies(linear, cell, wave))
                all.push_back(omega / (2.0 * pi));
        }
    }
    std::ranges::sort(all);
    const modes::Modes m = modes::solve(linear, "test");
    REQUIRE(m.frequency.size() == all.size());
    for (std::size_t k = 0; k < all.size(); ++k)
        CHECK(std::fabs(m.frequency[k] - all[k]) < 1e-7 * all.back());
}

TEST_CASE("a damped packing: a chain of spheres in a box has the modes of a damped chain") {
    // Six spheres in a row between walls, pressed together; only x has stiffness.
    packing::Packing p = steel_packing("tsuji");
    const double spacing = 2.0 * steel_radius - overlap;
    for (int i = 0; i < 6; ++i)
        p.add(steel_radius, steel_mass(steel_radius), {i * spacing, 0.0, 0.0});
    // A wall's contact is stiffer by sqrt(2): it carries the same force with less overlap.
    const double at_wall = overlap / std::cbrt(2.0);
    p.walls.push_back(
        {packing::Plane{.point = {-steel_radius + at_wall, 0, 0}, .normal = {1, 0, 0}}});
    p.walls.push_back({packing::Plane{.point = {5 * spacing + steel_radius - at_wall, 0, 0},
                                      .normal = {-1, 0, 0}}});
    const modes::Modes m = modes::solve(linear::linearise(p, "test"), "test");
    // Across the row the pressed spheres buckle: two directions, five of six modes each grow or
    // stay, which leaves the six along the row.
    std::vector<double> along, ratio;
    for (std::size_t k = 0; k < m.frequency.size(); ++k) {
        if (m.frequency[k] == 0.0) continue;
        along.push_back(m.frequency[k]);
        ratio.push_back(m.damping_ratio[k]);
    }
    REQUIRE(along.size() == 6);
    CHECK(m.unstable > 0);
    // The same by a chain with the contacts' slopes.
    const Springs k = springs_of(overlap, false);
    std::vector<double> matrix(36);
    const double wall_spring = k.normal * std::cbrt(2.0);
    for (std::size_t i = 0; i < 6; ++i) {
        matrix[i * 7] = (i == 0 || i == 5 ? wall_spring : k.normal) + k.normal;
        if (i < 5) matrix[i * 6 + i + 1] = matrix[(i + 1) * 6 + i] = -k.normal;
    }
    const std::vector<double> squares = modes::lapack::symmetric(matrix, 6);
    for (std::size_t j = 0; j < 6; ++j) {
        // Weak damping changes the frequency in second order.
        CHECK_RELATIVE(along[j], std::sqrt(squares[j] / steel_mass(steel_radius)) / (2.0 * pi),
                       std::max(1e-6, ratio[j] * ratio[j]));
        CHECK(ratio[j] > 0.0);
    }
}

TEST_CASE("a packing out of equilibrium is moved into it, or refused") {
    // The middle of three spheres is displaced.
    packing::Packing p = steel_packing();
    p.dimension = 2;
    const double spacing = 2.0 * steel_radius - overlap;
    for (int i = 0; i < 3; ++i)
        p.add(steel_radius, steel_mass(steel_radius), {i * spacing + (i == 1 ? 2e-8 : 0.0), 0, 0});
    const double at_wall = overlap / std::cbrt(2.0);
    p.walls.push_back(
        {packing::Plane{.point = {-steel_radius + at_wall, 0, 0}, .normal = {1, 0, 0}}});
    p.walls.push_back({packing::Plane{.point = {2 * spacing + steel_radius - at_wall, 0, 0},
                                      .normal = {-1, 0, 0}}});
    const linear::PackingOperator linear = linear::linearise(p, "test");
    REQUIRE(linear.warnings.size() == 1);
    CHECK(linear.warnings[0].starts_with("the packing was moved into its static equilibrium"));
    for (const linear::Link& link : linear.links)
        CHECK_RELATIVE(link.force, springs_of(overlap, false).force, 1e-6);

    const auto refused = [](const packing::Packing& packing) {
        try {
            linear::linearise(packing, "test");
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    p.gravity = {0.0, -9.81, 0.0};  // nothing holds the row
    CHECK(
        refused(p).starts_with("test: the packing has no static equilibrium nearby: a net force"));
    packing::Packing loose = steel_packing();
    loose.add(steel_radius, 1e-3, {0, 0, 0});
    CHECK(refused(loose).starts_with("test: no contact is closed"));
    loose = crystal_of(Lattice::square, {3, 3, 1}, false);
    loose.walls.push_back({packing::Plane{.point = {0, -1, 0}, .normal = {0, 1, 0}}});
    loose.walls[0].velocity = {0, 1, 0};
    CHECK(refused(loose).starts_with("test: wall 0 moves at a constant velocity"));
}

}  // namespace beadwave::validation::packing_modes_test
