// Meshes in periodic boxes against planes, and against the same mesh laid out period by period
// without a box.

#include "beadwave/argument_error.hpp"
#include "meshes.hpp"
#include "packing/walls/mesh_images.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::mesh_periodic_test {

namespace {

constexpr double sphere = 1e-3, period = 0.012;
constexpr double sharp = 0.2;  // feature angle [rad], below all bends of these floors

packing::Box repeating_box() {
    packing::Box box;
    box.upper = {period, period, 0.0};
    box.periodic = {true, true, false};
    return box;
}

packing::Mesh repeating_mesh(const std::vector<Corners>& triangles) {
    return mesh_of(packing::with_images(triangles, repeating_box(), sharp), {}, sharp);
}

/// Laid out over `around` periods on each side.
packing::Mesh laid_out(const std::vector<Corners>& triangles, int around) {
    std::vector<Corners> all;
    for (int x = -around; x <= around; ++x) {
        for (int y = -around; y <= around; ++y) {
            for (Corners triangle : triangles) {
                for (Vec3& corner : triangle)
                    corner += Vec3{x * period, y * period, 0.0};
                all.push_back(triangle);
            }
        }
    }
    return mesh_of(all, {}, sharp);
}

/// Squares between lines along y at these places (x, z), from side to side.
std::vector<Corners> folded(const std::vector<std::array<double, 2>>& line) {
    std::vector<Corners> all;
    for (std::size_t k = 0; k + 1 < line.size(); ++k) {
        const auto [x, z] = line[k];
        const auto [to_x, to_z] = line[k + 1];
        for (int half = 0; half < 2; ++half) {
            const double y = 0.5 * period * half, to_y = y + 0.5 * period;
            add_square(all, {x, y, z}, {to_x, y, to_z}, {to_x, to_y, to_z}, {x, to_y, z});
        }
    }
    return all;
}

std::map<std::string, std::vector<Corners>> floors() {
    const double p = period;
    std::vector<Corners> bump = plate({}, {p, 0, 0}, {0, p, 0}, 6);
    // A small table in a corner of the box.
    for (const Corners& triangle :
         box_of_triangles({-1.5e-3, -1.5e-3, 0.1e-3}, {1.5e-3, 1.5e-3, 0.4e-3}))
        bump.push_back(triangle);
    for (std::size_t t = 72; t < bump.size(); ++t) {
        for (Vec3& corner : bump[t])
            corner += Vec3{1.5e-3, 1.5e-3, 0.0};
    }
    return {{"flat", plate({}, {p, 0, 0}, {0, p, 0}, 3)},
            {"ridge at the side", folded({{0, 1.5e-3}, {0.5 * p, 0}, {p, 1.5e-3}})},
            {"valley at the side", folded({{0, 0}, {0.3 * p, 1e-3}, {p, 0}})},
            {"slot at the side", folded({{0.4e-3, 0}, {p - 0.3e-3, 0}})},
            {"plateau across the side", folded({{0, 1e-3},
                                                {0.2 * p, 1e-3},
                                                {0.35 * p, 0},
                                                {0.65 * p, 0},
                                                {0.8 * p, 1e-3},
                                                {p, 1e-3}})},
            {"table", bump}};
}

packing::Packing rolling_sphere(Vec3 place, Vec3 velocity) {
    packing::Packing p = steel_packing("tsuji");
    p.law.values.insert_or_assign("restitution", 0.6);
    p.species_list[0].elasticity.youngs_modulus = 1e8;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.gravity = {0.0, 0.0, -9.81};
    p.add(sphere, steel_mass(sphere), place);
    p.velocity.back() = velocity;
    return p;
}

const std::vector<std::pair<Vec3, Vec3>>& starts() {
    static const std::vector<std::pair<Vec3, Vec3>> all{
        {{4e-3, 5e-3, 2.6e-3}, {0.45, 0.05, 0.0}},
        {{8e-3, 6e-3, 2.6e-3}, {-0.35, 0.2, 0.0}},
        {{0.05e-3, 4e-3, 2.7e-3}, {0.0, 0.3, 0.0}},
        {{-40.3e-3, 52e-3, 2.6e-3}, {0.2, -0.3, 0.0}}};
    return all;
}

/// What with_images() says; empty: it accepts.
std::string message(const std::vector<Corners>& triangles) {
    try {
        packing::with_images(triangles, repeating_box(), sharp);
    } catch (const ArgumentError& error) {
        return error.what();
    }
    return {};
}

/// The part of a convex polygon in a plane of z on one side of y = `side`.
std::vector<Vec3> cut(const std::vector<Vec3>& polygon, double side, bool below) {
    std::vector<Vec3> part;
    const auto is_in = [&](const Vec3& v) { return below ? v.y <= side : v.y >= side; };
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec3 from = polygon[k], to = polygon[(k + 1) % polygon.size()];
        if (is_in(from)) part.push_back(from);
        if (is_in(from) == is_in(to)) continue;
        const double x = from.x + (side - from.y) / (to.y - from.y) * (to.x - from.x);
        part.push_back({x, side, from.z});
    }
    return part;
}

