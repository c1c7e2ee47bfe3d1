// Ranks that take unequal times get unequal numbers of blocks, with the same bits as before. What
// they took is given here; no clock is read.

#include "cuts_of_ranks.hpp"
#include "packing_backends.hpp"
#include "packings.hpp"
#include "poured_packings.hpp"
#include "same_bits.hpp"
#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace beadwave::validation::balanced_ranks_test {

using packing::Vec3;

namespace {

constexpr double step = 2e-7;

/// Two halves of a crystal that slide over each other, in a periodic box: twelve blocks.
packing::Packing sliding() {
    packing::Packing p = steel_packing("hertz");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    const packing::Crystal crystal{.lattice = packing::Lattice::fcc,
                                   .cells = {8, 8, 48},
                                   .radius = steel_radius,
                                   .overlap = 1e-6};
    add_crystal(p, crystal);
    p.box.upper = packing::period(crystal);
    p.box.periodic = {true, true, true};
    for (std::size_t i = 0; i < p.particles(); ++i)
        p.velocity[i] = {i < p.particles() / 2 ? 20.0 : -20.0, 0.1 * static_cast<double>(i % 7),
                         0.0};
    return p;
}

/// Some steps with each of a few lists.
void advance(packing::PackingEngine& engine) {
    for (int list = 0; list < 8; ++list) {
        engine.advance(20);
        engine.rebuild_list();
    }
}

std::vector<double> numbers_of(const packing::PackingEngine& engine) {
    std::vector<double> all;
    const std::vector<Vec3> moved = engine.displacement(), turning = engine.angular_velocity();
    for (std::size_t i = 0; i < moved.size(); ++i)
        all.insert(all.end(),
                   {moved[i].x, moved[i].y, moved[i].z, turning[i].x, turning[i].y, turning[i].z});
    return all;
}

}  // namespace

TEST_CASE("a slow rank gets fewer particles while it is slow, and no bit changes") {
    const packing::Packing p = sliding();
    packing::PackingEngine alone = fast_engine(p, step, 1, packing::Sleep::yes);
    advance(alone);
    const std::vector<double> slow_until = numbers_of(alone);
    advance(alone);
    const std::vector<double> expected = numbers_of(alone);
    ThreadRanks::run(2, [&](ranks::Communicator& ranks) {
        const bool second = ranks.rank() == 1;
        packing::PackingEngine engine = fast_engine(p, step, 1, packing::Sleep::yes, &ranks);
        const auto slow = std::make_shared<double>(second ? 3.0 : 1.0);
        fast_of(engine).set_balance(
            {.times = [slow](const packing::BlockShare&,
                             std::span<double> seconds) { std::ranges::fill(seconds, *slow); },
             .cuts = {}});
        const auto own_blocks = [&] {
            return (static_cast<double>(engine.own().size()) + 512.0) / packing::block_size;
        };
        advance(engine);
        const std::vector<double> half = numbers_of(engine);
        // Three of the twelve blocks take as long as nine on the other rank; one block more or less
        // where others gain too little.
        CHECK(own_blocks() > (second ? 2.0 : 8.0));
        CHECK(own_blocks() < (second ? 5.0 : 11.0));
        *slow = 1.0;
        advance(engine);
        const std::vector<double> all = numbers_of(engine);
        CHECK(own_blocks() > 5.0);
        CHECK(own_blocks() < 8.0);
        if (!ranks.first()) return;
        CHECK(same_bits(half, slow_until));
        CHECK(same_bits(all, expected));
    });
}

TEST_CASE("particles that wait to be poured are spread over the ranks, as memory is") {
    packing::Packing p = steel_packing("hertz");
    for (int i = 0; i < 2048; ++i)
        p.add(steel_radius, steel_mass(steel_radius),
              {0.01 * (i % 16), 0.01 * (i / 16 % 16), 0.01 * (i / 256)});
    constexpr std::size_t waiting = 20;  // blocks
    add_pour(p, waiting * packing::block_size, steel_radius,
             {.lower = {1, 1, 1}, .upper = {2, 2, 2}}, 0.0, {});
    p.pours.back().start = 1.0;
    ThreadRanks::run(3, [&](ranks::Communicator& ranks) {
        packing::PackingEngine engine = fast_engine(p, step, 1, packing::Sleep::yes, &ranks);
        const auto last = std::make_shared<packing::Cuts>();
        fast_of(engine).set_balance(
            {.times =
                 [](const packing::BlockShare& share, std::span<double> seconds) {
                     for (std::size_t k = 0; k < seconds.size(); ++k)
                         seconds[k] = share.first_block() + k < 2 ? 1.0 : 0.0;
                 },
             .cuts = [last](packing::Cuts& cuts) { *last = cuts; }});
        advance(engine);
        REQUIRE(last->size() == 4);
        for (std::size_t r = 0; r < 3; ++r) {
            CAPTURE(r);
            // At most twice the mean of 22 blocks over three ranks.
            CHECK((*last)[r + 1] - (*last)[r] <= 14);
        }
        CHECK((*last)[1] == 1);  // the two that take time are apart
    });
}

}  // namespace beadwave::validation::balanced_ranks_test
