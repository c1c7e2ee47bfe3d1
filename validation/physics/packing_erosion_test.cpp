// Finnie's wear by impacts: single oblique impacts on walls in closed form, on both branches of
// the law, and what triangles have of it and of the wear by sliding.

#include "laws/wear.hpp"
#include "meshes.hpp"
#include "packing/packing_engine.hpp"
#include "packing/walls/mesh_images.hpp"
#include "packing/walls/wall_work.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

namespace beadwave::validation::packing_erosion_test {
namespace {

constexpr double radius = 2e-3, speed = 3.0;

std::unique_ptr<packing::PackingEngine> watched(const packing::Packing& p, double dt) {
    return packing::make_plain_packing_engine(p, dt, packing::ContactRecords::impacts);
}

/// A sphere that comes at this angle to the floor [degrees].
packing::Packing thrown(double degrees, bool triangles) {
    packing::Packing p = steel_packing("hertz");
    const double angle = degrees * std::numbers::pi / 180.0;
    p.add(radius, steel_mass(radius), {1e-4, 2e-4, radius * 1.001});
    p.velocity[0] = {speed * std::cos(angle), 0, -speed * std::sin(angle)};
    packing::Wall floor;
    if (triangles) floor.shape = mesh_of(plate({-0.09, -0.08, 0}, {0.2, 0, 0}, {0, 0.2, 0}, 20));
    p.walls.push_back(floor);
    return p;
}

double sum_of(const std::vector<double>& all) {
    double sum = 0.0;
    for (const double each : all)
        sum += each;
    return sum;
}

}  // namespace

TEST_CASE("an oblique impact cuts as Finnie's law says, flat and steep") {
    // The speeds are those of free flight: rounding. 18.4 and 18.5 degrees are beside the change of
    // branches at tan a = 1/3.
    const laws::Wear wear{.law = laws::WearLaw::finnie, .coefficient = 0.02, .flow_pressure = 2e9};
    for (const bool triangles : {false, true}) {
        for (const double degrees : {2.0, 10.0, 18.4, 18.5, 30.0, 60.0, 85.0}) {
            CAPTURE(triangles);
            CAPTURE(degrees);
            const packing::Packing p = thrown(degrees, triangles);
            const auto engine = watched(p, 1e-7);
            engine->advance(1200);
            REQUIRE(engine->take_impacts().size() == 1);
            const double a = degrees * std::numbers::pi / 180.0, s = std::sin(a), c = std::cos(a);
            const double f =
                std::tan(a) < 1.0 / 3.0 ? std::sin(2.0 * a) - 3.0 * s * s : c * c / 3.0;
            const double expected = 0.02 / 2e9 * steel_mass(radius) * speed * speed * f;
            const packing::SurfaceSums& cutting = engine->wall_work()->cutting();
            CHECK_RELATIVE(wear.volume(cutting.wall[0]), expected, 1e-11);
            if (!triangles) continue;
            // It touches at one place: one triangle has all of it.
            std::size_t cut = 0;
            for (const double each : cutting.triangle)
                cut += each != 0.0 ? 1 : 0;
            CHECK(cut == 1);
            CHECK(sum_of(cutting.triangle) == cutting.wall[0]);
        }
    }
}

TEST_CASE("both branches of Finnie's law meet at tan a = 1/3, and nothing cuts straight down") {
    CHECK_RELATIVE(laws::finnie_cutting(2.0, 1.0, 3.0), laws::finnie_cutting(2.0, 1.0, 2.999999),
                   1e-6);
    CHECK_RELATIVE(laws::finnie_cutting(2.0, 1.0, 3.0), 2.0 * 10.0 * 0.3, 1e-15);
    CHECK(laws::finnie_cutting(2.0, 1.0, 0.0) == 0.0);
    CHECK(laws::finnie_cutting(2.0, 0.0, 1.0) == 0.0);
}

TEST_CASE("triangles have together what their wall has, and go on with it") {
    packing::Packing p = soft_rough_crystal("hertz");
    p.friction.coefficient = 0.1;
    for (std::size_t i = 0; i < p.particles(); ++i) {
        p.position[i].z += 2e-3;
        p.velocity[i] = {0.8, 0.05 * static_cast<double>(i % 5), -0.4};
    }
    packing::Wall floor;
    floor.shape = mesh_of(plate({-0.013, -0.011, 0}, {0.06, 0, 0}, {0, 0.06, 0}, 9));
    p.walls.push_back(floor);
    constexpr double dt = 4e-6;
    const auto engine = watched(p, dt);
    engine->advance(2000);
    const SavedPacking middle = saved(*engine);
    engine->advance(2000);
    const packing::WallWork& work = *engine->wall_work();
    for (const packing::SurfaceSums* sums : {&work.rubbing(), &work.cutting()}) {
        REQUIRE(sums->triangle.size() == 162);
        CHECK(sums->wall[0] > 1e-7);
        CHECK_RELATIVE(sum_of(sums->triangle), sums->wall[0], 1e-13);
    }
    const auto resumed = watched(p, dt);
    restore(*resumed, 2000, middle);
    resumed->advance(2000);
    CHECK(resumed->wall_work()->rubbing().triangle == work.rubbing().triangle);
    CHECK(resumed->wall_work()->cutting().triangle == work.cutting().triangle);
}

TEST_CASE("triangles of a mesh in a periodic box are numbered without its images") {
    packing::Packing p = thrown(45.0, false);
    p.box.upper = {0.02, 0.02, 0.02};
    p.box.periodic = {true, true, false};
    p.skin = 2e-4;
    p.position[0] = {0.0199, 0.0199, radius * 1.001};
    p.velocity[0] = {2.0, 1.0, -0.5};
    const auto plain = plate({0, 0, 0}, {0.02, 0, 0}, {0, 0.02, 0}, 2);
    packing::Mesh mesh{.surface = std::make_shared<const packing::TriangleSurface>(
                           packing::with_images(plain, p.box, 0.5), 0.5)};
    p.walls[0].shape = mesh;
    const auto engine = watched(p, 1e-7);
    engine->advance(2500);
    const packing::SurfaceSums& cutting = engine->wall_work()->cutting();
    REQUIRE(cutting.triangle.size() == 8);
    CHECK(cutting.wall[0] > 0.0);
    CHECK(sum_of(cutting.triangle) == cutting.wall[0]);
    // 4e-6 s after the start it comes down near the corner, in the square there.
    CHECK(cutting.triangle[6] + cutting.triangle[7] == cutting.wall[0]);
}

}  // namespace beadwave::validation::packing_erosion_test
