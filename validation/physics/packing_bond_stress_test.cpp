// The stress of packings with bonds against closed forms: bonded lattices and rows that stretch and
// shear by a known strain, the power of the stress against the ledger, and bonds that break.

#include "crystals.hpp"
#include "largest.hpp"
#include "packing_engines.hpp"
#include "packing_system/fields.hpp"
#include "packing_system/packing_measures.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"
#include "torn_crystal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace beadwave::validation::packing_bond_stress_test {

using observers::MeasuredState;
using observers::Tensor;
using packing::Packing;
using packing::Vec3;

namespace {

// Spheres with a gap of cement, so that they never touch.
constexpr double radius = 2e-3, length = 4.1e-3, modulus = 2e9, ratio = 2.5, factor = 0.8;
const double area = std::numbers::pi * factor * factor * radius * radius;
constexpr std::size_t side = 5;
/// Of the region in the middle of the lattice: 27 particles.
constexpr double edge = 3.0 * length, corner = 0.5 * length;

/// The gradient of a motion, row by row: component i along j [1/s].
using Gradient = std::array<double, 9>;

Vec3 times(const Gradient& l, const Vec3& r) {
    return {l[0] * r.x + l[1] * r.y + l[2] * r.z, l[3] * r.x + l[4] * r.y + l[5] * r.z,
            l[6] * r.x + l[7] * r.y + l[8] * r.z};
}

/// The inverse of 1 + gradient * time, by minors.
Gradient inverse_of_stretch(const Gradient& gradient, double time) {
    Gradient a = gradient;
    for (std::size_t i = 0; i < 9; ++i)
        a[i] = time * a[i] + (i % 4 == 0 ? 1.0 : 0.0);
    Gradient minors{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            const std::size_t r = (j + 1) % 3, s = (j + 2) % 3, u = (i + 1) % 3, v = (i + 2) % 3;
            minors[3 * i + j] = a[3 * r + u] * a[3 * s + v] - a[3 * r + v] * a[3 * s + u];
        }
    }
    const double det = a[0] * minors[0] + a[1] * minors[3] + a[2] * minors[6];
    for (double& each : minors)
        each /= det;
    return minors;
}

void join(Packing& p, std::size_t first, std::size_t second, double strength) {
    p.elements.bonds.push_back({.first = first,
                                .second = second,
                                .radius_factor = factor,
                                .youngs_modulus = modulus,
                                .stiffness_ratio = ratio,
                                .tensile_strength = strength});
}

/// A simple cubic lattice whose neighbours are bonded; strengths of its bonds along x change with
/// the plane. Its spheres move with the gradient, as they are told, and do not rotate.
Packing lattice(const Gradient& gradient, const std::array<double, 2>& strengths = {
                                              std::numeric_limits<double>::infinity(),
                                              std::numeric_limits<double>::infinity()}) {
    Packing p = steel_packing();
    const auto index = [](std::size_t x, std::size_t y, std::size_t z) {
        return (x * side + y) * side + z;
    };
    for (std::size_t x = 0; x < side; ++x)
        for (std::size_t y = 0; y < side; ++y)
            for (std::size_t z = 0; z < side; ++z)
                p.add(radius, 2.7e-4,
                      {length * static_cast<double>(x), length * static_cast<double>(y),
                       length * static_cast<double>(z)});
    for (std::size_t x = 0; x < side; ++x) {
        for (std::size_t y = 0; y < side; ++y) {
            for (std::size_t z = 0; z < side; ++z) {
                if (x + 1 < side) join(p, index(x, y, z), index(x + 1, y, z), strengths[y % 2]);
                if (y + 1 < side) join(p, index(x, y, z), index(x, y + 1, z), strengths[0]);
                if (z + 1 < side) join(p, index(x, y, z), index(x, y, z + 1), strengths[0]);
            }
        }
    }
    for (std::size_t i = 0; i < p.particles(); ++i) {
        p.velocity[i] = times(gradient, p.position[i]);
        packing::PrescribedMotion motion;
        motion.along = {stepping::Drive::steady(p.velocity[i].x),
                        stepping::Drive::steady(p.velocity[i].y),
                        stepping::Drive::steady(p.velocity[i].z)};
        p.elements.motions.push_back(motion);
        p.elements.driven.push_back({.particle = i, .motion = i});
    }
    p.region = {.lower = {corner, corner, corner},
                .upper = {corner + edge, corner + edge, corner + edge}};
    return p;
}

}  // namespace

