// Meshes that lie flush, apart by a narrow gap, or one on the other: a sphere passes as over the
// plane. The same motion on a plane wall is the reference; its physics has tests of its own.

#include "packing/walls/mesh_seams.hpp"

#include "meshes.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "splitmix.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace beadwave::validation::mesh_seams_test {

using packing::MeshContact;

namespace {

constexpr double radius = 2e-3, lane = 0.02, way = 0.03;

struct Random {
    std::uint64_t drawn = 0;
    double operator()(double from, double to) {
        return from + (to - from) * std::ldexp(static_cast<double>(mixed(++drawn) >> 11), -53);
    }
};

enum class Seam { flush, gap, overlap };
constexpr std::array seams{Seam::flush, Seam::gap, Seam::overlap};

/// Spheres that roll, bounce and fly over seams, each in a lane of its own; without walls.
struct Lanes {
    packing::Packing packing = steel_packing("tsuji");
    std::vector<double> seam_at;  // x of the seam of each lane
    std::vector<double> gaps;     // between the plates of each lane, negative: they overlap
    std::vector<bool> one_mesh;
    std::vector<Corners> one, two;  // two meshes: a lane has both plates in one, or one in each

    Lanes(std::size_t count, double end, std::uint64_t seed) {
        packing.law = law_settings("tsuji", {{"restitution", 0.7}});
        packing.species_list[0].elasticity.youngs_modulus = 1e7;
        packing.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
        packing.gravity = {0, 0, -9.81};
        Random draw{seed};
        for (std::size_t i = 0; i < count; ++i) {
            // Rows and columns, because places within 2e-6 of the size of a mesh are one.
            const double at = 2.5 * way * static_cast<double>(i % 8),
                         y = lane * static_cast<double>(i / 8), speed = std::exp(draw(-5.0, -0.5));
            const bool rolls = draw(0, 1) < 0.5;
            // It crosses the seam at a time between the first and the last tenth.
            const double x = at - speed * end * draw(0.1, 0.9);
            seam_at.push_back(at);
            packing.add(radius, steel_mass(radius),
                        {x, y, radius * (rolls ? 1.0 : draw(1.0, 1.3))});
            packing.velocity.back() = {speed, rolls ? 0.0 : draw(-0.02, 0.02), 0.0};
            packing.angular_velocity.back() = {rolls ? 0.0 : draw(-5, 5),
                                               rolls ? speed / radius : draw(-50, 50), 0.0};
            const Seam seam = seams[i % 3];
            gaps.push_back(seam == Seam::gap       ? radius * std::exp(draw(-9.0, -6.0))
                           : seam == Seam::overlap ? -radius * std::exp(draw(-9.0, 1.0))
                                                   : 0.0);
            const double gap = gaps.back();
            const Vec3 side{0, 0.8 * lane, 0};
            for (const Corners& c :
                 plate({at - way - 0.5 * gap, y - 0.4 * lane, 0}, {way, 0, 0}, side, 2))
                one.push_back(c);
            one_mesh.push_back(draw(0, 1) < 0.5);
            std::vector<Corners>& other = one_mesh.back() ? one : two;
            for (const Corners& c :
                 plate({at + 0.5 * gap, y - 0.4 * lane, 0}, {way, 0, 0}, side, 3))
                other.push_back(c);
        }
    }

    packing::Packing meshed(Vec3 velocity = {}) const {
        packing::Packing p = packing;
        p.walls.push_back({.shape = mesh_of(one), .velocity = velocity});
        p.walls.push_back({.shape = mesh_of(two), .velocity = velocity});
        return p;
    }
    packing::Packing flat(Vec3 velocity = {}) const {
        packing::Packing p = packing;
        p.walls.push_back({.shape = packing::Plane{}, .velocity = velocity});
        return p;
    }
};

/// Which contact counts for each.
std::vector<std::int32_t> counted(const std::vector<MeshContact>& contacts) {
    std::vector<std::int32_t> counting(contacts.size());
    packing::count_once(contacts, radius, counting);
    return counting;
}

}  // namespace

