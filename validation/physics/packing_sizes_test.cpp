// A packing of spheres whose radii are from 1 to 30, while it moves: the list has every pair that
// touches, and no bit depends on the number of threads.

#include "normal_numbers.hpp"
#include "packing/build/lattices.hpp"
#include "packing_backends.hpp"
#include "poured_packings.hpp"
#include "saved_packings.hpp"
#include "simd/instruction_sets.hpp"
#include "splitmix.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <vector>

namespace beadwave::validation::packing_sizes_test {

using packing::Vec3;

namespace {

constexpr double smallest = 1e-3, ratio = 30.0;

/// Spheres of every ratio in a box, a few of them as large as they may be, that collide.
packing::Packing mixture(bool periodic, std::size_t count) {
    packing::Packing p = soft_packing("tsuji");
    p.gravity = {};
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    std::vector<double> radii;
    std::uint64_t number = 1;
    double volume = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        number = mixed(number);
        const double part = static_cast<double>(number >> 11) * 0x1p-53;
        radii.push_back(smallest * (i % 512 == 5 ? ratio : std::pow(ratio, part * part)));
        volume += 4.0 / 3.0 * std::numbers::pi * std::pow(radii.back(), 3);
    }
    const double edge = std::cbrt(volume / 0.28);
    const std::vector<Vec3> places =
        packing::random_loose(radii, {0, 0, 0}, {edge, edge, edge}, 3, 4);
    for (std::size_t i = 0; i < count; ++i) {
        p.add(radii[i], steel_mass(radii[i]), places[i]);
        p.velocity.back() =
            1.5 * Vec3{normal_number(1, i), normal_number(2, i), normal_number(3, i)};
    }
    p.box = {.lower = {0, 0, 0}, .upper = {edge, edge, edge}};
    p.box.periodic = {periodic, periodic, periodic};
    if (!periodic) {
        for (const Vec3 normal : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
            p.walls.push_back({.shape = packing::Plane{.point = {0, 0, 0}, .normal = normal}});
            p.walls.push_back(
                {.shape = packing::Plane{.point = edge * Vec3{1, 1, 1}, .normal = -1.0 * normal}});
        }
    }
    p.skin = 0.3 * smallest;
    return p;
}

using Pair = std::array<std::size_t, 2>;

/// All pairs of particles that overlap by more than `depth` [m].
std::vector<Pair> touching(const packing::Packing& p, const std::vector<Vec3>& displacement,
                           double depth) {
    std::vector<Pair> pairs;
    const Vec3 edge = p.box.upper - p.box.lower;
    const auto nearest = [](double x, double period) {
        return x - period * std::round(x / period);
    };
    for (std::size_t i = 0; i < p.particles(); ++i) {
        for (std::size_t j = i + 1; j < p.particles(); ++j) {
            Vec3 r = p.position[j] + displacement[j] - (p.position[i] + displacement[i]);
            if (p.box.periodic[0])
                r = {nearest(r.x, edge.x), nearest(r.y, edge.y), nearest(r.z, edge.z)};
            const double reach = p.radius[i] + p.radius[j] - depth;
            if (dot(r, r) < reach * reach) pairs.push_back({i, j});
        }
    }
    return pairs;
}

}  // namespace

TEST_CASE("contacts of sizes from 1 to 30 are all pairs that overlap, after every motion") {
    for (const bool periodic : {false, true}) {
        INFO(periodic);
        const packing::Packing p = mixture(periodic, 1500);
        packing::PackingEngine engine = fast_engine(p, 4e-6, 1, packing::Sleep::yes);
        std::size_t met = 0;
        for (int piece = 0; piece < 6; ++piece) {
            engine.advance(60);
            std::vector<Pair> closed;
            for (const packing::ContactState& contact : engine.contacts()) {
                if (contact.second < p.particles())
                    closed.push_back({contact.first, contact.second});
            }
            std::ranges::sort(closed);
            const auto displacement = engine.displacement();
            // Rounding of places decides about overlaps that are smaller than this.
            constexpr double rounding = 1e-12;
            const auto within = touching(p, displacement, rounding),
                       about = touching(p, displacement, -rounding);
            CHECK(std::ranges::includes(closed, within));
            CHECK(std::ranges::includes(about, closed));
            met += within.size();
        }
        CHECK(met > 300);
        CHECK(engine.neighbour_list_builds() > 6);
    }
}

TEST_CASE("sizes from 1 to 30 have the same bits on one thread and two, of each instruction set") {
    const packing::Packing p = mixture(true, 5000);
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        INFO(set.name);
        const auto state_on = [&](int threads) {
            packing::PackingEngine engine(std::make_unique<packing::FastPackingEngine>(
                p, 4e-6, threads, set, packing::Sleep::yes));
            engine.advance(150);
            CHECK(engine.neighbour_list_builds() > 2);
            return saved(engine);
        };
        CHECK(state_on(2) == state_on(1));
    }
}

}  // namespace beadwave::validation::packing_sizes_test
