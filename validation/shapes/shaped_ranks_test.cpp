// Ranks that share the search for the touches of ellipsoids, superellipsoids and clumps take the
// steps of one process, to the bit: at rest on a wall with friction, in a box that strains, and
// resumed on another number of ranks.
#include "clump_packings.hpp"
#include "packings.hpp"
#include "sanitised.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"
#include "shared_packings.hpp"

#include <numeric>
#include <vector>

namespace beadwave::validation::shaped_ranks_test {
namespace {

using packing::Packing;
using packing::Vec3;

constexpr double pitch = 3.4e-3, density = 2500.0;
constexpr int along = 4;

/// Ellipsoids, superellipsoids, dumbbells and spheres by turns, close to each other, in a box that
/// repeats along x and y.
Packing mixture() {
    RandomNumbers random(4);
    Packing p = shaped_packing(1e8, "tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.6}});
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.rolling = {.coefficient = 0.1};
    p.box = {.lower = {}, .upper = {}, .periodic = {true, true, false}};
    p.box.upper = along * pitch * Vec3{1.0, 1.0, 1.0};
    for (int i = 0; i < along * along * along; ++i) {
        const Vec3 at =
            pitch * Vec3{0.5 + i % along, 0.5 + i / along % along, 0.5 + i / along / along};
        if (i % 4 == 3) {
            add_clump(p, dumbbell(1.2e-3, 1e-3), density, at, random.rotation());
        } else {
            shapes::Superellipsoid shape = shapes::Ellipsoid{
                .semi_axes = i % 4 == 2 ? Vec3{1.6e-3, 1.6e-3, 1.6e-3} : Vec3{2e-3, 1.6e-3, 1.3e-3},
                .centre = at,
                .orientation = random.rotation()};
            if (i % 4 == 1) shape.exponents = {3.0, 4.0};
            add_body(p, solid(shape, density));
            p.clumps.emplace_back();
        }
        p.velocity.back() = 0.3 * random.direction();
        p.angular_velocity.back() = 60.0 * random.direction();
    }
    if (!p.exponents.empty()) p.exponents.resize(p.particles());
    p.clumps.resize(p.particles());
    return p;
}

/// There were contacts, and they lost energy.
void check_contacts(const sharing::Numbers& of_one) {
    CHECK(of_one.at("contacts").size() > 40 * 15);
    CHECK(sharing::sum_of(of_one.at("dissipation")) > 0.0);
}

}  // namespace

TEST_CASE("ranks share the search for touches on a floor, with the bits of one process") {
    Packing p = mixture();
    p.gravity = {0.0, 0.0, -9.81};
    p.walls = {packing::Wall{.shape = packing::Plane{{}, {0.0, 0.0, 1.0}}}};
    const std::vector<int> counts = sanitised ? std::vector{3} : std::vector{2, 3, 5};
    check_contacts(sharing::check_same(
        {p, 2e-6, {120, 120, 120, 40}, {0, 1, 3}, packing::ContactRecords::dissipation}, counts));
}

TEST_CASE("ranks share the search for touches in a box that strains") {
    Packing p = mixture();
    p.box.periodic = {true, true, true};
    p.box.strain =
        packing::Straining{.rate = {-30.0, -30.0, -20.0}, .shear_rate = {40.0, 0.0, 0.0}};
    check_contacts(sharing::check_same(
        {p, 2e-6, {100, 100, 100, 40}, {2}, packing::ContactRecords::dissipation}, {2, 4}));
}

}  // namespace beadwave::validation::shaped_ranks_test
