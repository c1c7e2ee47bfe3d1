// Tests crystals by their neighbours and disorder by its moments, and that random spheres do not
// touch.

#include "packing/neighbours/neighbour_list.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "scenario/disorder.hpp"

#include <array>

namespace beadwave::validation::lattices_test {

using packing::Lattice;
using packing::Vec3;

namespace {

packing::NeighbourList neighbours(const packing::Packing& p, double skin) {
    return packing::find_neighbours({.position = p.position.all(),
                                     .radius = p.radius.all(),
                                     .walls = {},
                                     .box = p.box,
                                     .skin = skin});
}

struct Shells {
    Lattice lattice;
    std::array<std::int64_t, 3> cells;
    std::size_t particles, nearest, next;  // neighbours of each
    double next_distance;                  // [nearest distances]
};

}  // namespace

TEST_CASE("every lattice has its number of neighbours in its first two shells") {
    const Shells all[] = {{Lattice::square, {7, 6, 1}, 42, 4, 4, std::sqrt(2.0)},
                          {Lattice::hexagonal, {6, 6, 1}, 0, 6, 6, std::sqrt(3.0)},
                          {Lattice::simple_cubic, {5, 6, 7}, 210, 6, 12, std::sqrt(2.0)},
                          {Lattice::bcc, {4, 5, 4}, 160, 8, 6, std::sqrt(4.0 / 3.0)},
                          {Lattice::fcc, {4, 3, 4}, 192, 12, 6, std::sqrt(2.0)},
                          {Lattice::hcp, {5, 4, 3}, 240, 12, 6, std::sqrt(2.0)}};
    for (const Shells& shells : all) {
        packing::Packing p = steel_packing();
        const packing::Crystal crystal{
            .lattice = shells.lattice, .cells = shells.cells, .radius = steel_radius};
        add_crystal(p, crystal);
        const bool planar = packing::is_planar(shells.lattice);
        p.dimension = planar ? 2 : 3;
        p.box = {.lower = {}, .upper = packing::period(crystal), .periodic = {true, true, !planar}};
        INFO(packing::lattice_names()[static_cast<std::size_t>(shells.lattice)]);
        if (shells.particles > 0) CHECK(p.particles() == shells.particles);
        const double touching = 2.0 * steel_radius;
        const auto list = neighbours(p, 1e-9 * touching);
        CHECK(list.pairs() == shells.nearest * p.particles() / 2);
        // Just short of the second shell no neighbour is added, just beyond it all of them are.
        const double next = (shells.next_distance - 1.0) * touching;
        CHECK(neighbours(p, 0.999 * next).pairs() == list.pairs());
        CHECK(neighbours(p, 1.001 * next).pairs() ==
              list.pairs() + shells.next * p.particles() / 2);
        std::vector<std::size_t> count(p.particles(), 0);
        for (std::size_t k = 0; k < list.pairs(); ++k) {
            ++count[list.first[k]];
            const std::uint32_t second = list.second[k];
            ++count[second < p.particles() ? second : list.ghosts[second - p.particles()].of];
        }
        for (const std::size_t c : count)
            CHECK(c == shells.nearest);
    }
}

TEST_CASE("an overlap brings touching neighbours closer by exactly that length") {
    packing::Packing p = steel_packing();
    add_crystal(p, {.lattice = Lattice::fcc,
                    .cells = {2, 2, 2},
                    .origin = {0.1, -0.2, 0.3},
                    .radius = steel_radius,
                    .overlap = 1e-6});
    CHECK(p.position[0] == Vec3{0.1, -0.2, 0.3});
    const double distance = size_of(p.position[1] - p.position[0]);
    CHECK_ABSOLUTE(2.0 * steel_radius - distance, 1e-6, 1e-12);
}

TEST_CASE(
    "disordered radii have the given mean and deviation, and depend only on seed and number") {
    constexpr std::uint64_t count = 100000;
    double sum = 0.0, squares = 0.0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const double x = scenario::disordered_radius(0.05, 42, i) - 1.0;
        sum += x;
        squares += x * x;
    }
    // Three standard errors: 0.05 / sqrt(1e5) and 0.05 / sqrt(2e5).
    CHECK_ABSOLUTE(sum / count, 0.0, 3.0 * 0.05 / std::sqrt(1e5));
    CHECK_ABSOLUTE(std::sqrt(squares / count), 0.05, 3.0 * 0.05 / std::sqrt(2e5));
    CHECK(scenario::disordered_radius(0.05, 42, 7) == scenario::disordered_radius(0.05, 42, 7));
    CHECK(scenario::disordered_radius(0.05, 42, 7) != scenario::disordered_radius(0.05, 43, 7));
    CHECK(scenario::disordered_radius(0.0, 42, 7) == 1.0);
}

TEST_CASE("a few tiny spheres in a large box cost no memory") {
    const std::vector<double> radii(5, 1e-7);
    for (const int dimension : {2, 3}) {
        const auto centres = packing::random_loose(radii, {}, {1.0, 0.04, 0.2}, dimension, 7);
        CHECK(centres.size() == radii.size());
    }
}

TEST_CASE("random loose spheres and discs touch neither each other nor the box") {
    for (const int dimension : {2, 3}) {
        const Vec3 lower{-0.01, 0.0, 0.02};
        const Vec3 upper{0.05, 0.06, dimension == 2 ? 0.02 : 0.08};
        std::vector<double> radii;
        for (std::uint64_t i = 0; i < (dimension == 2 ? 70U : 1000U); ++i)
            radii.push_back(0.002 * scenario::disordered_radius(0.2, 9, i));
        const auto centres = packing::random_loose(radii, lower, upper, dimension, 3);
        REQUIRE(centres.size() == radii.size());
        double closest = 1.0;
        for (std::size_t i = 0; i < radii.size(); ++i) {
            const double r = radii[i];
            const Vec3 c = centres[i];
            CHECK((c.x >= lower.x + r && c.x <= upper.x - r));
            CHECK((c.y >= lower.y + r && c.y <= upper.y - r));
            CHECK((dimension == 2 ? c.z == lower.z : c.z >= lower.z + r && c.z <= upper.z - r));
            for (std::size_t j = 0; j < i; ++j)
                closest = std::min(closest, size_of(centres[j] - c) - radii[i] - radii[j]);
        }
        CHECK(closest > 0.0);
        CHECK(packing::random_loose(radii, lower, upper, dimension, 3) == centres);
        CHECK(packing::random_loose(radii, lower, upper, dimension, 4) != centres);
    }
    CHECK_THROWS_AS(
        packing::random_loose(std::vector<double>(100, 0.01), {}, {0.05, 0.05, 0.05}, 3, 1),
        std::invalid_argument);
}

}  // namespace beadwave::validation::lattices_test
