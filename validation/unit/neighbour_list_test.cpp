// The neighbour list against all pairs of images, for particles of very different sizes.

#include "packing/neighbours/neighbour_list.hpp"

#include "splitmix.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

namespace beadwave::validation::neighbour_list_test {

using packing::Vec3;

namespace {

using Pair = std::array<std::int64_t, 5>;  // first, second, image

struct Mixture {
    std::vector<Vec3> position;
    std::vector<double> radius;
    packing::Box box{.lower = {-1.0, -1.0, -1.0}, .upper = {1.0, 1.0, 1.0}};

    packing::NeighbourSearch search(double skin, const std::optional<packing::Edges>& edges) const {
        packing::NeighbourSearch s{.position = position,
                                   .radius = radius,
                                   .walls = {},
                                   .moved = {},
                                   .box = box,
                                   .skin = skin};
        s.edges = edges;
        return s;
    }

    std::vector<Pair> all_pairs(double skin, const packing::Edges& edges) const {
        std::vector<Pair> pairs;
        const auto images = [&](int axis) { return box.periodic[axis] ? 4 : 0; };
        for (std::size_t i = 0; i < position.size(); ++i) {
            for (std::size_t j = i + 1; j < position.size(); ++j) {
                for (int a = -images(0); a <= images(0); ++a) {
                    for (int b = -images(1); b <= images(1); ++b) {
                        for (int c = -images(2); c <= images(2); ++c) {
                            const Vec3 r = position[j] - position[i] + edges.shift({a, b, c});
                            const double reach = radius[i] + radius[j] + skin;
                            if (dot(r, r) < reach * reach)
                                pairs.push_back({static_cast<std::int64_t>(i),
                                                 static_cast<std::int64_t>(j), a, b, c});
                        }
                    }
                }
            }
        }
        return pairs;
    }
};

std::vector<Pair> pairs_of(const packing::NeighbourList& list, std::size_t particles) {
    std::vector<Pair> pairs;
    for (std::size_t k = 0; k < list.pairs(); ++k) {
        packing::Ghost ghost{.of = list.second[k]};
        if (ghost.of >= particles) ghost = list.ghosts[ghost.of - particles];
        pairs.push_back({list.first[k], ghost.of, ghost.image[0], ghost.image[1], ghost.image[2]});
    }
    std::ranges::sort(pairs);
    return pairs;
}

Mixture mixture(std::uint64_t seed, std::array<bool, 3> periodic) {
    Mixture made;
    made.box.periodic = periodic;
    std::uint64_t number = validation::mixed(seed);
    const auto uniform = [&] {
        number = validation::mixed(number);
        return static_cast<double>(number >> 11) * 0x1p-53;
    };
    const auto place = [&] { return 2.6 * uniform() - 1.3; };  // outside the box, too
    for (int i = 0; i < 260; ++i) {
        const double x = place(), y = place(), z = place();
        made.position.push_back({x, y, z});
        const double halvings = 1.0 + 5.0 * uniform();
        made.radius.push_back(i % 90 == 7 ? 0.4 : 0.4 / std::pow(2.0, halvings));
    }
    return made;
}

}  // namespace

TEST_CASE("neighbours of sizes from 1 to 64 are all pairs within reach, in every kind of box") {
    std::size_t found = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        for (const std::array<bool, 3> periodic :
             {std::array{false, false, false}, std::array{true, true, true},
              std::array{true, false, true}}) {
            const Mixture made = mixture(seed, periodic);
            const packing::Edges edges = packing::Edges::of_box(made.box);
            for (const double skin : {0.001, 0.05}) {
                const auto list = packing::find_neighbours(made.search(skin, {}));
                auto expected = made.all_pairs(skin, edges);
                std::ranges::sort(expected);
                CHECK(pairs_of(list, made.position.size()) == expected);
                found += expected.size();
            }
            if (!(periodic[0] && periodic[1])) continue;
            packing::Edges tilted = edges;
            tilted.of[3] = 0.7;  // xy
            tilted.of[4] = periodic[2] ? -0.4 : 0.0;
            auto expected = made.all_pairs(0.01, tilted);
            std::ranges::sort(expected);
            const auto list = packing::find_neighbours(made.search(0.01, tilted));
            CHECK(pairs_of(list, made.position.size()) == expected);
        }
    }
    CHECK(found > 1000);
}

