// The start of a packing that ranks share: each looks at a part of the particles and of the
// contacts that are compressed, and all get the time step, to the bit, and the sentences of one
// process.

#include "beadwave/argument_error.hpp"
#include "packing/build/shared_check.hpp"
#include "packing/step/time_step.hpp"
#include "packings.hpp"
#include "poured_packings.hpp"
#include "same_bits.hpp"
#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace beadwave::validation::shared_start_test {

namespace {

constexpr std::array rank_counts{2, 3, 5, 16};
const stepping::StepRequest request{.end = 1e-4, .interval = 1e-6};

/// What work(ranks) returns on each rank, of every number of ranks.
template <class Result, class Work>
std::vector<Result> on_ranks(const Work& work) {
    std::vector<Result> all;
    std::mutex mutex;
    for (const int count : rank_counts) {
        ThreadRanks::run(count, [&](ranks::Communicator& ranks) {
            Result result = work(&ranks);
            const std::lock_guard lock(mutex);
            all.push_back(std::move(result));
        });
    }
    return all;
}

/// A long crystal on a floor and under a heavy lid, so large that its list has three parts. The
/// overlaps differ from layer to layer and are largest at the end.
packing::Packing long_crystal() {
    packing::Packing p = steel_packing();
    p.law = law_settings("tsuji", {{"restitution", 0.7}});
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    const double edge = 2.0 * steel_radius - 1e-7;
    constexpr int side = 12, layers = 1000;
    for (int k = 0; k < layers; ++k) {
        const double x = edge * k - 1e-10 * k * k;
        for (int i = 0; i < side * side; ++i)
            p.add(steel_radius, steel_mass(steel_radius),
                  {x, edge * (i % side), steel_radius - 2e-7 + edge * (i / side)});
    }
    const double top = p.position.all().back().z + steel_radius;
    p.walls.push_back({.shape = packing::Plane{.point = {}, .normal = {0, 0, 1}}});
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, top - 3e-7}, .normal = {0, 0, -1}}});
    p.walls.back().load = {.mass = 0.01, .force = 10.0, .target_velocity = 0.0, .gain = 0.0};
    return p;
}

std::vector<double> numbers_of(const stepping::TimeStep& step) {
    return {step.step, step.shortest_contact, step.largest_speed, step.jumping, step.rule_time};
}