/// A flat strip along x that rises by `rise` over one period, in pieces of one period each, the
/// last as long as is left: each goes on where the one before ended. What leaves the box through
/// its upper side comes back from below. All in parts of the period.
std::vector<Corners> strip(double periods, double rise, double width) {
    std::vector<Corners> all;
    for (int k = 0; k < periods; ++k) {
        const double end = std::min(periods - k, 1.0) * period;
        const double y = (0.03125 + k * rise) * period, to = y + rise * end, w = width * period;
        const std::vector<Vec3> piece{{0, y, 0}, {end, to, 0}, {end, to + w, 0}, {0, y + w, 0}};
        for (const bool below : {true, false}) {
            const std::vector<Vec3> part = cut(piece, period, below);
            const Vec3 down{0.0, below ? 0.0 : -period, 0.0};
            for (std::size_t c = 1; c + 1 < part.size(); ++c)
                all.push_back({part[0] + down, part[c] + down, part[c + 1] + down});
        }
    }
    return all;
}

/// How many contacts a small sphere has with the mesh and its images.
int contacts_at(const packing::Mesh& mesh, const Vec3& place) {
    constexpr double reach = 0.02 * period;
    int contacts = 0;
    packing::MeshImages(mesh, repeating_box())
        .each_near(place, reach,
                   [&](std::uint32_t patch, const std::array<std::int32_t, 3>& image) {
                       const Vec3 moved = place - Vec3{image[0] * period, image[1] * period, 0.0};
                       if (mesh.surface->contact(patch & packing::patch_mask, moved, reach).found())
                           ++contacts;
                   });
    return contacts;
}

}  // namespace

TEST_CASE("a mesh in a periodic box is the mesh laid out without end, and a flat one is a plane") {
    for (const auto& floor : floors()) {
        const std::string& name = floor.first;
        const std::vector<Corners>& triangles = floor.second;
        CAPTURE(name);
        for (const auto& start : starts()) {
            const Vec3 place = start.first, velocity = start.second;
            if (sanitised && (place.x < 0.0 || place.x == 8e-3)) continue;
            // On a sharp edge the contact passes from patch to patch where both closest points are
            // one place: to 2e-6 of the size of the mesh, which is another one when laid out.
            const bool rides = name == "ridge at the side" && place.x == 0.05e-3;
            // Elsewhere rounding grows from bounce to bounce.
            const double near = (rides ? 1e-6 : 1e-8) * period, turn = rides ? 1e-2 : 1e-5;
            packing::Packing open = rolling_sphere(place, velocity);
            open.walls.push_back({.shape = laid_out(triangles, 7)});
            packing::Packing boxed = rolling_sphere(place, velocity);
            boxed.box = repeating_box();
            boxed.walls.push_back({.shape = repeating_mesh(triangles)});
            packing::Packing plane = rolling_sphere(place, velocity);
            plane.walls.push_back({.shape = packing::Plane{}});
            for (const EngineMaker& make : engine_makers) {
                const auto one = make(boxed, 2e-6), other = make(open, 2e-6);
                const auto flat = name == "flat" ? make(plane, 2e-6) : nullptr;
                for (int look = 0; look < 6; ++look) {
                    for (packing::PackingEngine* engine : {one.get(), other.get(), flat.get()}) {
                        if (engine != nullptr) engine->advance(5000);
                    }
                    const Vec3 at = one->displacement()[0];
                    CHECK(size_of(at - other->displacement()[0]) < near);
                    CHECK(size_of(one->angular_velocity()[0] - other->angular_velocity()[0]) <
                          turn * (1.0 + size_of(other->angular_velocity()[0])));
                    if (flat != nullptr)
                        CHECK(size_of(at - flat->displacement()[0]) < 1e-9 * period);
                }
                const packing::PackingTotals t = one->totals();
                CHECK_ABSOLUTE(t.translational + t.rotational + t.stored_normal +
                                   t.stored_tangential + t.dissipated_normal +
                                   t.dissipated_tangential - t.external_work,
                               0.5 * boxed.mass[0] * dot(velocity, velocity),
                               1e-4 * (std::abs(t.external_work) + t.dissipated_normal) + 1e-9);
            }
        }
    }
}

