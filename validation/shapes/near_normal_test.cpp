// Common normals that are followed as bodies move and turn, beside plain formulas and the search in
// all directions, and pairs that are left out while they are apart.
#include "shapes/near_normal.hpp"

#include "checked_pairs.hpp"
#include "largest.hpp"
#include "saved_packings.hpp"
#include "shaped_packings.hpp"

#include <cmath>
#include <memory>

namespace beadwave::validation::near_normal_test {
namespace {

using namespace shapes;

Superellipsoid turned_a_little(Superellipsoid s, const Vector& axis, double angle) {
    const Vector half = (0.5 * angle) * axis;
    s.orientation = normalised(normalised({1.0, half.x, half.y, half.z}) * s.orientation);
    return s;
}

TEST_CASE("a common normal is followed as bodies move and turn a little") {
    for (const bool exponents : {false, true}) {
        RandomNumbers random(7);
        Largest plain, search, line, surface;
        int certain = 0, followed = 0;
        for (int i = 0; i < 4000; ++i) {
            const auto [first, second] = random_shapes(random, i, exponents);
            const CommonPoints before = common_points(first, second);
            const Superellipsoid a = turned_a_little(first, random.direction(), 1e-5);
            Superellipsoid b = turned_a_little(second, random.direction(), 1e-5);
            b.centre += 1e-7 * random.direction();
            const Vector between = b.centre - a.centre;
            const auto found =
                near_normal(TurnedShape(a), TurnedShape(b), between,
                            {before.at.normal, before.at.overlap, before.arm_1, before.arm_2});
            const CommonPoints whole = common_points(a, b);
            if (!whole.at.certain) {
                CHECK(!found);  // another direction may overlap less
                continue;
            }
            ++certain;
            if (!found) continue;
            ++followed;
            const Vector& n = found->normal;
            const Vector apart = farthest_along(a, n) - farthest_along(b, -n) - between;
            plain.enter(std::abs(found->overlap - dot(n, apart)));
            search.enter(std::abs(found->overlap - whole.at.overlap));
            line.enter(length(found->arm_1 - found->arm_2 - between - found->overlap * n));
            surface.enter(std::abs(defining_sum(a, found->arm_1) - 1.0),
                          std::abs(defining_sum(b, found->arm_2) - 1.0));
        }
        MESSAGE(followed, " of ", certain, "; ", double(plain), ", ", double(search), ", ",
                double(line), " m; ", double(surface));
        // Surfaces that are nearly straight move their points far.
        CHECK(followed > (exponents ? 0.9 : 0.999) * certain);
        // Some units in the last place of bodies and distances of 1e-2 m.
        CHECK(plain < 2e-17);
        CHECK(search < 2e-17);
        CHECK(line < 1e-14 * 3e-2);  // where the steps end, of both sizes and the distance
        CHECK(surface < 2e-14);
    }
}

/// Long bodies that spin and collide in a periodic box.
packing::Packing spinning_bodies(bool exponents) {
    RandomNumbers random(29);
    packing::Packing p = shaped_packing(1e7);
    constexpr double pitch = 6.1e-3;
    p.box = {
        .lower = {}, .upper = {3 * pitch, 3 * pitch, 2 * pitch}, .periodic = {true, true, true}};
    for (int i = 0; i < 18; ++i) {
        const Superellipsoid shape(
            {.semi_axes = exponents ? Vector{2.2e-3, 0.8e-3, 1e-3} : Vector{3e-3, 0.8e-3, 1e-3},
             .centre = pitch * Vector{0.5 + i % 3, 0.5 + i / 3 % 3, 0.5 + i / 9},
             .orientation = random.rotation()},
            exponents && i % 2 == 0 ? Exponents{.plane = 2.5, .axis = 4.0} : Exponents{});
        Body body = solid(shape, 2500.0);
        body.velocity = 0.5 * random.direction();
        set_spin(body, 600.0 * random.direction());
        add_body(p, body);
    }
    return p;
}

TEST_CASE("no touch is late because its bodies were known to be apart") {
    // What is known is in no saved state: interrupted often, pairs are searched often.
    for (const bool exponents : {false, true}) {
        const packing::Packing p = spinning_bodies(exponents);
        const auto whole = packing::make_packing_engine(p, 2e-6, 1);
        int touching = 0;
        for (int piece = 0; piece < 120; ++piece) {
            const auto part = packing::make_packing_engine(p, 2e-6, 1);
            restore(*part, whole->step(), saved(*whole));
            part->advance(5);
            whole->advance(20);
            const auto more = packing::make_packing_engine(p, 2e-6, 1);
            restore(*more, part->step(), saved(*part));
            more->advance(15);
            CHECK(saved(*more) == saved(*whole));
            touching += whole->closed_contacts() > 0 ? 1 : 0;
        }
        MESSAGE(touching, " of 120 with contacts");
        CHECK(touching > 5);
        CHECK(whole->neighbour_list_builds() > 0);
    }
}

}  // namespace
}  // namespace beadwave::validation::near_normal_test
