// The tasks of a time block on a tile: copy its halos, advance its window, scan the result.

#include "tiled_engine_class.hpp"

#include <cmath>

namespace beadwave::dynamics {
namespace {

/// Steps between two evaluations of the contacts' slopes: about a fifth of the shortest contact
/// with an automatic time step.
constexpr std::int64_t steps_between_slope_checks = 248;

}  // namespace

void TiledEngine::run_task(std::size_t i, const TimeBlock& time_block, std::size_t thread,
                           SensorTrace& trace) {
    if (!halo_exchange_.any())
        return advance_window(time_block.windows[i], time_block, thread, trace);
    const std::size_t turn = i == 0 ? 0 : i == 1 ? time_block.windows.size() - 1 : i - 1;
    const ActiveWindow& window = time_block.windows[turn];
    advance_window(window, time_block, thread, trace);
    if (halo_exchange_.has(window.tile) && --border_tasks_left_ == 0) send_halos(time_block);
}

void TiledEngine::copy_halo(std::size_t tile, std::size_t halo) {
    const std::size_t middle = halo_middle(tile);
    if (tile > 0) {
        state_.copy_motion_to(halos_, layout_.borders[tile] - halo, middle - halo, halo);
    } else if (layout_.left_is_others()) {
        halo_exchange_.copy_left(halos_, middle - halo, halo);
    }
    if (tile + 1 < layout_.tiles()) {
        state_.copy_motion_to(halos_, layout_.borders[tile + 1], middle, halo);
    } else if (layout_.right_is_others()) {
        halo_exchange_.copy_right(halos_, middle, halo);
    }
}

void TiledEngine::advance_window(const ActiveWindow& window, const TimeBlock& time_block,
                                 std::size_t thread, SensorTrace& trace) {
    Rows& workspace = workspaces_[thread];
    const std::size_t halo = time_block.halo;
    const std::size_t tile_begin = layout_.borders[window.tile],
                      tile_end = layout_.borders[window.tile + 1];
    TileTask row{};
    row.state = workspace.view();
    row.first = window.begin - std::min(window.begin, halo);
    row.length = std::min(window.end + halo, layout_.end) - row.first;
    row.left_end = row.first == 0 && !layout_.cut_left;
    row.right_end = row.first + row.length == layout_.end && !layout_.cut_right;
    // The halo of a neighbouring tile may also reach the end of the chain; only the tile at the end
    // adds the work of the wall.
    const bool first_tile = is_first(window.tile), last_tile = is_last(window.tile);
    if (row.left_end) row.left_wall = left_.motion(first_tile);
    if (row.right_end) row.right_wall = right_.motion(last_tile);
    row.right_wall_entry = n_ - row.first;

    // The beads of this tile are copied from the state, the other beads from the halos, which hold
    // the state before the time block.
    const std::size_t own_begin = std::max(row.first, tile_begin);
    const std::size_t own_end = std::min(row.first + row.length, tile_end);
    const std::size_t left = own_begin - row.first, right = row.first + row.length - own_end;
    state_.copy_sums_to(workspace, own_begin, left, own_end - own_begin);
    const std::size_t middle = halo_middle(window.tile);
    if (left > 0) halos_.copy_motion_to(workspace, middle - left, 0, left);
    if (right > 0) halos_.copy_motion_to(workspace, middle, row.length - right, right);

    row.steps = time_block.steps;
    row.sensors = sensors_.within(window.begin, window.end);
    row.trace_stride = trace.beads.size();
    row.trace_force =
        trace.force.data() + static_cast<std::size_t>(time_block.done) * row.trace_stride;
    row.trace_velocity =
        trace.velocity.data() + static_cast<std::size_t>(time_block.done) * row.trace_stride;
    const Parameters parameters =
        parameters_.row(row.first, row.first + row.length, buffers_[thread]);
    if (of_beads_) {
        TiledElements::Work& work = element_works_[thread];
        set_elements(row, work, workspace, 0, row.length, step_ + time_block.done);
        of_beads_->add_timed(work, row.first, row.length, tile_begin, tile_end);
    }
    kernel_.advance(parameters, row);
    if (of_beads_) of_beads_->add_work(tile_begin, tile_end, time_block.steps);
    if (first_tile) left_.add_work(1.0, state_.force()[0], time_block.steps);
    if (last_tile) right_.add_work(-1.0, state_.force()[n_], time_block.steps);

    const std::size_t begin = window.begin - row.first, end = window.end - row.first;
    monitor_slopes(window.tile, parameters, row, begin, end, workspace, step_ + time_block.done,
                   time_block.steps);
    // Beads next to a moving wall are not put to sleep.
    const bool driven = (first_tile && left_wall_.moves()) || (last_tile && right_wall_.moves());
    const bool whole = !driven && layout_.halo > 0 &&
                       (step_ + time_block.done + time_block.steps) % layout_.steps == 0;
    Scan found = kernel_.scan(parameters, row, begin, end, whole ? sleep_speed_ : 0.0);
    if (of_beads_) scan_elements(row, begin, end, found);
    store_scan(window.tile, row.first, found);
    workspace.copy_to(state_, begin, window.begin, window.end - window.begin);
    // The contact with the first bead of the next rank also acts on the last own bead.
    if (window.end == layout_.borders.back() && layout_.right_is_others())
        state_.force()[window.end] = row.state.force[end];
    statistics_.changed(window.tile, window.begin, std::min(window.end, n_ + 1));
}

void TiledEngine::monitor_slopes(std::size_t tile, const Parameters& parameters,
                                 const TileTask& row, std::size_t begin, std::size_t end,
                                 Rows& rows, std::int64_t done, std::int64_t steps) {
    if (slope_speed_ <= 0.0 ||
        (done + steps) / steps_between_slope_checks == done / steps_between_slope_checks)
        return;
    RowSlopes found = kernel_.row_slopes(parameters, row, begin, end, slope_speed_);
    if (of_beads_) {
        // At most: the largest of both may be at different beads.
        const ElementSlopes more =
            of_beads_->table().slopes(of_beads_->pointers(rows), row.state.displacement, row.first,
                                      begin, std::min(end, n_ - row.first),
                                      [&](std::size_t bead) { return parameters_.kick(bead); });
        found.stiffness += more.stiffness;
        found.damping += more.damping;
    }
    const std::size_t number = first_ + row.first;
    statistics_.update_stability_limits(tile, {.frequency = std::sqrt(found.stiffness),
                                               .damping = found.damping,
                                               .frequency_bead = number + found.stiffness_bead,
                                               .damping_bead = number + found.damping_bead});
}

void TiledEngine::store_scan(std::size_t tile, std::size_t first, const Scan& found) {
    std::size_t begin = first + found.begin, end = first + found.end;
    const auto add = [&](std::size_t block) {
        begin = begin == end ? block : std::min(begin, block);
        end = std::max(end, block + block_beads);
    };
    // The block of a driven wall never sleeps, because the wall moves independently of the beads.
    if (is_first(tile) && left_wall_.moves()) add(0);
    if (is_last(tile) && right_wall_.moves()) add(n_ / block_beads * block_beads);
    // Nor do those of beads that something moves at any time.
    if (of_beads_) {
        of_beads_->each_timed(layout_.borders[tile], layout_.borders[tile + 1],
                              [&](std::size_t bead) { add(bead / block_beads * block_beads); });
    }
    activity_.mark_active(tile, begin, end);
    statistics_.add(tile, found);
}

void TiledEngine::scan_all() {
    ParameterBuffer buffer = parameters_.buffer();
    for (std::size_t t = 0; t < layout_.tiles(); ++t) {
        with_row(layout_.borders[t], layout_.borders[t + 1], buffer,
                 [&](const Parameters& p, const TileTask& row, std::size_t begin, std::size_t end) {
                     Scan found = kernel_.scan(p, row, begin, end, 0.0);
                     if (of_beads_) {
                         TileTask task = row;
                         set_elements(task, element_works_[0], state_, row.first, end, step_);
                         scan_elements(task, begin, end, found);
                     }
                     store_scan(t, row.first, found);
                 });
    }
}

void TiledEngine::record_sleeping(SensorTrace& trace, const TimeBlock& time_block) const {
    std::size_t awake_end = 0;
    const auto fill = [&](std::size_t begin, std::size_t end) {
        for (const TileSensor& sensor : sensors_.within(begin, end)) {
            for (std::int64_t k = 0; k < time_block.steps; ++k) {
                record(trace, static_cast<std::size_t>(time_block.done + k), sensor.column,
                       sensor.bead);
            }
        }
    };
    for (const ActiveWindow& window : time_block.windows) {
        fill(awake_end, window.begin);
        awake_end = window.end;
    }
    fill(awake_end, n_);
}

}  // namespace beadwave::dynamics
