// shapes_bench [STEPS]: what contacts of ellipsoids, superellipsoids and clumps cost, beside those
// of spheres in the same engine and in that of spheres: time of the processor on one thread, as the
// median and range of seven rounds. docs/SHAPES.md has a table of it.
#include "beadwave/laws/settings.hpp"
#include "packing/packing_engine.hpp"
#include "shapes/body.hpp"
#include "shapes/clump.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <numbers>
#include <vector>

namespace {

using namespace beadwave;
using packing::Packing;
using packing::Vec3;

constexpr double radius = 1e-3, overlap = 1e-6, density = 2500.0;
constexpr int edge = 8;

/// Hertz's law with Mindlin's friction in a periodic box of this many places.
Packing lattice(const Vec3& pitch, const std::array<int, 3>& places) {
    Packing p;
    p.species_list = {
        {.name = "glass", .elasticity = {.youngs_modulus = 1e8, .poisson_ratio = 0.25}}};
    p.law.name = "hertz";
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.box = {.lower = {},
             .upper = {pitch.x * places[0], pitch.y * places[1], pitch.z * places[2]},
             .periodic = {true, true, true}};
    return p;
}

template <class Add>
void fill(const Vec3& pitch, const std::array<int, 3>& places, const Add& add) {
    for (int k = 0; k < places[0] * places[1] * places[2]; ++k) {
        const int x = k % places[0], y = k / places[0] % places[1], z = k / places[0] / places[1];
        add(Vec3{pitch.x * (0.5 + x), pitch.y * (0.5 + y), pitch.z * (0.5 + z)}, k);
    }
}

/// Each particle moves and turns a little, so that no contact repeats its last step.
void stir(Packing& p) {
    for (std::size_t i = 0; i < p.particles(); ++i) {
        const double a = 2.4 * static_cast<double>(i), b = 1.7 * static_cast<double>(i);
        p.velocity[i] = 1e-4 * Vec3{std::sin(a), std::cos(a), std::sin(b)};
        p.angular_velocity[i] = Vec3{std::cos(b), std::sin(a + b), std::cos(a)};
    }
}

void add_shape(Packing& p, const shapes::Superellipsoid& shape) {
    const shapes::Body body = shapes::solid(shape, density);
    const Vec3& a = shape.semi_axes;
    const bool ellipsoid = is_ellipsoid(shape);
    p.add(ellipsoid ? std::max({a.x, a.y, a.z}) : farthest(shape), body.mass, shape.centre);
    p.semi_axes.push_back(a);
    p.orientation.push_back(shape.orientation);
    if (!ellipsoid) p.exponents.push_back(shape.exponents);
}

Packing spheres(bool as_shapes) {
    const Vec3 pitch = (2.0 * radius - overlap) * Vec3{1, 1, 1};
    Packing p = lattice(pitch, {edge, edge, edge});
    const double mass = density * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
    fill(pitch, {edge, edge, edge}, [&](const Vec3& at, int) {
        p.add(radius, mass, at);
        if (!as_shapes) return;
        p.semi_axes.push_back({radius, radius, radius});
        p.orientation.emplace_back();
    });
    return p;
}

/// Touching along all three axes: aligned, but turned by some hundredths.
Packing shapes_of(const Vec3& axes, const shapes::Exponents& exponents,
                  const std::array<int, 3>& places = {edge, edge, edge}) {
    const Vec3 pitch = 2.0 * axes - overlap * Vec3{1, 1, 1};
    Packing p = lattice(pitch, places);
    fill(pitch, places, [&](const Vec3& at, int k) {
        const double turn = 1e-3 * (k % 7 - 3);
        add_shape(p, {shapes::Ellipsoid{
                          .semi_axes = axes,
                          .centre = at,
                          .orientation = shapes::normalised({1.0, turn, -0.5 * turn, 0.7 * turn})},
                      exponents});
    });
    return p;
}

/// Three balls in a row: the balls of all clumps are where spheres() are.
Packing clumps() {
    const double one = 2.0 * radius - overlap;
    const Vec3 pitch{3.0 * one, one, one};
    const std::array<int, 3> places{4, edge, edge};
    Packing p = lattice(pitch, places);
    const shapes::Ball balls[] = {
        {{-one, 0.0, 0.0}, radius}, {{}, radius}, {{one, 0.0, 0.0}, radius}};
    const auto clump = shapes::make_clump(balls);
    fill(pitch, places, [&](const Vec3& at, int) {
        p.add(clump->radius, density * clump->volume, at);
        p.semi_axes.push_back({clump->radius, clump->radius, clump->radius});
        p.orientation.emplace_back();
        p.clumps.push_back(clump);
    });
    return p;
}

double seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Prints the row; returns the time of a particle and step [s].
double measure(const char* what, Packing p, int steps) {
    stir(p);
    const auto engine = packing::make_packing_engine(p, 1e-7, 1);
    engine->advance(20);
    const auto contacts = static_cast<double>(engine->closed_contacts());
    std::vector<double> times;
    for (int round = 0; round < 7; ++round) {
        const double start = seconds();
        engine->advance(steps);
        times.push_back((seconds() - start) / steps);
    }
    std::ranges::sort(times);
    const auto bodies = static_cast<double>(p.particles());
    const auto rate = [&](double time) { return 1e-6 * contacts / time; };
    std::printf("| %s | %.1f | %.2f (%.2f to %.2f) | %.3f |\n", what, contacts / bodies,
                rate(times[3]), rate(times[6]), rate(times[0]), 1e6 * times[3] / bodies);
    return times[3] / bodies;
}

}  // namespace

int main(int count, char** argument) {
    const int steps = count > 1 ? std::atoi(argument[1]) : 200;
    if (steps < 1) {
        std::fputs("expected a number of steps above 0\n", stderr);
        return 2;
    }
    std::puts(
        "| bodies | contacts per body | million contacts per second | us per body and step |");
    std::puts("|---|---|---|---|");
    measure("spheres, in the engine of spheres", spheres(false), steps);
    const double sphere = measure("spheres", spheres(true), steps);
    measure("ellipsoids 1.25:1:0.8", shapes_of({1.25e-3, 1e-3, 0.8e-3}, {}), steps);
    measure("ellipsoids 5:1:1", shapes_of({5e-3, 1e-3, 1e-3}, {}, {4, 11, 11}), steps);
    measure("superellipsoids, exponents 2.5", shapes_of({1.25e-3, 1e-3, 0.8e-3}, {2.5, 2.5}),
            steps);
    measure("superellipsoids, exponents 4", shapes_of({1.25e-3, 1e-3, 0.8e-3}, {4.0, 4.0}), steps);
    const double clump = measure("clumps of three balls", clumps(), steps);
    std::printf("\na clump of three takes %.2f times as long as a sphere in the same engine\n",
                clump / sphere);
    return 0;
}
