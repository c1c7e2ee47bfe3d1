#include "tiled_layout.hpp"

#include "beadwave/argument_error.hpp"
#include "chain/pair_table.hpp"
#include "dynamics/one_tile.hpp"
#include "ranks/communicator.hpp"
#include "ranks/exact_sum.hpp"
#include "tiled_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace beadwave::dynamics {
namespace {

// A tile and its workspace fit the second-level cache; copying it and its halos costs a few percent
// of the time. Short chains are cut into smaller tiles, so that there are enough for the threads.
constexpr std::size_t smallest_tile = 960, largest_tile = 5760;
constexpr std::size_t wanted_tiles = 32;
// Halos are as wide as all the neighbours that a bead feels in a time block, so that this is
// shorter where forces reach further.
constexpr std::int64_t steps_of_tile(std::size_t beads, std::size_t neighbours) {
    const std::size_t parts = (2 + beads / smallest_tile) / neighbours;
    return 31 * static_cast<std::int64_t>(std::max<std::size_t>(parts, 1));
}
// A bead that carries something has more columns to copy, so that tiles are larger as soon as there
// are a few of them.
constexpr std::size_t carrying_tile = 1440, fewest_carrying_tiles = 6;
// With a sleep speed only a few beads are awake: small tiles and short time blocks skip more beads.
constexpr TileShape for_sleepers = {.beads = 960, .steps = 62};

/// How a whole chain is cut, independently of the ranks.
struct Cut {
    std::size_t end, tiles;
    std::int64_t steps;
    std::size_t halo;

    std::size_t border(std::size_t tile) const {
        return end / block_beads * tile / tiles * block_beads;
    }
    /// The first tile of one of `count` ranks.
    std::size_t first_tile(std::size_t rank, std::size_t count) const {
        return tiles * rank / count;
    }
    std::size_t smallest_tile() const { return end / block_beads / tiles * block_beads; }
};

Cut cut_of(std::size_t beads, const TileShape& shape, const Burden& burden) {
    const std::size_t neighbours = burden.neighbours;
    const std::size_t end = whole_blocks(beads + 1);
    const bool single = shape.beads == 0 ? beads <= most_beads_of_one_tile : beads <= shape.beads;
    if (single && shape.sleep_speed == 0.0) {
        return {
            .end = end, .tiles = 1, .steps = std::numeric_limits<std::int64_t>::max(), .halo = 0};
    }
    TileShape standard = for_sleepers;
    if (shape.sleep_speed == 0.0) {
        standard.beads = std::clamp(beads / wanted_tiles, smallest_tile, largest_tile);
        if (burden.any) {
            standard.beads =
                std::max(standard.beads, std::min(beads / fewest_carrying_tiles, carrying_tile));
        }
        standard.steps = steps_of_tile(standard.beads, neighbours);
    }
    const std::size_t wanted =
        whole_blocks(std::max(shape.beads == 0 ? standard.beads : shape.beads, 2 * neighbours));
    Cut cut{.end = end,
            .tiles = std::max<std::size_t>(end / wanted, 1),
            .steps = shape.steps == 0 ? standard.steps : shape.steps,
            .halo = 0};
    // A halo lies within the next tile, and information cannot cross a whole tile in one time
    // block.
    const auto longest = static_cast<std::int64_t>(cut.smallest_tile() / neighbours) - 1;
    cut.steps = std::clamp<std::int64_t>(cut.steps, 1, longest);
    cut.halo = reach(cut.steps, neighbours);
    return cut;
}

/// Beads of each neighbour that a rank copies: halos, and the beads that its blocks of sums extend
/// to with what forces reach from there.
std::size_t borrowed_beads(const Cut& cut, std::size_t neighbours) {
    return std::max(cut.halo,
                    ranks::sum_block + block_beads + (neighbours == 1 ? 0 : 2 * block_beads));
}

}  // namespace

chain::Partition partition_of(std::size_t beads, const TileShape& shape, ranks::Communicator& ranks,
                              const Burden& burden) {
    const Cut cut = cut_of(beads, shape, burden);
    const auto count = static_cast<std::size_t>(ranks.count());
    const auto rank = static_cast<std::size_t>(ranks.rank());
    const std::size_t borrowed = borrowed_beads(cut, burden.neighbours);
    // The last tile ends behind the last bead.
    const std::size_t fewest = cut.tiles / count * cut.smallest_tile();
    if (count > 1 && (cut.halo == 0 || fewest < borrowed + block_beads)) {
        const std::size_t tiles_per_rank =
            (borrowed + 2 * block_beads + cut.smallest_tile() - 1) / cut.smallest_tile();
        throw ArgumentError(
            fmt::format("{} beads are too few for {} processes; expected at most {} of them", beads,
                        count, std::max<std::size_t>(cut.tiles / tiles_per_rank, 1)));
    }
    const std::size_t begin = cut.border(cut.first_tile(rank, count));
    const std::size_t end = std::min(cut.border(cut.first_tile(rank + 1, count)), beads);
    const std::size_t before = begin - std::min(begin, borrowed);
    return {.ranks = &ranks,
            .total = beads,
            .begin = begin,
            .end = end,
            .first = before / ranks::sum_block * ranks::sum_block,
            .last = std::min(end + borrowed, beads)};
}

TileLayout build_layout(const chain::Chain& chain, const TileShape& shape) {
    const std::size_t neighbours = chain::reach_of(chain.elements);
    const Cut cut =
        cut_of(chain.total(), shape, {.any = !chain.elements.empty(), .neighbours = neighbours});
    std::size_t first = 0, last = cut.tiles;
    if (chain.partition) {
        const ranks::Communicator& ranks = *chain.partition->ranks;
        const auto rank = static_cast<std::size_t>(ranks.rank());
        const auto count = static_cast<std::size_t>(ranks.count());
        first = cut.first_tile(rank, count);
        last = cut.first_tile(rank + 1, count);
    }
    TileLayout layout{.borders = {},
                      .steps = cut.steps,
                      .halo = cut.halo,
                      .neighbours = neighbours,
                      .end = whole_blocks(chain.beads() + 1),
                      .first_tile = first,
                      .all_tiles = cut.tiles,
                      .cut_left = chain.first() > 0,
                      .cut_right = chain.first() + chain.beads() < chain.total()};
    for (std::size_t t = first; t <= last; ++t)
        layout.borders.push_back(cut.border(t) - chain.first());
    if (layout.borders.front() != chain.own_begin() ||
        std::min(layout.borders.back(), chain.beads()) != chain.own_end() ||
        (layout.cut_left && chain.own_begin() < layout.halo) ||
        (layout.cut_right && chain.beads() - chain.own_end() < layout.halo))
        throw std::logic_error("the partition of the chain does not match its tiles");
    return layout;
}

}  // namespace beadwave::dynamics
