// A tiled engine whose chain steps together with others (../lanes/chain_lanes.cpp).

#include "tiled_engine_class.hpp"

namespace beadwave::dynamics {

std::optional<ChainView> TiledEngine::lane_view() {
    const bool one_tile = layout_.all_tiles == 1 && layout_.halo == 0;
    if (!one_tile || of_beads_ || left_wall_.moves() || right_wall_.moves() || ranks_ != nullptr)
        return std::nullopt;
    return ChainView{.target = target_,
                     .law = law_.index,
                     .law_fields = law_.fields,
                     .memory_fields = law_.memory_fields,
                     .conservative = law_.conservative,
                     .beads = n_,
                     .awake = std::min(activity_.moving(0).second, n_),
                     .step = step_,
                     .parameters = parameters_.row(0, layout_.end, buffers_[0]),
                     .state = state_.view()};
}

void TiledEngine::advanced_in_lane(std::int64_t steps) {
    TileTask row{};
    row.state = state_.view();
    row.length = layout_.end;
    const Parameters parameters = parameters_.row(0, row.length, buffers_[0]);
    // A chain at rest has no window.
    if (!activity_.plan(0).empty())
        monitor_slopes(0, parameters, row, 0, row.length, state_, step_, steps);
    step_ += steps;
    store_scan(0, 0, kernel_.scan(parameters, row, 0, row.length, 0.0));
    statistics_.changed(0, 0, n_ + 1);
}

}  // namespace beadwave::dynamics