TEST_CASE("two hundred spheres pass seams of meshes as they pass the plane") {
    constexpr double dt = 4e-6;
    constexpr std::int64_t steps = 5000;
    const Lanes lanes(200, dt * static_cast<double>(steps), 1);
    // A wall that moves along takes the spheres with it, also over a seam.
    for (const Vec3 velocity : {Vec3{}, Vec3{0.01, 0.02, 0.0}}) {
        if (sanitised && velocity.x == 0.0) continue;
        for (const EngineMaker& make : engine_makers) {
            const auto plane = make(lanes.flat(velocity), dt),
                       mesh = make(lanes.meshed(velocity), dt);
            plane->advance(steps);
            mesh->advance(steps);
            std::size_t passed = 0, flew = 0;
            for (std::size_t i = 0; i < lanes.gaps.size(); ++i) {
                CAPTURE(i);
                CAPTURE(lanes.gaps[i]);
                const Vec3 a = plane->velocity()[i], b = mesh->velocity()[i];
                passed +=
                    lanes.packing.position[i].x + mesh->displacement()[i].x > lanes.seam_at[i];
                flew += lanes.packing.position[i].z > radius ? 1 : 0;
                // Over a gap the sphere sinks by g^2 / (8 R): its path has the slope g / (2 R). On
                // meshes that are closed a contact passes with its memory, within one step: 3e-8 of
                // the speed. Between patches of one mesh the memory of friction may begin anew,
                // which is felt by the spin: 1.3e-2. Where both push it is 0.1 to 2.
                const double slope = std::max(0.0, lanes.gaps[i]) / (2.0 * radius);
                const double speed = size_of(lanes.packing.velocity[i]) + size_of(velocity);
                const double allowed =
                    (lanes.one_mesh[i] ? 2e-2 : 1e-6) * speed + 4.0 * slope * speed;
                CHECK(size_of(a - b) <= allowed);
                CHECK(radius *
                          size_of(plane->angular_velocity()[i] - mesh->angular_velocity()[i]) <=
                      3.0 * allowed);
                CHECK(size_of(plane->displacement()[i] - mesh->displacement()[i]) <=
                      allowed * dt * static_cast<double>(steps));
            }
            CHECK(passed > 150);
            CHECK(flew > 50);
        }
    }
}

TEST_CASE("threads, interruptions and resumption change no bit at seams") {
    constexpr double dt = 4e-6;
    Lanes lanes(60, 5000 * dt, 2);
    packing::Packing p = lanes.meshed();
    p.walls[1].angular_velocity = 0.01;  // about z, through the origin: one of the two turns
    add_crystal(p, {.lattice = packing::Lattice::simple_cubic,
                    .cells = {11, 11, 11},
                    .origin = {3.0, 3.0, 3.0},
                    .radius = steel_radius});
    const auto one = packing::make_packing_engine(p, dt, 1);
    one->advance(5000);
    REQUIRE(one->neighbour_list_builds() > 3);
    const auto more = packing::make_packing_engine(p, dt, 3);
    more->advance(2750);
    more->advance(1);
    const SavedPacking columns = saved(*more);
    const auto again = packing::make_packing_engine(p, dt, 2);
    restore(*again, 2751, columns);
    more->advance(2249);
    again->advance(2249);
    for (const auto* engine : {more.get(), again.get()}) {
        CHECK(engine->velocity() == one->velocity());
        CHECK(engine->angular_velocity() == one->angular_velocity());
        CHECK(engine->totals().external_work == one->totals().external_work);
        CHECK(engine->totals().dissipated_tangential == one->totals().dissipated_tangential);
    }
}

TEST_CASE(
    "contacts of one particle are one where their directions agree at a rim or at one place") {
    const auto tilted = [](double angle) { return Vec3{std::sin(angle), 0, std::cos(angle)}; };
    constexpr double near = 0.999 * radius, far = radius;
    // At a rim: below and above the angle.
    CHECK(counted({{tilted(0), near, false}, {tilted(0.09), far, true}}) ==
          std::vector<std::int32_t>{-1, 0});
    CHECK(counted({{tilted(0), near, false}, {tilted(0.11), far, true}}) ==
          std::vector<std::int32_t>{-1, -1});
    // The nearest counts, wherever it stands; of equal ones the first.
    CHECK(counted({{tilted(0.05), far, true}, {tilted(0), near, false}}) ==
          std::vector<std::int32_t>{1, -1});
    CHECK(counted({{tilted(0), near, true}, {tilted(0), near, true}, {tilted(0), near, true}}) ==
          std::vector<std::int32_t>{-1, 0, 0});
    // Two faces: two contacts, but where they are one place.
    CHECK(counted({{tilted(0), near, false}, {tilted(0.05), near, false}}) ==
          std::vector<std::int32_t>{-1, -1});
    CHECK(counted({{tilted(0), near, false}, {tilted(5e-4), near, false}}) ==
          std::vector<std::int32_t>{-1, 0});
    // What is not found counts for nothing and is no contact.
    CHECK(counted({{}, {tilted(0), near, true}, {}}) == std::vector<std::int32_t>{-1, -1, -1});
    CHECK(counted({}).empty());
    // A rim in the plane of the nearest face, at an angle that a deep overlap reaches; and above
    // it.
    CHECK(counted({{tilted(0), near, false}, {tilted(0.2), near / std::cos(0.2), true}}) ==
          std::vector<std::int32_t>{-1, 0});
    CHECK(counted({{tilted(0), near, false}, {tilted(0.2), near, true}}) ==
          std::vector<std::int32_t>{-1, -1});
}

}  // namespace beadwave::validation::mesh_seams_test
