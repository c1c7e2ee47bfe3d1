#include "tiled_layout.hpp"

#include "tiled_kernel.hpp"

#include <algorithm>
#include <limits>

namespace beadwave::dynamics {
namespace {

// A tile and what is computed of it stay in the second-level cache; copying it and its halos costs
// a few percent. Short chains are cut into smaller tiles, enough for the threads.
constexpr std::size_t smallest_tile = 960, largest_tile = 5760;
constexpr std::size_t wanted_tiles = 32;
constexpr std::int64_t steps_of_tile(std::size_t beads) {
    return 31 * static_cast<std::int64_t>(2 + beads / smallest_tile);
}
// Where a sleep speed leaves but a few beads awake, small tiles visited shortly leave out more.
constexpr TileShape for_sleepers = {.beads = 960, .steps = 62};
/// Up to here one tile without a halo, visited for as long as nobody asks, does best.
constexpr std::size_t one_tile = 512;

}  // namespace

TileLayout lay_tiles(std::size_t beads, const TileShape& shape) {
    const std::size_t end = whole_blocks(beads + 1);
    const bool single = shape.beads == 0 ? beads <= one_tile : beads <= shape.beads;
    if (single && shape.sleep_speed == 0.0) {
        return {.borders = {0, end}, .steps = std::numeric_limits<std::int64_t>::max(), .halo = 0};
    }
    TileShape standard = for_sleepers;
    if (shape.sleep_speed == 0.0) {
        standard.beads = std::clamp(beads / wanted_tiles, smallest_tile, largest_tile);
        standard.steps = steps_of_tile(standard.beads);
    }
    const std::size_t wanted =
        whole_blocks(std::max<std::size_t>(shape.beads == 0 ? standard.beads : shape.beads, 2));
    const std::size_t tiles = std::max<std::size_t>(end / wanted, 1);
    TileLayout layout{
        .borders = {}, .steps = shape.steps == 0 ? standard.steps : shape.steps, .halo = 0};
    for (std::size_t t = 0; t <= tiles; ++t)
        layout.borders.push_back(end / block_beads * t / tiles * block_beads);
    // A halo lies in the next tile, and nothing crosses a whole tile in one visit.
    std::size_t smallest = end;
    for (std::size_t t = 0; t < tiles; ++t)
        smallest = std::min(smallest, layout.borders[t + 1] - layout.borders[t]);
    layout.steps =
        std::clamp<std::int64_t>(layout.steps, 1, static_cast<std::int64_t>(smallest) - 1);
    layout.halo = reach(layout.steps);
    return layout;
}

}  // namespace beadwave::dynamics
