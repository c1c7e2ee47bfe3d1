// Clumps that meet each other, ellipsoids and spheres: what is kept, the frame of their spheres,
// periodic boxes, interruptions, and the neighbour list.
#include "clump_packings.hpp"
#include "largest.hpp"
#include "packing/build/particle_shapes.hpp"
#include "packing/state/fingerprint.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::validation::clump_clouds_test {
namespace {

using packing::make_packing_engine;
using packing::Packing;
using packing::Vec3;

std::vector<shapes::Ball> crooked() {
    return {{{}, 2e-3}, {{2.5e-3, 0.0, 0.0}, 1.5e-3}, {{-0.5e-3, 2e-3, 1e-3}, 1.2e-3}};
}

/// Nine bodies on the corners of a lattice that fly towards its middle: clumps of three balls that
/// overlap, dumbbells whose balls are apart, an ellipsoid and a sphere.
Packing cloud(const std::string& law, double coefficient) {
    RandomNumbers random(12);
    Packing p = shaped_packing(1e7, law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = coefficient};
    const auto three = shapes::make_clump(crooked()), two = dumbbell(1.5e-3, 4.5e-3);
    for (int i = 0; i < 9; ++i) {
        const Vec3 at = Vec3{1.0 * (i % 2), 1.0 * (i / 2 % 2), 1.0 * (i / 4 % 2)} * 9e-3;
        if (i == 6 || i == 7) {
            const Vec3 axes = i == 6 ? Vec3{3e-3, 2e-3, 1.5e-3} : Vec3{2e-3, 2e-3, 2e-3};
            add_body(p, shapes::solid({axes, at, random.rotation()}, 2500.0));
        } else if (i == 8) {
            add_clump(p, two, 2500.0, {4.5e-3, 4.5e-3, 4.5e-3}, random.rotation());
        } else {
            add_clump(p, i % 2 == 0 ? three : two, 2500.0, at, random.rotation());
        }
        p.velocity.back() =
            (Vec3{4.5e-3, 4.5e-3, 4.5e-3} - p.position.back()) * 80.0 + 0.1 * random.direction();
        p.angular_velocity.back() = 100.0 * random.direction();
    }
    p.clumps.resize(p.particles());
    return p;
}

struct Kept {
    double momentum, angular, energy;
    std::size_t most_contacts;
};

Kept kept(const Packing& p, double dt, double time) {
    const auto engine = make_packing_engine(p, dt, 1);
    const packing::PackingTotals before = engine->totals();
    const double momentum = p.mass[0] * 0.6, angular = momentum * 9e-3;
    Largest error;
    std::size_t most = 0;
    constexpr int samples = 200;
    for (int sample = 0; sample < samples; ++sample) {
        engine->advance(static_cast<std::int64_t>(time / dt / samples));
        most = std::max(most, engine->closed_contacts());
        error.enter(std::abs(energy_of(engine->totals()) - energy_of(before)));
    }
    const packing::PackingTotals now = engine->totals();
    CHECK(now.rotational > 0.0);
    return {.momentum = size_of(now.momentum - before.momentum) / momentum,
            .angular = size_of(now.angular_momentum - before.angular_momentum) / angular,
            .energy = error / (before.translational + before.rotational),
            .most_contacts = most};
}

TEST_CASE("momentum, angular momentum and energy of a cloud of clumps stay with friction" *
          doctest::skip(sanitised)) {
    for (const std::string law : {"hertz", "tsuji"}) {
        const Packing p = cloud(law, 0.4);
        const Kept coarse = kept(p, 1e-6, 0.02), fine = kept(p, 2.5e-7, 0.02);
        MESSAGE(law, ": momentum ", fine.momentum, ", angular ", fine.angular, ", energy ",
                coarse.energy, ", ", fine.energy, "; contacts ", fine.most_contacts);
        CHECK(fine.most_contacts > 2);
        CHECK(fine.momentum < 1e-11);
        CHECK(fine.angular < 1e-11);
        CHECK(fine.energy < 1e-5);
        CHECK(fine.energy < coarse.energy / 5.0);
    }
}

TEST_CASE("the axes in which the spheres of a clump are given do not matter") {
    const Packing p = cloud("tsuji", 0.4);
    Packing other = p;
    const shapes::Quaternion q = shapes::normalised({0.5, -0.3, 0.7, 0.2});
    std::vector<shapes::Ball> balls = crooked();
    for (shapes::Ball& ball : balls)
        ball.centre = to_body(q, ball.centre) + Vec3{3e-3, -2e-3, 1e-3};
    const auto turned = shapes::make_clump(balls);
    const auto is_crooked = [&](std::size_t i) {
        return p.is_clump(i) && p.clumps[i]->balls.size() == 3;
    };
    for (std::size_t i = 0; i < p.particles(); ++i) {
        if (!is_crooked(i)) continue;
        other.clumps[i] = turned;
        other.orientation[i] = p.orientation[i] * q;
        other.radius[i] = turned->radius;
        other.semi_axes[i] = {turned->radius, turned->radius, turned->radius};
    }
    const auto a = make_packing_engine(p, 8e-7, 1), b = make_packing_engine(other, 8e-7, 1);
    a->advance(8000);
    b->advance(8000);
    CHECK(a->totals().dissipated_normal > 0.0);
    // Rounding, which collisions enlarge.
    CHECK(largest_difference(b->velocity(), a->velocity()) < 1e-7);
    CHECK(largest_difference(b->angular_velocity(), a->angular_velocity()) < 1e-7);
    Largest turns;
    for (std::size_t i = 0; i < p.particles(); ++i) {
        const shapes::Quaternion mine =
            is_crooked(i) ? a->orientation()[i] * q : a->orientation()[i];
        for (const Vec3& v : {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}})
            turns.enter(size_of(to_space(mine, v) - to_space(b->orientation()[i], v)));
    }
    CHECK(turns < 1e-7);
}