namespace {

/// Thousands of particles of radii from 1 to 30, most of them small, in a box whose edges are many
/// of the largest: more than one thread looks at together.
Mixture many_sizes() {
    Mixture made;
    made.box.periodic = {true, true, true};
    std::uint64_t number = validation::mixed(11);
    const auto uniform = [&] {
        number = validation::mixed(number);
        return static_cast<double>(number >> 11) * 0x1p-53;
    };
    for (int i = 0; i < 9000; ++i) {
        const double x = 2.0 * uniform() - 1.0, y = 2.0 * uniform() - 1.0,
                     z = 2.0 * uniform() - 1.0, part = uniform();
        made.position.push_back({x, y, z});
        made.radius.push_back(0.006 * std::pow(30.0, part * part));
    }
    return made;
}

/// All pairs, each with the image that is nearest: the reach of two is below half an edge.
std::vector<Pair> nearest_pairs(const Mixture& made, double skin) {
    std::vector<Pair> pairs;
    const auto image = [](double x) { return -std::round(x / 2.0); };  // edges of 2
    for (std::size_t i = 0; i < made.position.size(); ++i) {
        for (std::size_t j = i + 1; j < made.position.size(); ++j) {
            Vec3 r = made.position[j] - made.position[i];
            const double a = image(r.x), b = image(r.y), c = image(r.z);
            r += 2.0 * Vec3{a, b, c};
            const double reach = made.radius[i] + made.radius[j] + skin;
            if (dot(r, r) < reach * reach)
                pairs.push_back({static_cast<std::int64_t>(i), static_cast<std::int64_t>(j),
                                 static_cast<std::int64_t>(a), static_cast<std::int64_t>(b),
                                 static_cast<std::int64_t>(c)});
        }
    }
    return pairs;
}

}  // namespace

TEST_CASE("a list of thousands of sizes is complete, in order, and the same on all threads") {
    const Mixture made = many_sizes();
    constexpr double skin = 0.002;
    packing::NeighbourSearch search = made.search(skin, {});
    const auto list = packing::find_neighbours(search);
    auto expected = nearest_pairs(made, skin);
    std::ranges::sort(expected);
    CHECK(expected.size() > 20'000);
    CHECK(pairs_of(list, made.position.size()) == expected);
    CHECK(std::ranges::is_sorted(list.first));
    search.threads = 3;
    const auto by_threads = packing::find_neighbours(search);
    CHECK(by_threads.first == list.first);
    CHECK(by_threads.second == list.second);
}

TEST_CASE("a part of the particles has the pairs of which it has one, whatever their sizes") {
    const Mixture made = many_sizes();
    packing::NeighbourSearch search = made.search(0.002, {});
    const auto all = pairs_of(packing::find_neighbours(search), made.position.size());
    using Part = std::array<std::size_t, 2>;
    for (const Part& part : {Part{0, 3000}, Part{3000, 5000}, Part{5000, 9000}}) {
        search.own_begin = part[0];
        search.own_end = part[1];
        const auto is_own = [&](std::int64_t i) {
            return static_cast<std::size_t>(i) >= part[0] && static_cast<std::size_t>(i) < part[1];
        };
        std::vector<Pair> expected;
        std::ranges::copy_if(all, std::back_inserter(expected),
                             [&](const Pair& pair) { return is_own(pair[0]) || is_own(pair[1]); });
        CHECK(pairs_of(packing::find_neighbours(search), made.position.size()) == expected);
    }
}

}  // namespace beadwave::validation::neighbour_list_test
