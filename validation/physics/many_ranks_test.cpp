// A machine of many ranks, simulated as threads: a packing on sixteen and on sixty-four ranks, each
// of which has one or two blocks, equals a packing on one process to the bit.

#include "packings.hpp"
#include "sanitised.hpp"
#include "shared_packings.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace beadwave::validation::many_ranks_test {

using namespace beadwave::validation::sharing;

/// Two halves of a crystal that run into each other, and a fixed particle.
packing::Packing halves(std::array<std::int64_t, 3> cells) {
    packing::Packing p = steel_packing("tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.8}});
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    add_crystal(p, {.lattice = packing::Lattice::fcc, .cells = cells, .radius = steel_radius});
    for (std::size_t i = 0; i < p.particles(); ++i)
        p.velocity[i] = {i < p.particles() / 2 ? 25.0 : -25.0, static_cast<double>(i % 7), 0.0};
    p.fixed.assign(p.particles(), false);
    p.fixed[1000] = 1;
    p.velocity[1000] = {};
    p.skin = 0.05 * steel_radius;
    p.precision = packing::Precision::mixed;  // lists do not reach further for fast particles
    return p;
}

TEST_CASE("sixteen ranks, each of which has a block or two, take the steps of one process") {
    if (sanitised) return;
    const packing::Packing p = halves({16, 16, 17});
    const Numbers found = check_same({p, 2e-7, {10, 10, 10, 10}, {5, 12000}}, {16});
    CHECK(found.at("numbers").rbegin()[1] > 0);  // rebuilds
}

TEST_CASE("sixteen ranks, each of which has a block or two, know what each contact dissipates") {
    if (sanitised) return;
    packing::Packing p = halves({16, 16, 17});
    p.precision = packing::Precision::full;
    const Numbers found = check_same(
        {p, 2e-7, {20, 20, 20, 20}, {5, 12000}, packing::ContactRecords::dissipation}, {16});
    CHECK(found.at("numbers").rbegin()[1] > 0);  // rebuilds
    CHECK(sum_of(found.at("dissipation")) > 0.0);
}

TEST_CASE("sixty-four ranks, each of which has a block or two, take the steps of one process") {
    if (sanitised) return;
    const packing::Packing p = halves({25, 25, 27});
    REQUIRE(p.particles() > 64 * 1024);
    const Case what{p, 2e-7, {8, 8}, {5, 60000}};
    Numbers expected;
    Saved middle, shared;
    run(what, nullptr, 1, expected, middle, nullptr);
    check_equal(run_shared(what, 64, 1, shared, nullptr), expected);
    check_equal(shared.columns, middle.columns);
    CHECK(expected.at("numbers").rbegin()[1] > 0);  // rebuilds
}

}  // namespace beadwave::validation::many_ranks_test