TEST_CASE("a bonded lattice that stretches has the stress E A/l^2 times its strain") {
    const double strain = 2e-4, dt = 1e-6;
    constexpr int steps = 200;
    const Packing p = lattice({strain / (steps * dt), 0, 0, 0, 0, 0, 0, 0, 0});
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, dt);
        engine->advance(steps);
        const MeasuredState now(p, *engine);
        CHECK(now.particles == 27.0);
        CHECK(now.bonds.size() == p.elements.bonds.size());
        // One bond of the length l (1 + e) and the tension (E A/l) l e for each cube of edge l.
        const double expected = modulus * area * strain * (1.0 + strain) / (length * length);
        const Tensor bonds = bond_stress(now), all = stress(now), kinetic = kinetic_stress(now);
        for (std::size_t i = 0; i < 9; ++i) {
            CHECK_ABSOLUTE(bonds[i], i == 0 ? expected : 0.0, 1e-10 * std::fabs(expected));
            CHECK_ABSOLUTE(all[i] - bonds[i] - kinetic[i], 0.0, 1e-13 * std::fabs(expected));
            CHECK(contact_stress(now)[i] == 0.0);
        }
        // Planes of nine particles with the velocities -l, 0 and l times the rate.
        const double speed = strain / (steps * dt) * length;
        CHECK_RELATIVE(-kinetic[0], 18.0 * 2.7e-4 * speed * speed / std::pow(edge, 3), 1e-10);
        CHECK(-kinetic[0] > 1e-9 * std::fabs(expected));
        // Bonds are no contacts, but hold what they join.
        CHECK(coordination_number(now) == 0.0);
        CHECK(rattlers(now) == 0.0);
        CHECK(fabric(now) == Tensor{});
    }
}

TEST_CASE("the field of the stress of bonds sums to tension times length of all bonds") {
    const double strain = 2e-4, dt = 1e-6;
    constexpr int steps = 200;
    Packing p = lattice({strain / (steps * dt), 0, 0, 0, 0, 0, 0, 0, 0});
    const double beyond = 2.0 * length, end = (static_cast<double>(side) - 1.0) * length + beyond;
    p.region = {.lower = {-beyond, -beyond, -beyond}, .upper = {end, end, end}};
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, dt);
        engine->advance(steps);
        observers::Fields fields({{9, 10, 11}, 0.5 * length}, p);
        fields.take(MeasuredState(p, *engine), *engine);
        const auto stress = fields.numbers("field_bond_stress");
        REQUIRE(stress.size() == std::size_t{9 * 9 * 10 * 11});
        const auto count = static_cast<double>((side - 1) * side * side);
        const double expected = count * modulus * area * strain * length * (1.0 + strain);
        for (std::size_t k = 0; k < 9; ++k) {
            double sum = 0.0;
            for (std::size_t i = k; i < stress.size(); i += 9)
                sum += stress[i];
            CHECK_ABSOLUTE(sum * fields.cell_volume(), k == 0 ? expected : 0.0,
                           1e-10 * std::fabs(expected));
        }
        // The planes that are stretched are between the first and the last particles.
        const double middle = stress[9 * (4 * 110 + 5 * 11 + 5)];
        CHECK_RELATIVE(middle, modulus * area * strain / (length * length), 0.1);
        CHECK(std::fabs(stress[0]) < 1e-3 * std::fabs(middle));  // a corner of the grid
    }
}

TEST_CASE("a bonded lattice that shears has the stress of springs that turn") {
    // The motion along x grows with y. The bonds along y turn by the angle t, tan t = g, and
    // stretch; the slip across them makes the shear force k_s l arsinh g.
    const double shear = 1e-2, dt = 1e-6;
    constexpr int steps = 1000;
    const Packing p = lattice({0, shear / (steps * dt), 0, 0, 0, 0, 0, 0, 0});
    const double k_n = modulus * area / length, k_s = k_n / ratio;
    const double cosine = 1.0 / std::sqrt(1.0 + shear * shear), sine = shear * cosine;
    const double pull = k_n * length * (1.0 / cosine - 1.0),
                 across = k_s * length * std::asinh(shear);
    const double along_x = across * cosine + pull * sine, along_y = -across * sine + pull * cosine;
    const double l2 = length * length;
    const Tensor expected{along_x * shear / l2,
                          along_x / l2,
                          0.0,
                          along_y * shear / l2,
                          along_y / l2,
                          0.0,
                          0.0,
                          0.0,
                          0.0};
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, dt);
        engine->advance(steps);
        const MeasuredState now(p, *engine);
        const Tensor bonds = bond_stress(now), all = stress(now), kinetic = kinetic_stress(now);
        for (std::size_t i = 0; i < 9; ++i)  // the slip of a step is that of its middle
            CHECK_ABSOLUTE(bonds[i], expected[i], 1e-9 * std::fabs(expected[1]));
        // The spheres do not turn, so moments from outside act: the stress is not symmetric. What
        // is recorded as stress is the symmetric part.
        CHECK(std::fabs(bonds[1] - bonds[3]) > 0.9 * std::fabs(bonds[1]));
        CHECK_RELATIVE(all[1] - 0.5 * (kinetic[1] + kinetic[3]), 0.5 * (bonds[1] + bonds[3]),
                       1e-12);
        CHECK(all[1] == all[3]);
    }
}