TEST_CASE("a bed on a mesh in a periodic box has the same bits on threads and when it is resumed") {
    packing::Packing p = rolling_sphere({1e-3, 1e-3, 2e-3}, {});
    p.box = repeating_box();
    p.walls.push_back({.shape = repeating_mesh(floors().at("ridge at the side"))});
    for (int x = 0; x < 5; ++x) {
        for (int y = 0; y < 5; ++y) {
            for (int z = 0; z < 4; ++z) {
                p.add(0.9 * sphere, steel_mass(0.9 * sphere),
                      Vec3{2.3e-3 * x, 2.3e-3 * y + 1e-4 * z, 5e-3 + 2.2e-3 * z});
                p.velocity.back() = {0.3 - 0.1 * (x % 3), 0.2 * (y % 2), -0.3};
            }
        }
    }
    const auto whole = packing::make_packing_engine(p, 2e-6, 1);
    const auto threaded = packing::make_packing_engine(p, 2e-6, 3);
    const auto first = packing::make_packing_engine(p, 2e-6, 1);
    const auto plain = packing::make_plain_packing_engine(p, 2e-6);
    first->advance(4'003);
    std::map<std::string, std::vector<double>> saved;
    for (const packing::PackingColumn& column : first->state())
        saved[column.name] = {column.values.begin(), column.values.end()};
    const auto resumed = packing::make_packing_engine(p, 2e-6, 2);
    resumed->restore(first->step(), [&](const std::string& name) {
        return std::span<const double>(saved.at(name));
    });
    resumed->advance(8'000 - 4'003);
    for (packing::PackingEngine* engine : {whole.get(), threaded.get()})
        engine->advance(8'000);
    CHECK(whole->neighbour_list_builds() > 3);
    CHECK(whole->displacement() == threaded->displacement());
    CHECK(whole->angular_velocity() == threaded->angular_velocity());
    CHECK(whole->displacement() == resumed->displacement());
    CHECK(whole->angular_velocity() == resumed->angular_velocity());
    // Rounding grows from collision to collision.
    const auto early = packing::make_packing_engine(p, 2e-6, 1);
    early->advance(4000);
    plain->advance(4000);
    CHECK(largest_difference(early->displacement(), plain->displacement()) < 1e-6);
}

TEST_CASE("a mesh that is longer than the period, overlaps its image or turns askew is refused") {
    CHECK(message(plate({}, {0.013, 0, 0}, {0, 0.012, 0}, 1)) ==
          "is 0.013 m long along x; expected at most 0.012 m, the period of the box");
    packing::Packing p = rolling_sphere({4e-3, 5e-3, 3e-3}, {});
    p.box = repeating_box();
    p.walls.push_back({.shape = mesh_of(floors().at("flat"))});
    CHECK(validate(p) ==
          "wall 0: is a mesh without its images in the periodic box: see "
          "with_images()");
    p.walls[0].shape = repeating_mesh(floors().at("flat"));
    CHECK(validate(p).empty());
    p.walls[0].angular_velocity = 1.0;
    CHECK(validate(p) ==
          "wall 0: is a mesh that turns, and would have to repeat along x as the box does; "
          "expected no period, or one along its axis");
    p.walls[0].angular_velocity = 0.0;
    p.box.strain = packing::Straining{.rate = {0.1, 0.0, 0.0}};
    CHECK(validate(p) ==
          "wall 0: is a mesh, which cannot strain with the box; expected a box of constant edges");
}

TEST_CASE("a patch that goes on across the sides is touched once everywhere, or refused") {
    const std::string wrong =
        "has a patch that goes across a side of the box more than once or on ";
    const auto is_refused = [&](const std::vector<Corners>& triangles) {
        const std::string said = message(triangles);
        CAPTURE(said);
        CHECK(said.starts_with(wrong));
        CHECK(said.ends_with(
            "m from its origin; expected a smaller feature_angle that parts it, or a mesh "
            "without it"));
        // Nor does a packing take the images that a surface of another feature angle would have.
        packing::Packing p = rolling_sphere({4e-3, 5e-3, 3e-3}, {});
        p.box = repeating_box();
        std::vector<Corners> laid;
        for (int x = -1; x <= 1; ++x) {
            for (int y = -1; y <= 1; ++y) {
                for (Corners triangle : triangles) {
                    for (Vec3& corner : triangle)
                        corner += Vec3{x * period, y * period, 0.0};
                    laid.push_back(triangle);
                }
            }
        }
        p.walls.push_back({.shape = mesh_of(laid, {}, sharp)});
        CHECK(validate(p).starts_with("wall 0: " + wrong));
    };
    is_refused(strip(3, 0.125, 0.0625));
    is_refused(strip(5, 0.125, 0.0625));
    // Once around y in two periods of x, and in one.
    is_refused(strip(2, 0.5, 0.125));
    is_refused(strip(1, 1.0, 0.125));

    // Where its far end meets another patch, both would count: that patch has no image there.
    is_refused(strip(2, 0.125, 0.0625));

    // One that ends after one crossing, one that closes at once.
    for (const auto& [periods, rise] : {std::pair{1.75, 0.125}, std::pair{1.0, 0.0}}) {
        const std::vector<Corners> triangles = strip(periods, rise, 0.0625);
        REQUIRE(message(triangles).empty());
        const packing::Mesh mesh = repeating_mesh(triangles);
        for (int k = 0; k < 400; ++k) {
            const double x = periods * (k + 0.5) / 400;
            const Vec3 on{x * period, (0.0625 + rise * x) * period, 0.01 * period};
            CHECK(contacts_at(mesh, on) == 1);
            CHECK(contacts_at(mesh, on + Vec3{-3.0 * period, 2.0 * period, 0.0}) == 1);
        }
    }
}

}  // namespace beadwave::validation::mesh_periodic_test