TEST_CASE("clumps meet across the edge of a periodic box as they do within it") {
    const Packing inside = cloud("tsuji", 0.4);
    Packing across = inside;
    across.box = {.lower = {}, .upper = {0.06, 0.0, 0.06}, .periodic = {true, false, true}};
    for (std::size_t i = 0; i < inside.particles(); i += 2)
        across.position[i] += Vec3{-0.12, 0.0, 0.06};
    const auto a = make_packing_engine(inside, 8e-7, 1), b = make_packing_engine(across, 8e-7, 1);
    a->advance(8000);
    b->advance(8000);
    CHECK(a->totals().dissipated_tangential > 0.0);
    CHECK(largest_difference(a->velocity(), b->velocity()) < 1e-9);
    CHECK(largest_difference(a->angular_velocity(), b->angular_velocity()) < 1e-9);
}

/// The cloud falls into a corner of three walls.
Packing falling_cloud() {
    Packing p = cloud("tsuji", 0.4);
    p.gravity = {-30.0, -40.0, -98.1};
    for (const Vec3& normal : {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}})
        p.walls.push_back({.shape = packing::Plane{normal * -4e-3, normal}});
    return p;
}

TEST_CASE("clumps run to the same bits after an interruption") {
    const Packing p = falling_cloud();
    const auto whole = make_packing_engine(p, 2e-6, 1);
    whole->advance(8000);
    CHECK(whole->closed_contacts() > 5);
    CHECK(whole->neighbour_list_builds() > 0);
    const SavedPacking half = saved(*whole);
    whole->advance(1000);
    const auto rest = make_packing_engine(p, 2e-6, 1);
    restore(*rest, 8000, half);
    CHECK(saved(*rest) == half);
    rest->advance(1000);
    CHECK(saved(*rest) == saved(*whole));
    CHECK(rest->orientation() == whole->orientation());
    CHECK(energy_of(rest->totals()) == energy_of(whole->totals()));
}

TEST_CASE("a new neighbour list changes nothing of clumps beyond rounding") {
    const Packing p = falling_cloud();
    const auto seldom = make_packing_engine(p, 2e-6, 1), often = make_packing_engine(p, 2e-6, 1);
    for (int s = 0; s < 100; ++s) {
        seldom->advance(50);
        often->advance(50);
        often->rebuild_list();
    }
    CHECK(often->neighbour_list_builds() >= 100);
    CHECK(often->closed_contacts() > 2);
    CHECK(largest_difference(often->velocity(), seldom->velocity()) < 1e-8);
    CHECK(largest_difference(often->angular_velocity(), seldom->angular_velocity()) < 1e-8);
}