TEST_CASE("a bonded row under tension has the stress of its tension over its area") {
    Packing p = steel_packing();
    constexpr std::size_t spheres = 12;
    const double rate = 3.0;
    for (std::size_t i = 0; i < spheres; ++i) {
        p.add(radius, 2.7e-4, {length * static_cast<double>(i), 0.0, 0.0});
        p.velocity[i] = {rate * length * static_cast<double>(i), 0.0, 0.0};
        if (i > 0) join(p, i - 1, i, std::numeric_limits<double>::infinity());
        if (i > 0 && i + 1 < spheres) continue;
        packing::PrescribedMotion motion;  // of the ends, across too
        motion.along = {stepping::Drive::steady(p.velocity[i].x), stepping::Drive::steady(0.0),
                        stepping::Drive::steady(0.0)};
        p.elements.driven.push_back({.particle = i, .motion = p.elements.motions.size()});
        p.elements.motions.push_back(motion);
    }
    // Four spheres, with the bonds between their middles.
    p.region = {.lower = {3.5 * length, -length, -length}, .upper = {7.5 * length, length, length}};
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 1e-7);
        engine->advance(1000);
        const MeasuredState now(p, *engine);
        REQUIRE(now.particles == 4.0);
        const double strain = rate * 1e-4, tension = engine->elements().bonds().tension(5);
        CHECK_RELATIVE(tension, modulus * area * strain, 1e-9);
        CHECK_RELATIVE(bond_stress(now)[0] * 4.0 * length * length, tension * (1.0 + strain), 1e-9);
    }
}

TEST_CASE("a bond of unequal spheres acts on each at the distance of its radius") {
    const double large = 2.0 * radius, strain = 1e-4, dt = 1e-7;
    constexpr int steps = 1000;
    Packing p = steel_packing();
    p.add(radius, 2.7e-4, {0, 0, 0});
    p.add(large, 8.0 * 2.7e-4, {radius + large, 0, 0});
    join(p, 0, 1, std::numeric_limits<double>::infinity());
    const double apart = radius + large, speed = strain * apart / (steps * dt);
    p.elements.motions.push_back({.along = {stepping::Drive::steady(0.0)}});
    p.elements.motions.push_back({.along = {stepping::Drive::steady(speed)}});
    p.velocity[1].x = speed;
    for (std::size_t i = 0; i < 2; ++i)
        p.elements.driven.push_back({.particle = i, .motion = i});
    for (const EngineMaker& make : engine_makers) {
        for (const double own : {radius, large}) {
            // Around one of them only.
            const double centre = own == radius ? 0.0 : apart;
            p.region = {.lower = {centre - own, -large, -large},
                        .upper = {centre + own, large, large}};
            const auto engine = make(p, dt);
            engine->advance(steps);
            const MeasuredState now(p, *engine);
            REQUIRE(now.particles == 1.0);
            const double tension = engine->elements().bonds().tension(0);
            REQUIRE(tension > 0.0);
            const double volume = 2.0 * own * 16.0 * radius * radius;
            CHECK_RELATIVE(bond_stress(now)[0], tension * own * (1.0 + strain) / volume, 1e-10);
        }
    }
}

