// The tiled engine's parts: rounds (tiled_engine.cpp), visits to tiles (tiled_visits.cpp), books
// (tiled_books.cpp).
#pragma once

#include "../books.hpp"
#include "law_facts.hpp"
#include "tile_notes.hpp"
#include "tile_watch.hpp"
#include "tiled_borders.hpp"
#include "tiled_ends.hpp"
#include "tiled_engine.hpp"
#include "tiled_layout.hpp"
#include "tiled_parameters.hpp"
#include "tiled_rows.hpp"
#include "tiled_sensors.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <vector>

namespace beadwave::dynamics {

class TiledEngine final : public EngineWithBooks {
  public:
    TiledEngine(const chain::Chain& chain, double dt, int threads, const TileShape& shape,
                const InstructionSet& instructions);

    void advance(std::int64_t steps, SensorTrace& trace) override;
    int threads() const override { return threads_; }
    Totals totals() const override;
    void watch_rates(double speed) override;
    Rates rates() const override { return notes_.rates(ranks_); }
    void continue_at(std::int64_t step) override;

  private:
    struct Round {
        std::span<const Window> windows;
        std::int64_t done, steps;  // before it in this call, and in it
        std::size_t halo;          // beads borrowed on a side
        std::int64_t of_call;      // steps of the call
    };

    // Books.
    void masses(std::size_t begin, std::size_t end, double* mass) const override;
    void stored_energies(std::size_t begin, std::size_t end, const double* approach,
                         double* energy) const override;
    bool may_be_broken() const override { return !notes_.all_finite(); }
    void add_columns(std::vector<StateColumn>& columns) override;
    void finish_messages() const override { borders_.receive(); }

    // Rounds.

    /// The steps of the next round of a call of `steps` steps when `done` are done.
    std::int64_t next_steps(std::int64_t done, std::int64_t steps) const;
    /// The next round of a call of `steps` steps when `done` are done; it has none when all are.
    /// Records what sleeps through it.
    Round plan(std::int64_t done, std::int64_t steps, SensorTrace& trace);
    bool worth_sharing(const Round& round) const;
    /// For the round after this one; the tiles beside other ranks' have been visited in this. What
    /// it would throw the next plan() throws.
    void send_halos(const Round& round);

    // Visits.

    /// Visits window `i` of a round in the order in which they are begun: the outermost ones first
    /// where other ranks wait for them.
    void visit_in_turn(std::size_t i, const Round& round, std::size_t thread, SensorTrace& trace);
    void visit(const Window& window, const Round& round, std::size_t thread, SensorTrace& trace);
    void save_halo(std::size_t tile, std::size_t halo);
    /// The sensors outside all windows see the same at every step.
    void record_sleeping(SensorTrace& trace, const Round& round) const;
    /// Of the row that begins with bead `first`.
    void note(std::size_t tile, std::size_t first, const Look& seen);
    void look_at_all();
    /// Whatever a sleep speed had put to rest: the state may have been written by hand.
    void wake_what_moves();

    /// Calls function(parameters, row, begin, end) for the beads [begin, end) in place, local to
    /// the row.
    template <class Function>
    void with_row(std::size_t begin, std::size_t end, ParameterRoom& room,
                  const Function& function) {
        Visit row{};
        row.first = begin - std::min(begin, block_beads);
        row.state = state_.view(row.first);
        if (row.first == 0) row.left_wall = left_.at_start();
        function(parameters_.row(row.first, end, room), row, begin - row.first, end - row.first);
    }

    /// The same for all that is here, row by row.
    template <class Function>
    void with_rows(const Function& function) {
        ParameterRoom room = parameters_.room();
        // A row begins a block earlier; whole blocks, of which there may be one only.
        const std::size_t length = std::max(longest_row_ - block_beads, block_beads);
        for (std::size_t begin = 0; begin < layout_.end; begin += length)
            with_row(begin, std::min(begin + length, layout_.end), room, function);
    }

    /// Where a tile's left halo ends and its right one begins.
    std::size_t halo_middle(std::size_t tile) const { return (2 * tile + 1) * layout_.halo; }

    // Whether a tile is at an end of the whole chain.
    bool is_first(std::size_t tile) const { return layout_.first_tile + tile == 0; }
    bool is_last(std::size_t tile) const {
        return layout_.first_tile + tile + 1 == layout_.all_tiles;
    }

    LawFacts law_;
    Kernel kernel_;
    TileLayout layout_;
    std::size_t longest_row_;
    ParameterStore parameters_;
    double sleep_speed_;
    int threads_;
    Rows state_;                        // of the whole chain
    Rows halos_;                        // per tile a left and a right one
    std::vector<Rows> workspaces_;      // per thread
    std::vector<ParameterRoom> rooms_;  // per thread
    TileWatch watch_;
    mutable TileNotes notes_;                  // totals() takes what has changed
    mutable TiledBorders borders_;             // and waits for messages
    std::size_t planned_;                      // beads of the last round's windows, all ranks'
    std::atomic<int> border_visits_left_ = 0;  // of this round
    std::exception_ptr unsent_;                // why its halos have not been sent
    TiledEnd left_, right_;
    double rates_speed_ = 0.0;  // 0: nobody watches
    SensorMap sensors_;
};

}  // namespace beadwave::dynamics