std::string refusal(const packing::Packing& p, ranks::Communicator* ranks) {
    try {
        packing::choose_time_step(p, request, ranks);
    } catch (const ArgumentError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("ranks choose the time step of one process among compressed contacts, to the bit") {
    const packing::Packing p = long_crystal();
    CHECK(p.particles() > 2 * 65536);
    const std::vector<double> alone = numbers_of(packing::choose_time_step(p, request));
    for (const auto& found : on_ranks<std::vector<double>>([&](ranks::Communicator* ranks) {
             return numbers_of(packing::choose_time_step(p, request, ranks));
         }))
        CHECK(same_bits(found, alone));
}

TEST_CASE("a lid limits the time step of ranks by its contacts in all parts") {
    packing::Packing p = long_crystal();
    p.walls.back().load->mass = 1e-5;  // all its contacts together shake it faster than a sphere
    const stepping::TimeStep alone = packing::choose_time_step(p, request);
    packing::Packing heavy = p;
    heavy.walls.back().load->mass = 1e3;
    CHECK(alone.shortest_contact <
          0.1 * packing::choose_time_step(heavy, request).shortest_contact);
    for (const auto& found : on_ranks<std::vector<double>>([&](ranks::Communicator* ranks) {
             return numbers_of(packing::choose_time_step(p, request, ranks));
         }))
        CHECK(same_bits(found, numbers_of(alone)));
}

TEST_CASE("ranks choose the time step of one process for what falls, turns and is poured") {
    packing::Packing p = steel_packing();
    p.law = law_settings("tsuji", {{"restitution", 0.7}});
    p.gravity = {0.0, 0.3, -9.81};
    for (int i = 0; i < 100; ++i) {
        p.add(steel_radius * (1.0 + 0.01 * (i % 7)), steel_mass(steel_radius),
              {0.013 * i, 0.02 * (i % 11), 0.02 + 0.003 * ((37 * i) % 100)});
        p.velocity.back() = {0.01 * (i % 5), 0.0, 0.1};
    }
    p.fixed.assign(p.particles(), 0);
    p.velocity[50] = {};
    p.fixed[50] = 1;
    add_pour(p, 20, steel_radius, {.lower = {0, 0, 0.5}, .upper = {0.3, 0.3, 0.9}}, 10.0, {});
    p.walls.push_back({.shape = packing::Plane{.point = {}, .normal = {0, 0, 1}}});
    const stepping::StepRequest long_fall{.end = 3.0, .interval = 1e-3};
    const auto check = [&](const packing::Packing& of) {
        const stepping::TimeStep alone = packing::choose_time_step(of, long_fall);
        for (const auto& found : on_ranks<std::vector<double>>([&](ranks::Communicator* ranks) {
                 return numbers_of(packing::choose_time_step(of, long_fall, ranks));
             }))
            CHECK(same_bits(found, numbers_of(alone)));
        return alone.largest_speed;
    };
    const double falling = check(p);
    CHECK(falling > 1.0);
    // The particle that is farthest from the axis decides: the last one of all.
    packing::Packing turning = p;
    turning.walls[0].angular_velocity = 50.0;
    const double farthest = check(turning);
    CHECK(farthest > falling + 50.0);
    // A lid reaches the nearest particle, which a rank in the middle has.
    packing::Packing loaded = p;
    loaded.walls.push_back({.shape = packing::Plane{.point = {0, 0, 5}, .normal = {0, 0, -1}}});
    loaded.walls.back().load = {.mass = 0.01, .force = 1.0, .target_velocity = 0.0, .gain = 0.0};
    const double far = check(loaded);
    loaded.position[60] = {0.5, 0.5, 4.9};
    CHECK(check(loaded) != far);
}

TEST_CASE("a deep overlap that the last rank finds is refused with the sentence of one process") {
    packing::Packing p = long_crystal();
    const std::size_t last = p.particles() - 1;
    packing::Vec3 near = p.position.all()[last - 1];
    near.x += 1e-4;
    p.position[last] = near;
    const std::string alone = refusal(p, nullptr);
    CHECK(alone.starts_with("particles 143998 and 143999, at "));
    for (const auto& found :
         on_ranks<std::string>([&](ranks::Communicator* ranks) { return refusal(p, ranks); }))
        CHECK(found == alone);
    // An earlier one counts before it.
    p.position[1] = p.position.all()[0];
    const std::string first = refusal(p, nullptr);
    CHECK(first.starts_with("particles 0 and 1 are both at "));
    for (const auto& found :
         on_ranks<std::string>([&](ranks::Communicator* ranks) { return refusal(p, ranks); }))
        CHECK(found == first);
}

TEST_CASE("particles that the last rank looks at are refused with the sentence of one process") {
    packing::Packing good = steel_packing();
    for (int i = 0; i < 100; ++i)
        good.add(steel_radius, steel_mass(steel_radius), {0.01 * i, 0.0, 0.01});
    good.walls.push_back({.shape = packing::Plane{.point = {}, .normal = {0, 0, 1}}});
    good.walls.push_back({.shape = packing::Plane{.point = {-1, 0, 0}, .normal = {1, 0, 0}}});
    const auto check = [&](const packing::Packing& p, const std::string& sentence) {
        CHECK(packing::validate(p) == sentence);
        for (const auto& found : on_ranks<std::string>(
                 [&](ranks::Communicator* ranks) { return packing::validate(p, ranks); }))
            CHECK(found == sentence);
    };
    check(good, "");
    packing::Packing p = good;
    p.mass[99] = 0.0;
    check(p, "particle 99: mass is not a finite number above 0");
    p.radius[40] = -1.0;
    check(p, "particle 40: radius is not a finite number above 0");
    // The first wall counts before the first particle.
    p = good;
    p.position[99] = {0.99, 0.0, -0.01};
    p.position[0] = {-2.0, 0.0, 0.01};
    check(p, "wall 0: the centre of particle 99 lies on it or behind it");
    p.position[99] = {-3.0, 0.0, 0.01};
    check(p, "wall 1: the centre of particle 0 lies on it or behind it");
    p.position[0] = {0.0, 0.0, 0.01};
    check(p, "wall 1: the centre of particle 99 lies on it or behind it");
}

}  // namespace beadwave::validation::shared_start_test
