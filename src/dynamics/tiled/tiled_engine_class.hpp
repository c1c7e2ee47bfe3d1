// The parts of the tiled engine: time blocks (tiled_engine.cpp), tasks on tiles (tiled_tasks.cpp),
// energy accounting (tiled_accounting.cpp).
#pragma once

#include "../energy_accounting.hpp"
#include "chain_view.hpp"
#include "halo_exchange.hpp"
#include "law_facts.hpp"
#include "tile_activity.hpp"
#include "tile_statistics.hpp"
#include "tiled_elements.hpp"
#include "tiled_ends.hpp"
#include "tiled_engine.hpp"
#include "tiled_layout.hpp"
#include "tiled_parameters.hpp"
#include "tiled_rows.hpp"
#include "tiled_sensors.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <vector>

namespace beadwave::dynamics {

class TiledEngine final : public EngineBase {
  public:
    TiledEngine(const chain::Chain& chain, double dt, int threads, const TileShape& shape,
                const simd::InstructionSet& instructions);

    void advance(std::int64_t steps, SensorTrace& trace) override;
    void kick(std::span<const stepping::BodyForce<double>> forces,
              stepping::HalfStep half) override;
    int threads() const override { return threads_; }
    Totals totals() const override;
    void monitor_stability(double speed) override;
    StabilityLimits stability_limits() const override {
        return statistics_.stability_limits(ranks_);
    }
    void continue_at(std::int64_t step) override;

    // For a chain that steps together with others.

    /// Null: this chain steps alone. Valid until the engine advances.
    std::optional<ChainView> lane_view();
    State lane_state() { return state_.view(); }
    /// To be called when the state has been replaced by that after `steps` more steps.
    void advanced_in_lane(std::int64_t steps);

  private:
    struct TimeBlock {
        std::span<const ActiveWindow> windows;
        std::int64_t done, steps;  // before this time block in the call, and in it
        std::size_t halo;          // beads copied on each side
        std::int64_t of_call;      // steps of the call
    };

    // Energy accounting.
    void masses(std::size_t begin, std::size_t end, double* mass) const override;
    void stored_energies(std::size_t begin, std::size_t end, const double* approach,
                         double* energy) const override;
    bool may_be_non_finite() const override { return !statistics_.all_finite(); }
    void add_columns(std::vector<StateColumn>& columns) override;
    void finish_messages() const override { halo_exchange_.receive(); }

    // Time blocks.

    /// Steps of the next time block in a call of `steps` steps, after `done` of them.
    std::int64_t next_steps(std::int64_t done, std::int64_t steps) const;
    /// The next time block in a call of `steps` steps, after `done` of them; it has no steps when
    /// the call is complete. Also records the sensors on beads that sleep during the time block.
    TimeBlock plan(std::int64_t done, std::int64_t steps, SensorTrace& trace);
    bool worth_sharing(const TimeBlock& time_block) const;
    /// Sends the halos for the time block after this one; the tiles next to those of other ranks
    /// must be complete. The next plan() throws the exceptions of this function.
    void send_halos(const TimeBlock& time_block);

    // Tasks.

    /// Advances the window that is number `i` in the order of execution: the outermost windows come
    /// first if other ranks wait for them.
    void run_task(std::size_t i, const TimeBlock& time_block, std::size_t thread,
                  SensorTrace& trace);
    void advance_window(const ActiveWindow& window, const TimeBlock& time_block, std::size_t thread,
                        SensorTrace& trace);
    void copy_halo(std::size_t tile, std::size_t halo);
    /// The sensors outside all windows show the same values at every step.
    void record_sleeping(SensorTrace& trace, const TimeBlock& time_block) const;
    /// Evaluates the slopes of the beads [begin, end) of a row, whose state is in `rows`, if they
    /// are due in the `steps` steps after `done` steps.
    void monitor_slopes(std::size_t tile, const Parameters& parameters, const TileTask& row,
                        std::size_t begin, std::size_t end, Rows& rows, std::int64_t done,
                        std::int64_t steps);
    /// Stores the result of a scan of the row that begins with bead `first`.
    void store_scan(std::size_t tile, std::size_t first, const Scan& found);
    void scan_all();
    /// First forces of what the beads carry, and the half-step velocity change.
    void init_elements(const chain::Chain& chain);
    /// Gives a row of `length` entries, whose state after `done` steps begins at entry `at`, what
    /// its beads carry.
    void set_elements(TileTask& row, TiledElements::Work& work, Rows& rows, std::size_t at,
                      std::size_t length, std::int64_t done) const;
    /// Adds to the scan of the beads [begin, end) of a row what moves inside them.
    void scan_elements(const TileTask& row, std::size_t begin, std::size_t end, Scan& found) const;
    /// Wakes moving beads that were put to sleep, because the state may have been changed from
    /// outside.
    void wake_moving_beads();
    /// The next time block advances this bead, by index, also if it slept.
    void wake(std::size_t bead);

    /// Calls function(parameters, row, begin, end) for the beads [begin, end) in the state itself;
    /// `begin` and `end` are passed as indices in the row.
    template <class Function>
    void with_row(std::size_t begin, std::size_t end, ParameterBuffer& buffer,
                  const Function& function) {
        TileTask row{};
        row.first = begin - std::min(begin, block_beads);
        row.state = state_.view(row.first);
        if (row.first == 0) row.left_wall = left_.at_start();
        function(parameters_.row(row.first, end, buffer), row, begin - row.first, end - row.first);
    }

    /// Calls function() as with_row() does, for all beads on this process, row by row.
    template <class Function>
    void with_rows(const Function& function) {
        ParameterBuffer buffer = parameters_.buffer();
        // A row begins one block earlier. The length is in whole blocks, at least one.
        const std::size_t length = std::max(longest_row_ - block_beads, block_beads);
        for (std::size_t begin = 0; begin < layout_.end; begin += length)
            with_row(begin, std::min(begin + length, layout_.end), buffer, function);
    }

    /// Where the left halo of a tile ends and its right one begins.
    std::size_t halo_middle(std::size_t tile) const { return (2 * tile + 1) * layout_.halo; }

    // Whether a tile is at an end of the whole chain.
    bool is_first(std::size_t tile) const { return layout_.first_tile + tile == 0; }
    bool is_last(std::size_t tile) const {
        return layout_.first_tile + tile + 1 == layout_.all_tiles;
    }

    LawFacts law_;
    simd::Target target_;
    Kernel kernel_;
    TileLayout layout_;
    std::size_t longest_row_;
    ParameterStore parameters_;
    double sleep_speed_;
    int threads_;
    std::unique_ptr<TiledElements> of_beads_;  // what beads carry; null: nothing
    ExtraColumns extra_;
    Rows state_;                                      // of the whole chain
    Rows halos_;                                      // a left and a right one per tile
    std::vector<Rows> workspaces_;                    // per thread
    std::vector<ParameterBuffer> buffers_;            // per thread
    std::vector<TiledElements::Work> element_works_;  // per thread, or none
    TileActivity activity_;
    mutable TileStatistics statistics_;   // totals() clears the changed ranges
    mutable HaloExchange halo_exchange_;  // totals() waits for messages
    std::size_t planned_;  // beads in the windows of the last time block, of all ranks
    std::atomic<int> border_tasks_left_ = 0;  // of this time block
    std::exception_ptr unsent_;               // why the halos have not been sent
    TiledEnd left_, right_;
    double slope_speed_ = 0.0;  // 0: slopes are not monitored
    SensorMap sensors_;
};

}  // namespace beadwave::dynamics