TEST_CASE("the power of the stress is that of the motion from outside, moments included") {
    // All particles move with the gradient L of their first places and do not turn. The gradient of
    // their present places is G = L (1 + L t)^-1, and the work from outside is the integral of
    // V sigma:G, with the stress that is not symmetrised.
    const double dt = 2e-7;
    constexpr int steps = 500;
    const Gradient gradient{20.0, 30.0, -5.0, 12.0, -15.0, 4.0, 3.0, 25.0, 8.0};
    Packing p = lattice(gradient);
    p.region = {.lower = {-length, -length, -length},
                .upper = {7.0 * length, 7.0 * length, 7.0 * length}};
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, dt);
        const double start = engine->totals().external_work;
        double work = 0.0, before = 0.0;
        for (int step = 1; step <= steps; ++step) {
            engine->advance(1);
            const MeasuredState now(p, *engine);
            REQUIRE(now.particles == 125.0);
            const Tensor bonds = bond_stress(now);
            const Gradient inverse = inverse_of_stretch(gradient, step * dt);
            double power = 0.0;
            for (std::size_t i = 0; i < 9; ++i) {
                double present = 0.0;
                for (std::size_t k = 0; k < 3; ++k)
                    present += gradient[i / 3 * 3 + k] * inverse[3 * k + i % 3];
                power += bonds[i] * present * now.volume;
            }
            work += 0.5 * dt * (before + power);
            before = power;
        }
        const double from_outside = engine->totals().external_work - start;
        MESSAGE("work ", work, " J, of the ledger ", from_outside, " J");
        CHECK_RELATIVE(work, from_outside, 1e-5);  // sums of steps
        CHECK_RELATIVE(from_outside, engine->totals().stored_elements, 1e-5);
    }
}

TEST_CASE("the stress of a lattice falls as its bonds break, to a third and then to zero") {
    // The particles of every second plane have bonds along x of half the strength; of the three
    // planes in the region the outer two, 18 of 27 particles, are weak.
    const double rate = 1e-3 / 2e-4, dt = 1e-6;
    const double strong = modulus * 8e-4, weak = modulus * 4e-4;
    const Packing p = lattice({rate, 0, 0, 0, 0, 0, 0, 0, 0}, {strong, weak});
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, dt);
        const auto share = [&] {
            const MeasuredState now(p, *engine);
            const double strain = rate * dt * static_cast<double>(engine->step());
            return bond_stress(now)[0] * length * length /
                   (modulus * area * strain * (1.0 + strain));
        };
        engine->advance(79);
        CHECK_RELATIVE(share(), 1.0, 1e-9);
        engine->advance(2);
        // The planes y = l, 3 l are weak; the region has y = l, 2 l, 3 l.
        CHECK_RELATIVE(share(), 1.0 / 3.0, 1e-9);
        engine->advance(78);
        CHECK_RELATIVE(share(), 1.0 / 3.0, 1e-9);
        engine->advance(2);
        CHECK(share() == 0.0);
        CHECK(engine->totals().broken_energy > 0.0);
    }
}

TEST_CASE("threads and interruptions change no bit of the stress of bonds and contacts") {
    Packing p = torn_crystal();
    const double room = 20.0 * steel_radius;
    p.region = {.lower = {-room, -room, -room}, .upper = {room, room, room}};
    const auto measured = [&](const packing::PackingEngine& engine) {
        const MeasuredState now(p, engine);
        return std::array{bond_stress(now), contact_stress(now), stress(now)};
    };
    const auto one = packing::make_packing_engine(p, 2e-7, 1);
    one->advance(800);
    const auto middle = saved(*one);
    const auto then = measured(*one);
    one->advance(700);
    const auto expected = measured(*one);
    CHECK(expected[0] != Tensor{});
    CHECK(expected[1] != Tensor{});
    const auto three = packing::make_packing_engine(p, 2e-7, 3);
    three->advance(1500);
    CHECK(measured(*three) == expected);
    const auto again = packing::make_packing_engine(p, 2e-7, 2);
    restore(*again, 800, middle);
    CHECK(measured(*again) == then);
    again->advance(700);
    CHECK(measured(*again) == expected);
    // The other engine agrees to rounding.
    const auto plain = packing::make_plain_packing_engine(p, 2e-7);
    const auto fast = packing::make_packing_engine(p, 2e-7, 2);
    plain->advance(150), fast->advance(150);
    const Tensor plainly = measured(*plain)[0], quickly = measured(*fast)[0];
    Largest largest;
    for (const double each : quickly)
        largest.enter(std::fabs(each));
    for (std::size_t i = 0; i < 9; ++i)
        CHECK_ABSOLUTE(plainly[i], quickly[i], 1e-12 * largest);
}

}  // namespace beadwave::validation::packing_bond_stress_test
