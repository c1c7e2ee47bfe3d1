// Superellipsoids and clumps pressed before a run: lattices whose box has a closed form, and
// packings at random, which begin at rest.
#include "clump_packings.hpp"
#include "largest.hpp"
#include "packing/build/press.hpp"
#include "packing_system/packing_measures.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <cmath>
#include <memory>
#include <vector>

namespace beadwave::validation::shaped_press_test {
namespace {

using packing::Packing;
using packing::Vec3;

constexpr double stiffness = 1e4;  // of linear springs [N/m]

Packing springs() {
    Packing p = shaped_packing(1e9, "hooke");
    p.law.values.insert_or_assign("stiffness", stiffness);
    return p;
}

/// The part u below 1 at which pressure(u) is `pressure`, which falls with u.
template <class Pressure>
double part_at(double pressure, const Pressure& of) {
    double low = 0.5, high = 1.0;
    for (int i = 0; i < 100; ++i) {
        const double u = 0.5 * (low + high);
        (of(u) > pressure ? low : high) = u;
    }
    return low;
}

TEST_CASE("cubes face on face, pressed: each face carries the pressure on its area") {
    // Overlap 2 a (1 - u) on the area (2 a u)^2.
    constexpr double a = 1e-3, pressure = 1e4;
    Packing p = springs();
    const double pitch = 2.02 * a;
    p.box = {.lower = {}, .upper = 3.0 * pitch * Vec3{1, 1, 1}, .periodic = {true, true, true}};
    for (int i = 0; i < 27; ++i) {
        const shapes::Superellipsoid cube(
            shapes::Ellipsoid{.semi_axes = {a, a, a},
                              .centre = pitch * Vec3{0.5 + i % 3, 0.5 + i / 3 % 3, 0.5 + i / 9}},
            {.plane = 4.0, .axis = 4.0});
        add_body(p, shapes::solid(cube, 1000.0));
    }
    const packing::Pressed result = packing::press(p, {.pressure = pressure, .tolerance = 1e-6});
    const double u = part_at(pressure, [](double part) {
        return stiffness * 2.0 * a * (1.0 - part) / std::pow(2.0 * a * part, 2);
    });
    CHECK_RELATIVE(result.pressure, pressure, 1e-3);
    CHECK_RELATIVE((p.box.upper.x - p.box.lower.x) / 3.0, 2.0 * a * u, 1e-5);
    CHECK_RELATIVE(result.volume_fraction, p.solid(0) / std::pow(2.0 * a * u, 3), 3e-5);
}

TEST_CASE("dumbbells in rows, pressed: the mean of the pressures on ends and sides") {
    // Ends overlap by (2 r + d)(1 - u), two balls at each of four sides by 2 r (1 - u).
    constexpr double r = 1e-3, d = 1.5e-3, pressure = 1e4, loose = 1.01;
    Packing p = springs();
    const Vec3 pitch = loose * Vec3{2.0 * r + d, 2.0 * r, 2.0 * r};
    const Vec3 cells{3.0, 4.0, 4.0};
    p.box = {.lower = {},
             .upper = {cells.x * pitch.x, cells.y * pitch.y, cells.z * pitch.z},
             .periodic = {true, true, true}};
    for (int i = 0; i < 48; ++i)
        add_clump(p, dumbbell(r, d), 1000.0,
                  {pitch.x * (0.5 + i % 3), pitch.y * (0.5 + i / 3 % 4), pitch.z * (0.5 + i / 12)});
    const packing::Pressed result = packing::press(p, {.pressure = pressure, .tolerance = 1e-6});
    const double u = part_at(pressure, [](double part) {
        const double x = (2.0 * r + d) * part, y = 2.0 * r * part;
        const double ends = stiffness * (2.0 * r + d) * (1.0 - part),
                     sides = stiffness * 2.0 * r * (1.0 - part);
        return (ends * x + 4.0 * sides * y) / (3.0 * x * y * y);
    });
    CHECK_RELATIVE(result.pressure, pressure, 1e-3);
    CHECK_RELATIVE(p.box.upper.x / cells.x, (2.0 * r + d) * u, 1e-5);
    CHECK_RELATIVE(p.box.upper.y / cells.y, 2.0 * r * u, 1e-5);
    CHECK_RELATIVE(result.volume_fraction * (2.0 * r + d) * 4.0 * r * r * std::pow(u, 3),
                   p.clumps[0]->volume, 3e-5);
}

TEST_CASE("superellipsoids and clumps pressed at random begin a run at rest" *
          doctest::skip(sanitised)) {
    for (const bool clumps : {false, true}) {
        CAPTURE(clumps);
        RandomNumbers random(5);
        Packing p = springs();
        constexpr double pitch = 2.8e-3;
        p.box = {.lower = {}, .upper = 3.0 * pitch * Vec3{1, 1, 1}, .periodic = {true, true, true}};
        for (int i = 0; i < 27; ++i) {
            const Vec3 at = pitch * Vec3{0.5 + i % 3, 0.5 + i / 3 % 3, 0.5 + i / 9};
            if (clumps) {
                add_clump(p, dumbbell(0.9e-3, 1e-3), 1000.0, at, random.rotation());
            } else {
                const shapes::Superellipsoid shape(
                    shapes::Ellipsoid{.semi_axes = {1.2e-3, 1e-3, 0.9e-3},
                                      .centre = at,
                                      .orientation = random.rotation()},
                    {.plane = 2.5, .axis = 2.5});
                add_body(p, shapes::solid(shape, 1000.0));
            }
        }
        const packing::Pressed made = packing::press(p, {.pressure = 2e4, .tolerance = 5e-2});
        REQUIRE(packing::validate(p) == "");
        const auto engine = packing::make_packing_engine(p, 1e-7, 1);
        const observers::MeasuredState state(p, *engine);
        const observers::Tensor stress = observers::stress(state);
        CHECK_RELATIVE(-(stress[0] + stress[4] + stress[8]) / 3.0, made.pressure, 1e-6);
        // Forces and torques of the contacts, added up here.
        std::vector<Vec3> force(p.particles()), torque(p.particles());
        double mean = 0.0;
        const auto contacts = engine->contacts();
        for (const packing::ContactState& contact : contacts) {
            mean += size_of(contact.normal_force) / static_cast<double>(contacts.size());
            force[contact.first] += contact.normal_force;
            force[contact.second] -= contact.normal_force;
            torque[contact.first] += cross(contact.point, contact.normal_force);
            torque[contact.second] -= cross(contact.point - contact.branch, contact.normal_force);
        }
        Largest net, turns;
        for (std::size_t i = 0; i < p.particles(); ++i) {
            net.enter(size_of(force[i]));
            turns.enter(size_of(torque[i]) / p.radius[i]);
        }
        MESSAGE("fraction ", made.volume_fraction, ", ", made.rounds, " rounds, ", contacts.size(),
                " contacts, net force ", net / mean, ", torque ", turns / mean);
        CHECK(contacts.size() > 60);
        CHECK(net < 0.1 * mean);
        CHECK(turns < 0.1 * mean);
        engine->advance(500);
        // What is left of the net forces moves the bodies slowly: the energy is that of springs.
        const packing::PackingTotals t = engine->totals();
        CHECK(t.translational + t.rotational < 1e-3 * t.stored_normal);
    }
}

}  // namespace
}  // namespace beadwave::validation::shaped_press_test