TEST_CASE("a clump may touch another in several places, each with its own friction") {
    Packing p = shaped_packing(1e8, "tsuji");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.5};
    p.walls.push_back({});
    const auto two = dumbbell(2e-3, 5e-3);
    add_clump(p, two, 2500.0, {0.0, 0.0, 2e-3});
    add_clump(p, two, 2500.0, {0.0, 0.0, 5.999e-3});
    p.gravity = {0.0, 0.0, -9.81};
    p.velocity[1] = {0.01, 0.0, 0.0};
    const auto engine = make_packing_engine(p, 1e-6, 1);
    packing::ParticleTrace trace{.particles = {0, 1}, .force = {}, .velocity = {}};
    Largest sums, points;
    std::size_t between = 0;
    for (int s = 0; s < 2000; ++s) {
        engine->advance(1, trace);
        Vec3 on[2]{};
        std::size_t pairs = 0;
        for (const packing::ContactState& c : engine->contacts()) {
            const Vec3 force = c.normal_force + c.tangential_force;
            on[c.first] += force;
            const auto now = [&](std::size_t i) {
                return p.position[i] + engine->displacement()[i];
            };
            if (c.second == 2) continue;
            ++pairs;
            on[c.second] -= force;
            points.enter(size_of(c.branch - (now(1) - now(0))));
        }
        between = std::max(between, pairs);
        for (std::size_t i : {0u, 1u})
            sums.enter(size_of(on[i] - trace.force[i]));
    }
    CHECK(between == 2);
    CHECK(sums < 1e-12);
    CHECK(points < 1e-15);
}

TEST_CASE("a clump that is held stays, as if infinitely heavy") {
    Packing p = cloud("tsuji", 0.4);
    p.velocity[8] = p.angular_velocity[8] = {};
    Packing heavy = p;
    p.fixed.assign(9, 0);
    p.fixed[8] = 1;
    heavy.mass[8] *= 1e12;
    const auto held = make_packing_engine(p, 8e-7, 1), other = make_packing_engine(heavy, 8e-7, 1);
    held->advance(6000);
    other->advance(6000);
    CHECK(held->totals().dissipated_normal > 0.0);
    CHECK(held->displacement()[8] == Vec3{});
    CHECK(held->angular_velocity()[8] == Vec3{});
    std::vector<Vec3> a = held->velocity(), b = other->velocity();
    a.pop_back();
    b.pop_back();
    CHECK(largest_difference(a, b) < 1e-8);
}

TEST_CASE("another clump is another packing, and its arrays must fit it") {
    const Packing p = cloud("tsuji", 0.4);
    CHECK(packing::validate(p) == "");
    Packing other = p, none = p, fewer = p, larger = p;
    other.clumps[0] = scaled(*p.clumps[0], 1.0);
    CHECK(fingerprint(other) == fingerprint(p));
    std::vector<shapes::Ball> balls = crooked();
    balls[1].centre.y = 1e-9;
    other.clumps[0] = shapes::make_clump(balls);
    CHECK(fingerprint(other) != fingerprint(p));
    none.clumps.clear();
    CHECK(fingerprint(none) != fingerprint(p));
    fewer.clumps.pop_back();
    CHECK(packing::validate(fewer) == "clumps: expected one value per particle, or none");
    fewer = p;
    fewer.semi_axes.clear();
    CHECK(packing::validate(fewer) == "clumps: expected semi-axes and orientations too");
    larger.semi_axes[1].y *= 0.5;
    CHECK(packing::validate(larger).find("expected that of the sphere around the clump") !=
          std::string::npos);
}

TEST_CASE("a clump reaches as far as its spheres, and turns with the moments of its axes") {
    const Packing p = cloud("tsuji", 0.4);
    const shapes::Clump& clump = *p.clumps[0];
    const shapes::Quaternion q = p.orientation[0];
    const Vec3 n{0.48, -0.6, 0.64};
    double farthest = 0.0;
    for (const shapes::Ball& ball : clump.balls)
        farthest = std::max(farthest, dot(to_space(q, ball.centre), n) + ball.radius);
    CHECK_RELATIVE(reach_of(p, 0, n), farthest, 1e-12);
    CHECK_RELATIVE(smallest_size(p, 0), 1.2e-3, 1e-14);
    CHECK_RELATIVE(p.solid(0), clump.volume, 1e-15);
    // About each principal axis in turn.
    const Vec3 moments = principal_moments(p, 0);
    const double moment[] = {moments.x, moments.y, moments.z};
    const Vec3 unit[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 spin = 10.0 * to_space(q, to_space(clump.axes, unit[k]));
        CHECK_RELATIVE(rotational_energy(p, 0, q, spin), 50.0 * moment[k], 1e-12);
    }
}

}  // namespace
}  // namespace beadwave::validation::clump_clouds_test
