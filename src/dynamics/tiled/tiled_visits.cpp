// What a round does with a tile: it copies its halos, advances alone, and is looked at.

#include "tiled_engine_class.hpp"

#include <cmath>

namespace beadwave::dynamics {
namespace {

/// Steps between two looks at the slopes of the contacts: an automatic step gives the shortest one
/// some five of these.
constexpr std::int64_t steps_between_rates = 248;

}  // namespace

void TiledEngine::visit_in_turn(std::size_t i, const Round& round, std::size_t thread,
                                SensorTrace& trace) {
    if (!borders_.any()) return visit(round.windows[i], round, thread, trace);
    const std::size_t turn = i == 0 ? 0 : i == 1 ? round.windows.size() - 1 : i - 1;
    const Window& window = round.windows[turn];
    visit(window, round, thread, trace);
    if (borders_.has(window.tile) && --border_visits_left_ == 0) send_halos(round);
}

void TiledEngine::save_halo(std::size_t tile, std::size_t halo) {
    const std::size_t middle = halo_middle(tile);
    if (tile > 0) {
        state_.copy_motion_to(halos_, layout_.borders[tile] - halo, middle - halo, halo);
    } else if (layout_.left_is_others()) {
        borders_.copy_left(halos_, middle - halo, halo);
    }
    if (tile + 1 < layout_.tiles()) {
        state_.copy_motion_to(halos_, layout_.borders[tile + 1], middle, halo);
    } else if (layout_.right_is_others()) {
        borders_.copy_right(halos_, middle, halo);
    }
}

void TiledEngine::visit(const Window& window, const Round& round, std::size_t thread,
                        SensorTrace& trace) {
    Rows& workspace = workspaces_[thread];
    const std::size_t halo = round.halo;
    const std::size_t tile_begin = layout_.borders[window.tile],
                      tile_end = layout_.borders[window.tile + 1];
    Visit row{};
    row.state = workspace.view();
    row.first = window.begin - std::min(window.begin, halo);
    row.length = std::min(window.end + halo, layout_.end) - row.first;
    row.left_end = row.first == 0 && !layout_.cut_left;
    row.right_end = row.first + row.length == layout_.end && !layout_.cut_right;
    // A neighbour's halo may reach the end too; only the tile at the end books what its wall
    // does.
    const bool first_tile = is_first(window.tile), last_tile = is_last(window.tile);
    if (row.left_end) row.left_wall = left_.motion(first_tile);
    if (row.right_end) row.right_wall = right_.motion(last_tile);
    row.right_wall_entry = n_ - row.first;

    // What the row holds of this tile comes from the state, the rest from before the round.
    const std::size_t own_begin = std::max(row.first, tile_begin);
    const std::size_t own_end = std::min(row.first + row.length, tile_end);
    const std::size_t left = own_begin - row.first, right = row.first + row.length - own_end;
    state_.copy_sums_to(workspace, own_begin, left, own_end - own_begin);
    const std::size_t middle = halo_middle(window.tile);
    if (left > 0) halos_.copy_motion_to(workspace, middle - left, 0, left);
    if (right > 0) halos_.copy_motion_to(workspace, middle, row.length - right, right);

    row.steps = round.steps;
    row.sensors = sensors_.within(window.begin, window.end);
    row.trace_stride = trace.beads.size();
    row.trace_force = trace.force.data() + static_cast<std::size_t>(round.done) * row.trace_stride;
    row.trace_velocity =
        trace.velocity.data() + static_cast<std::size_t>(round.done) * row.trace_stride;
    const Parameters parameters =
        parameters_.row(row.first, row.first + row.length, rooms_[thread]);
    kernel_.visit(parameters, row);
    if (first_tile) left_.book(1.0, state_.force()[0], round.steps);
    if (last_tile) right_.book(-1.0, state_.force()[n_], round.steps);

    const std::size_t begin = window.begin - row.first, end = window.end - row.first;
    const std::int64_t now = step_ + round.done + round.steps;
    if (rates_speed_ > 0.0 &&
        now / steps_between_rates != (now - round.steps) / steps_between_rates) {
        const RowRates seen = kernel_.rates(parameters, row, begin, end, rates_speed_);
        const std::size_t number = first_ + row.first;
        notes_.keep_rates(window.tile, {.frequency = std::sqrt(seen.stiffness),
                                        .damping = seen.damping,
                                        .frequency_bead = number + seen.stiffness_bead,
                                        .damping_bead = number + seen.damping_bead});
    }
    // Beads beside a wall that moves are not put to rest.
    const bool driven = (first_tile && left_wall_.moves()) || (last_tile && right_wall_.moves());
    const bool whole =
        !driven && layout_.halo > 0 && (step_ + round.done + round.steps) % layout_.steps == 0;
    note(window.tile, row.first,
         kernel_.look(parameters, row, begin, end, whole ? sleep_speed_ : 0.0));
    workspace.copy_to(state_, begin, window.begin, window.end - window.begin);
    notes_.changed(window.tile, window.begin, std::min(window.end, n_ + 1));
}

void TiledEngine::note(std::size_t tile, std::size_t first, const Look& seen) {
    std::size_t begin = first + seen.begin, end = first + seen.end;
    const auto add = [&](std::size_t block) {
        begin = begin == end ? block : std::min(begin, block);
        end = std::max(end, block + block_beads);
    };
    // A driven wall moves whatever the beads do: its block never sleeps.
    if (is_first(tile) && left_wall_.moves()) add(0);
    if (is_last(tile) && right_wall_.moves()) add(n_ / block_beads * block_beads);
    watch_.saw(tile, begin, end);
    notes_.saw(tile, seen);
}

void TiledEngine::look_at_all() {
    ParameterRoom room = parameters_.room();
    for (std::size_t t = 0; t < layout_.tiles(); ++t) {
        with_row(layout_.borders[t], layout_.borders[t + 1], room,
                 [&](const Parameters& p, const Visit& row, std::size_t begin, std::size_t end) {
                     note(t, row.first, kernel_.look(p, row, begin, end, 0.0));
                 });
    }
}

void TiledEngine::record_sleeping(SensorTrace& trace, const Round& round) const {
    std::size_t awake_end = 0;
    const auto fill = [&](std::size_t begin, std::size_t end) {
        for (const TileSensor& sensor : sensors_.within(begin, end)) {
            for (std::int64_t k = 0; k < round.steps; ++k) {
                record(trace, static_cast<std::size_t>(round.done + k), sensor.column, sensor.bead);
            }
        }
    };
    for (const Window& window : round.windows) {
        fill(awake_end, window.begin);
        awake_end = window.end;
    }
    fill(awake_end, n_);
}

}  // namespace beadwave::dynamics
