// Ellipsoids, superellipsoids and clumps in periodic boxes that strain, and pressed ones.
#include "clump_packings.hpp"
#include "largest.hpp"
#include "packing/build/particle_shapes.hpp"
#include "packing/build/press.hpp"
#include "packing_system/packing_measures.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::shaped_strain_test {
namespace {

using packing::Packing;
using packing::Straining;
using packing::Vec3;

const Straining all_rates{.rate = {-40.0, -10.0, -35.0}, .shear_rate = {60.0, -20.0, 30.0}};
const Straining with_pistons{.rate = {0.0, 0.0, -25.0},
                             .shear_rate = {40.0, 0.0, 0.0},
                             .has_piston = {true, true, false},
                             .stress = {2e3, 1e3, 0.0},
                             .mass = 2e-3,
                             .damping = 0.05};

/// Places on a grid of 3 x 3 x 3 in a periodic box, without overlap.
Packing grid(const std::string& law, double pitch) {
    Packing p = shaped_packing(1e8, law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.box = {.lower = {0.01, -0.02, 0.03}, .upper = {}, .periodic = {true, true, true}};
    p.box.upper = p.box.lower + 3.0 * pitch * Vec3{1.0, 1.0, 1.0};
    return p;
}
Vec3 place(const Packing& p, int i, double pitch) {
    return p.box.lower + pitch * Vec3{0.5 + i % 3, 0.5 + i / 3 % 3, 0.5 + i / 9};
}

Packing spheres(const std::string& law, const Straining& strain) {
    RandomNumbers random(8);
    Packing p = grid(law, 3.7e-3);
    for (int i = 0; i < 27; ++i) {
        const double r = 1.8e-3 * random.between(0.8, 1.0);
        p.add(r, 2500.0 * 4.0 / 3.0 * std::numbers::pi * r * r * r, place(p, i, 3.7e-3));
        p.velocity.back() = 0.5 * random.direction();
        p.angular_velocity.back() = 100.0 * random.direction();
    }
    p.box.strain = strain;
    return p;
}

enum class Kind { ellipsoids, superellipsoids, clumps };

/// Bodies of several shapes.
Packing grains(const std::string& law, const Straining& strain, Kind kind = Kind::ellipsoids) {
    RandomNumbers random(9);
    constexpr double pitch = 4.01e-3;
    Packing p = grid(law, pitch);
    for (int i = 0; i < 27; ++i) {
        if (kind == Kind::clumps) {
            add_clump(p, dumbbell(1.2e-3, 1e-3 * random.between(0.6, 1.6)), 2500.0,
                      place(p, i, pitch), random.rotation());
            p.velocity.back() = 0.5 * random.direction();
            p.angular_velocity.back() = 100.0 * random.direction();
            continue;
        }
        const shapes::Vector axes =
            kind == Kind::superellipsoids
                ? shapes::Vector{1.4e-3, 1e-3 * random.between(1.1, 1.4), 1.2e-3}
                : shapes::Vector{2e-3, 1e-3 * random.between(1.2, 2.0), 1.2e-3};
        shapes::Superellipsoid shape = shapes::Ellipsoid{
            .semi_axes = axes, .centre = place(p, i, pitch), .orientation = random.rotation()};
        if (kind == Kind::superellipsoids) shape.exponents = {.plane = 3.0, .axis = 2.6};
        shapes::Body body = shapes::solid(shape, 2500.0);
        body.velocity = 0.5 * random.direction();
        set_spin(body, 100.0 * random.direction());
        add_body(p, body);
    }
    p.box.strain = strain;
    return p;
}

TEST_CASE("spheres as ellipsoids in a box that strains run as in the plain engine" *
          doctest::skip(sanitised)) {
    for (const Straining& strain : {all_rates, with_pistons}) {
        const Packing p = spheres("tsuji", strain);
        Packing same = p;
        for (const double r : p.radius) {
            same.semi_axes.push_back({r, r, r});
            same.orientation.push_back({});
        }
        const double dt = 1e-6;
        const auto plain =
            packing::make_plain_packing_engine(p, dt, packing::ContactRecords::dissipation);
        const auto shaped = packing::make_packing_engine(same, dt, 1, nullptr,
                                                         packing::ContactRecords::dissipation);
        plain->advance(5000);
        shaped->advance(5000);
        CHECK(plain->closed_contacts() > 5);
        CHECK(plain->neighbour_list_builds() > 0);
        CHECK(shaped->closed_contacts() == plain->closed_contacts());
        const double way = largest_difference(shaped->displacement(), plain->displacement()),
                     speed = largest_difference(shaped->velocity(), plain->velocity()),
                     spin =
                         largest_difference(shaped->angular_velocity(), plain->angular_velocity());
        const auto a = shaped->totals(), b = plain->totals();
        MESSAGE("displacements ", way, ", velocities ", speed, ", spins ", spin, ", work ",
                b.external_work);
        // Rounding, which collisions enlarge.
        CHECK(way < 1e-11);
        CHECK(speed < 1e-10);
        CHECK(spin < 1e-10);
        CHECK_RELATIVE(a.external_work, b.external_work, 1e-10);
        CHECK_RELATIVE(a.dissipated_normal, b.dissipated_normal, 1e-10);
        for (std::size_t k = 0; k < packing::Edges::numbers; ++k)
            CHECK_ABSOLUTE(shaped->box().edges.of[k], plain->box().edges.of[k], 1e-14);
        // What each contact dissipated, with the work of images on it.
        const auto one = shaped->dissipation(), two = plain->dissipation();
        REQUIRE(one.size() == two.size());
        double sum = 0.0;
        for (std::size_t k = 0; k < one.size(); ++k) {
            CHECK_ABSOLUTE(one[k].parts.normal, two[k].parts.normal, 1e-10 * b.dissipated_normal);
            sum += one[k].parts.normal;
        }
        CHECK_RELATIVE(sum, a.dissipated_normal, 1e-9);
    }
}

/// The largest error of the balance over the largest kinetic energy.
double imbalance(const Packing& p, double dt, double time) {
    const auto engine = packing::make_packing_engine(p, dt, 1);
    const double start = energy_of(engine->totals());
    Largest error, kinetic;
    std::size_t met = 0;
    for (int s = 0; s < 20; ++s) {
        engine->advance(static_cast<std::int64_t>(std::lround(time / dt / 20)));
        met += engine->closed_contacts();
        const packing::PackingTotals t = engine->totals();
        error.enter(std::abs(energy_of(t) - start));
        kinetic.enter(t.translational + t.rotational);
    }
    CHECK(met > 3);
    CHECK(std::abs(engine->totals().external_work) > 0.1 * kinetic);
    return error / kinetic;
}

TEST_CASE("the ledger of shapes has the work of a box that strains" * doctest::skip(sanitised)) {
    for (const Packing& p : {grains("tsuji", all_rates), grains("hertz", with_pistons),
                             grains("hertz", all_rates, Kind::superellipsoids),
                             grains("tsuji", with_pistons, Kind::clumps)}) {
        const double coarse = imbalance(p, 4e-6, 6e-3), fine = imbalance(p, 1e-6, 6e-3);
        MESSAGE(coarse, ", ", fine);
        CHECK(fine < 1e-4);
        CHECK(fine < coarse / 5.0);
    }
}

TEST_CASE("shapes in a box that strains run to the same bits after an interruption, on threads") {
    for (const Kind kind : {Kind::ellipsoids, Kind::superellipsoids, Kind::clumps}) {
        Straining strain = with_pistons;
        strain.rate = {0.0, 0.0, -60.0};
        strain.start = kind == Kind::ellipsoids ? 2e-3 : 0.0;
        const Packing p = grains("tsuji", strain, kind);
        const auto whole =
            packing::make_packing_engine(p, 4e-6, 1, nullptr, packing::ContactRecords::dissipation);
        whole->advance(2000);
        CHECK(whole->closed_contacts() > 0);
        const SavedPacking half = saved(*whole);
        whole->advance(300);
        const auto rest =
            packing::make_packing_engine(p, 4e-6, 2, nullptr, packing::ContactRecords::dissipation);
        restore(*rest, 2000, half);
        CHECK(saved(*rest) == half);
        rest->advance(300);
        CHECK(saved(*rest) == saved(*whole));
        CHECK(energy_of(rest->totals()) == energy_of(whole->totals()));
    }
}

struct Pressing {
    packing::Pressed result;
    Packing packing;
};

/// Spheroids or ellipsoids at random, pressed to a pressure.
Pressing pressed(const shapes::Vector& axes, int edge, double pressure, std::uint64_t seed) {
    RandomNumbers random(seed);
    Packing p = shaped_packing(1e9);
    const double pitch = 2.05 * std::max({axes.x, axes.y, axes.z});
    p.box = {.lower = {}, .upper = edge * pitch * Vec3{1, 1, 1}, .periodic = {true, true, true}};
    for (int i = 0; i < edge * edge * edge; ++i) {
        const Vec3 at = pitch * Vec3{0.5 + i % edge, 0.5 + i / edge % edge, 0.5 + i / edge / edge};
        add_body(p, shapes::solid(
                        shapes::Ellipsoid{
                            .semi_axes = axes, .centre = at, .orientation = random.rotation()},
                        2500.0));
    }
    const packing::Pressed result = packing::press(p, {.pressure = pressure, .tolerance = 1e-2});
    return {result, p};
}

TEST_CASE("spheroids pressed without friction are denser than spheres, and begin at rest" *
          doctest::skip(sanitised)) {
    // 27 alone are a little looser than many; overlaps of the pressure count twice.
    const Pressing made = pressed({1e-3, 1e-3, 0.526e-3}, 3, 1e6, 5);
    const Packing& p = made.packing;
    MESSAGE("fraction ", made.result.volume_fraction, ", pressure ", made.result.pressure,
            ", rounds ", made.result.rounds, ", net force ", made.result.largest_net_force);
    CHECK(made.result.volume_fraction > 0.66);
    CHECK(made.result.volume_fraction < 0.73);
    CHECK_RELATIVE(made.result.pressure, 1e6, 2e-3);
    // The run begins with the same forces: the pressure of its contacts, and hardly any net force.
    const auto engine = packing::make_packing_engine(p, 1e-7, 1);
    const observers::MeasuredState state(p, *engine);
    const observers::Tensor stress = observers::stress(state);
    CHECK_RELATIVE(-(stress[0] + stress[4] + stress[8]) / 3.0, made.result.pressure, 1e-6);
    packing::ParticleTrace trace;
    for (std::uint32_t i = 0; i < p.particles(); ++i)
        trace.particles.push_back(i);
    std::as_const(*engine).sample(trace);
    Largest net;
    double mean = 0.0;
    const auto contacts = engine->contacts();
    for (const packing::ContactState& contact : contacts)
        mean += size_of(contact.normal_force) / static_cast<double>(contacts.size());
    for (const Vec3& force : trace.force)
        net.enter(size_of(force));
    MESSAGE(contacts.size(), " contacts, net force ", net / mean);
    CHECK(net < 2e-2 * mean);
}

TEST_CASE("balls pressed as ellipsoids lie where pressed spheres do" * doctest::skip(sanitised)) {
    RandomNumbers random(3);
    Packing p = shaped_packing(1e9);
    constexpr double pitch = 2.2e-3;
    p.box = {.lower = {}, .upper = 3.0 * pitch * Vec3{1, 1, 1}, .periodic = {true, true, true}};
    for (int i = 0; i < 27; ++i) {
        const double r = 1e-3 * random.between(0.8, 1.0);
        p.add(r, 2500.0 * 4.0 / 3.0 * std::numbers::pi * r * r * r, place(p, i, pitch));
    }
    Packing same = p;
    for (const double r : p.radius) {
        same.semi_axes.push_back({r, r, r});
        same.orientation.push_back(random.rotation());
    }
    const packing::PressPlan plan{.pressure = 1e4, .tolerance = 1e-6};
    const packing::Pressed one = packing::press(p, plan), two = packing::press(same, plan);
    CHECK_RELATIVE(one.volume_fraction, two.volume_fraction, 1e-9);
    CHECK(one.rounds == two.rounds);
    CHECK(largest_difference(p.position, same.position) < 1e-3);  // rounding moves rattlers
}

}  // namespace
}  // namespace beadwave::validation::shaped_strain_test
