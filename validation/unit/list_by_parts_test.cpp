// The neighbour list of a packing slab by slab against that of the whole packing.

#include "packing/neighbours/list_by_parts.hpp"

#include "packing/neighbours/pair_matching.hpp"
#include "packing/step/fastest_motion.hpp"
#include "packings.hpp"
#include "splitmix.hpp"
#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace beadwave::validation::list_by_parts_test {

using packing::Vec3;

namespace {

using Pair = std::tuple<std::uint32_t, std::uint32_t, std::int32_t, std::array<std::int32_t, 3>>;

/// Particles of a slab, and the bodies of its pairs.
using Part = std::array<std::vector<std::uint32_t>, 3>;

Pair pair_of(const packing::NeighbourList& list, std::size_t particles, std::size_t k) {
    const packing::PairKey key = packing::pair_key(list, particles, k);
    return {key.first, key.second, key.wall, key.image};
}

/// Spheres of different sizes anywhere in a long box, which is periodic along two axes, over a
/// floor; some are held, and some are given periods away.
packing::Packing scattered(std::size_t long_axis) {
    packing::Packing p = steel_packing();
    std::uint64_t state = 7;
    const auto uniform = [&] {
        state = mixed(state);
        return static_cast<double>(state >> 11) * 0x1p-53;
    };
    std::array<double, 3> size{6e-3, 6e-3, 6e-3};
    size[long_axis] = 60e-3;
    p.box.upper = {size[0], size[1], size[2]};
    p.box.periodic = {true, true, false};
    for (int i = 0; i < 1500; ++i) {
        const double r = 2e-4 + 3e-4 * uniform();
        const double away = i % 100 == 0 ? 2.0 : 0.0;
        p.add(r, 1e-6, {size[0] * (uniform() - away), size[1] * uniform(), size[2] * uniform()});
    }
    p.fixed.assign(p.particles(), 0);
    for (std::size_t i = 0; i < p.particles(); i += 3)
        p.fixed[i] = 1;
    p.walls.push_back({.shape = packing::Plane{.point = {}, .normal = {0, 0, 1}}});
    p.skin = 1e-4;
    return p;
}

}  // namespace

TEST_CASE("each pair of a packing is in the list of the slab of its particles, and no other pair") {
    for (const std::size_t axis : {std::size_t{0}, std::size_t{2}}) {
        CAPTURE(axis);
        const packing::Packing p = scattered(axis);
        const std::size_t n = p.particles();
        const std::vector<Vec3> moved(1);
        const std::vector<Vec3> position = p.position;
        const std::vector<double> radius = p.radius;
        const packing::NeighbourList whole = packing::find_neighbours({.position = position,
                                                                       .radius = radius,
                                                                       .walls = p.walls,
                                                                       .moved = moved,
                                                                       .box = p.box,
                                                                       .skin = p.skin,
                                                                       .fixed = p.fixed});
        std::map<std::uint32_t, std::set<Pair>> expected;  // of each particle
        for (std::size_t k = 0; k < whole.pairs(); ++k) {
            const Pair pair = pair_of(whole, n, k);
            expected[std::get<0>(pair)].insert(pair);
            expected[std::get<1>(pair)].insert(pair);
        }
        std::size_t parts = 0, particles = 0, wrong = 0, pairs = 0;
        const auto check = [&](const packing::ListPart& part) {
            ++parts;
            particles += part.own.size();
            std::map<std::uint32_t, std::set<Pair>> found;
            for (std::size_t k = 0; k < part.list.pairs(); ++k) {
                const Pair pair = pair_of(part.list, n, k);
                CHECK((part.has(std::get<0>(pair)) || part.has(std::get<1>(pair))));
                found[std::get<0>(pair)].insert(pair);
                found[std::get<1>(pair)].insert(pair);
            }
            for (const std::uint32_t i : part.own) {
                wrong += found[i] != expected[i] ? 1 : 0;
                pairs += found[i].size();
            }
        };
        packing::ListParts(p, p.skin, nullptr, 200).visit(moved, check);
        CHECK(parts == 8);  // 1500 particles in slabs of 200
        CHECK(particles == n);
        CHECK(wrong == 0);
        CHECK(pairs > n);
    }
}

TEST_CASE("ranks find the slabs of one process, with the same particles and pairs") {
    for (const std::size_t axis : {std::size_t{0}, std::size_t{2}}) {
        CAPTURE(axis);
        const packing::Packing p = scattered(axis);
        const auto parts_of = [&](ranks::Communicator* ranks) {
            std::vector<Part> parts;
            packing::ListParts(p, p.skin, ranks, 200)
                .visit(std::vector<Vec3>(1), [&](const packing::ListPart& part) {
                    parts.push_back({part.own, part.list.first, part.list.second});
                });
            return parts;
        };
        const std::vector<Part> alone = parts_of(nullptr);
        REQUIRE(alone.size() == 8);
        for (const int count : {1, 2, 3, 8, 11}) {
            CAPTURE(count);
            std::vector<std::vector<Part>> of_rank(static_cast<std::size_t>(count));
            ThreadRanks::run(count, [&](ranks::Communicator& ranks) {
                of_rank[static_cast<std::size_t>(ranks.rank())] = parts_of(&ranks);
            });
            std::vector<Part> all;
            for (const std::vector<Part>& parts : of_rank)
                all.insert(all.end(), parts.begin(), parts.end());
            CHECK(all == alone);
        }
    }
}

TEST_CASE("a packing that is too short for three slabs has one") {
    packing::Packing p = steel_packing();
    for (int i = 0; i < 40; ++i)
        p.add(steel_radius, 1.0, {0.1 * steel_radius * i, 0.0, 0.0});
    std::size_t parts = 0;
    packing::ListParts(p, 0.1 * steel_radius, nullptr, 10)
        .visit({}, [&](const packing::ListPart& part) {
            ++parts;
            CHECK(part.own.size() == p.particles());
        });
    CHECK(parts == 1);
}

}  // namespace beadwave::validation::list_by_parts_test
