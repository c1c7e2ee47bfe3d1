// The tiled engine: rounds of up to T steps. In a round every tile that has beads awake first
// copies its halo, then advances alone. Tiles meet at two barriers a round; nothing else is shared.

#include "tiled_engine.hpp"

#include "../books.hpp"
#include "dynamics/flush_subnormals.hpp"
#include "law_facts.hpp"
#include "tile_watch.hpp"
#include "tiled_ends.hpp"
#include "tiled_layout.hpp"
#include "tiled_parameters.hpp"
#include "tiled_rows.hpp"
#include "tiled_sensors.hpp"

#include <omp.h>

#include <algorithm>
#include <limits>

namespace beadwave::dynamics {
namespace {

/// Of one round; fewer are not worth sharing.
constexpr std::size_t fewest_shared_bead_steps = 250'000;

/// Steps of a round while most of the chain sleeps: windows grow by a bead a step on either side.
constexpr std::int64_t narrow_steps = 31;
/// Steps of a round in which one tile that moves from end to end is the whole chain; then look
/// again.
constexpr std::int64_t steps_alone = 1000;

/// Steps between two looks at the slopes of the contacts: an automatic step gives the shortest one
/// some five of these.
constexpr std::int64_t steps_between_rates = 248;

/// Beads [begin, end) of a tile; none at first.
struct Extent {
    std::size_t begin = std::numeric_limits<std::size_t>::max(), end = 0;
};

/// What a tile has lost to the sleep tolerance.
struct Discarded {
    double energy = 0.0, momentum = 0.0;
};

class TiledEngine final : public EngineWithBooks {
  public:
    TiledEngine(const chain::Chain& chain, double dt, int threads, const TileShape& shape,
                const InstructionSet& instructions)
        : EngineWithBooks(chain, dt),
          law_(facts_of(chain.contacts.first())),
          kernel_(instructions.kernel(chain.contacts.first().index())),
          layout_(lay_tiles(n_, shape)),
          longest_row_(longest_row(layout_)),
          parameters_(chain, dt, layout_.end(), longest_row_),
          sleep_speed_(shape.sleep_speed),
          threads_(std::clamp<int>(
              std::min(worthwhile_threads(n_), static_cast<int>(layout_.tiles())), 1, threads)),
          state_(layout_.end(), law_.memory_fields, law_.conservative, false),
          halos_(2 * layout_.halo * layout_.tiles(), law_.memory_fields, law_.conservative, false),
          watch_(layout_, shape.sleep),
          left_(left_wall_),
          right_(right_wall_),
          finite_(layout_.tiles(), true),
          discarded_(layout_.tiles()),
          changed_(layout_.tiles()) {
        for (int t = 0; t < threads_; ++t) {
            workspaces_.emplace_back(longest_row_, law_.memory_fields, law_.conservative, true);
            rooms_.push_back(parameters_.room());
        }
        std::ranges::copy(chain.velocity, state_.velocity());
        const FlushSubnormals flush;
        const std::int64_t room = layout_.halo > 0 ? layout_.steps : 0;  // of the longest round
        left_.prepare(0, room);
        right_.prepare(0, room);
        state_.velocity()[n_] = right_wall_.velocity(0);
        with_tiles([&](std::size_t, const auto&... where) { kernel_.touch(where...); });
        state_.velocity()[n_] = 0.0;
        for (const chain::Load& load : chain.loads) {
            parameters_.balance(load.bead,
                                state_.force()[load.bead] - state_.force()[load.bead + 1]);
        }
        with_tiles([&](std::size_t, const auto&... where) { kernel_.settle(where...); });
        look_at_all();
        StatePointers state{.displacement = state_.displacement(),
                            .velocity = state_.velocity(),
                            .gain = state_.gain(),
                            .force = state_.force(),
                            .power = state_.power(),
                            .memory = {}};
        for (std::size_t k = 0; k < law_.memory_fields; ++k)
            state.memory.push_back(state_.memory(k));
        open_books(std::move(state));
    }

    void advance(std::int64_t steps, SensorTrace& trace) override {
        trace.resize_rows(static_cast<std::size_t>(steps));
        sensors_.prepare(trace.beads);
        const FlushSubnormals flush;
        Round round = plan(0, steps, trace);
        while (round.steps > 0) {
            if (!worth_sharing(round)) {
                for (const Window& window : round.windows)
                    save_halo(window.tile, round.halo);
                for (const Window& window : round.windows)
                    visit(window, round, 0, trace);
                round = plan(round.done + round.steps, steps, trace);
                continue;
            }
#pragma omp parallel num_threads(threads_)
            {
                const FlushSubnormals flush_here;
                const auto thread = static_cast<std::size_t>(omp_get_thread_num());
                do {
#pragma omp for schedule(static)
                    for (std::size_t i = 0; i < round.windows.size(); ++i)
                        save_halo(round.windows[i].tile, round.halo);
#pragma omp for schedule(dynamic)
                    for (std::size_t i = 0; i < round.windows.size(); ++i)
                        visit(round.windows[i], round, thread, trace);
#pragma omp single
                    round = plan(round.done + round.steps, steps, trace);
                } while (worth_sharing(round));
            }
        }
        step_ += steps;
    }

    int threads() const override {
        return threads_;
    }

    Totals totals() const override {
        for (Extent& tile : changed_) {
            if (tile.begin < tile.end) moved(tile.begin, tile.end);
            tile = {};
        }
        Totals totals = EngineWithBooks::totals();
        for (const Discarded& lost : discarded_) {
            totals.discarded += lost.energy;
            totals.discarded_momentum += lost.momentum;
        }
        return totals;
    }

    void watch_rates(double speed) override {
        rates_speed_ = speed;
        rates_.assign(layout_.tiles(), {});
    }

    Rates rates() const override {
        Rates largest;
        for (const Rates& tile : rates_)
            largest.keep_larger(tile);
        return largest;
    }

    void continue_at(std::int64_t step) override {
        const FlushSubnormals flush;
        watch_.plan_all();
        look_at_all();
        take_up(step);
        if (sleep_speed_ == 0.0) return;
        watch_.restore({sleep_.data(), watch_.numbers()});
        for (std::size_t t = 0; t < discarded_.size(); ++t) {
            discarded_[t] = {sleep_[watch_.numbers() + 2 * t],
                             sleep_[watch_.numbers() + 2 * t + 1]};
        }
    }

  private:
    void masses(std::size_t begin, std::size_t end, double* mass) const override {
        for (std::size_t i = begin; i < end; ++i)
            mass[i - begin] = parameters_.mass(i);
    }

    void stored_energies(std::size_t begin, std::size_t end, const double* approach,
                         double* energy) const override {
        for (std::size_t i = begin; i < end; i += longest_row_) {
            const std::size_t row_end = std::min(i + longest_row_, end);
            law_.stored(parameters_, state_, i, row_end, approach + (i - begin),
                        energy + (i - begin));
        }
    }

    bool may_be_broken() const override {
        return std::ranges::find(finite_, char{false}) != finite_.end();
    }

    void add_columns(std::vector<StateColumn>& columns) override {
        if (sleep_speed_ > 0.0) columns.push_back({"sleep", keep_sleep()});
    }

    /// What cannot be seen by looking at the beads: which of them a sleep speed has put to rest,
    /// and what that cost.
    std::span<double> keep_sleep() {
        sleep_.resize(watch_.numbers());
        watch_.save(sleep_);
        for (const Discarded& lost : discarded_)
            sleep_.insert(sleep_.end(), {lost.energy, lost.momentum});
        return sleep_;
    }

    void look_at_all() {
        with_tiles(
            [&](std::size_t tile, const Parameters& p, const Visit& row, std::size_t begin,
                std::size_t end) { note(tile, row.first, kernel_.look(p, row, begin, end, 0.0)); });
    }

    struct Round {
        std::span<const Window> windows;
        std::int64_t done, steps;  // before it in this call, and in it
        std::size_t halo;          // beads borrowed on a side
    };

    static std::size_t longest_row(const TileLayout& layout) {
        std::size_t longest = 0;
        for (std::size_t t = 0; t < layout.tiles(); ++t)
            longest = std::max(longest, layout.borders[t + 1] - layout.borders[t]);
        return std::min(longest + 2 * layout.halo, layout.end());
    }

    /// Calls function(tile, parameters, row, begin, end) for each tile's beads in place, local to
    /// the row.
    template <class Function>
    void with_tiles(Function function) {
        ParameterRoom room = parameters_.room();
        for (std::size_t t = 0; t < layout_.tiles(); ++t) {
            const std::size_t begin = layout_.borders[t], end = layout_.borders[t + 1];
            Visit row{};
            row.first = begin - std::min(begin, block_beads);
            row.state = state_.view(row.first);
            if (row.first == 0) row.left_wall = left_.at_start();
            function(t, parameters_.row(row.first, end, room), row, begin - row.first,
                     end - row.first);
        }
    }

    /// The next round of a call of `steps` steps when `done` are done; it has none when all are.
    /// Records what sleeps through it.
    Round plan(std::int64_t done, std::int64_t steps, SensorTrace& trace) {
        Round round{.windows = {}, .done = done, .steps = steps - done, .halo = 0};
        if (round.steps == 0) return round;
        if (layout_.halo > 0) {
            // Rounds end at multiples of T, however the steps are grouped into calls.
            const std::int64_t longest =
                4 * watch_.planned_beads() < n_ ? narrow_steps : layout_.steps;
            if (sleep_speed_ == 0.0 && watch_.one_whole_tile()) {
                round.steps = std::min(round.steps, steps_alone);
            } else {
                round.steps = std::min(
                    {round.steps, longest, layout_.steps - (step_ + done) % layout_.steps});
            }
            round.halo = reach(round.steps);
        }
        round.windows = watch_.plan(round.halo);
        left_.prepare(step_ + done, round.steps);
        right_.prepare(step_ + done, round.steps);
        record_sleeping(trace, round);
        return round;
    }

    bool worth_sharing(const Round& round) const {
        return threads_ > 1 && watch_.planned_beads() * static_cast<std::size_t>(round.steps) >=
                                   fewest_shared_bead_steps;
    }

    /// The sensors outside all windows see the same at every step.
    void record_sleeping(SensorTrace& trace, const Round& round) const {
        std::size_t awake_end = 0;
        const auto fill = [&](std::size_t begin, std::size_t end) {
            for (const TileSensor& sensor : sensors_.within(begin, end)) {
                for (std::int64_t k = 0; k < round.steps; ++k) {
                    record(trace, static_cast<std::size_t>(round.done + k), sensor.column,
                           sensor.bead);
                }
            }
        };
        for (const Window& window : round.windows) {
            fill(awake_end, window.begin);
            awake_end = window.end;
        }
        fill(awake_end, n_);
    }

    /// Where a tile's left halo ends and its right one begins.
    std::size_t halo_middle(std::size_t tile) const {
        return (2 * tile + 1) * layout_.halo;
    }

    void save_halo(std::size_t tile, std::size_t halo) {
        const std::size_t middle = halo_middle(tile);
        if (tile > 0)
            state_.copy_motion_to(halos_, layout_.borders[tile] - halo, middle - halo, halo);
        if (tile + 1 < layout_.tiles())
            state_.copy_motion_to(halos_, layout_.borders[tile + 1], middle, halo);
    }

    void visit(const Window& window, const Round& round, std::size_t thread, SensorTrace& trace) {
        Rows& workspace = workspaces_[thread];
        const std::size_t halo = round.halo;
        const std::size_t tile_begin = layout_.borders[window.tile],
                          tile_end = layout_.borders[window.tile + 1];
        Visit row{};
        row.state = workspace.view();
        row.first = window.begin - std::min(window.begin, halo);
        row.length = std::min(window.end + halo, layout_.end()) - row.first;
        row.left_end = row.first == 0;
        row.right_end = row.first + row.length == layout_.end();
        // A neighbour's halo may reach the end too; only the tile at the end books what its wall
        // does.
        const bool first_tile = window.tile == 0, last_tile = window.tile + 1 == layout_.tiles();
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
        row.trace_force =
            trace.force.data() + static_cast<std::size_t>(round.done) * row.trace_stride;
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
            rates_[window.tile].keep_larger({.frequency = std::sqrt(seen.stiffness),
                                             .damping = seen.damping,
                                             .frequency_bead = row.first + seen.stiffness_bead,
                                             .damping_bead = row.first + seen.damping_bead});
        }
        // Beads beside a wall that moves are not put to rest.
        const bool driven =
            (first_tile && left_wall_.moves()) || (last_tile && right_wall_.moves());
        const bool whole =
            !driven && layout_.halo > 0 && (step_ + round.done + round.steps) % layout_.steps == 0;
        note(window.tile, row.first,
             kernel_.look(parameters, row, begin, end, whole ? sleep_speed_ : 0.0));
        workspace.copy_to(state_, begin, window.begin, window.end - window.begin);
        Extent& changed = changed_[window.tile];
        changed = {std::min(changed.begin, window.begin),
                   std::max(changed.end, std::min(window.end, n_ + 1))};
    }

    void note(std::size_t tile, std::size_t first, const Look& seen) {
        std::size_t begin = first + seen.begin, end = first + seen.end;
        const auto add = [&](std::size_t block) {
            begin = begin == end ? block : std::min(begin, block);
            end = std::max(end, block + block_beads);
        };
        // A driven wall moves whatever the beads do: its block never sleeps.
        if (tile == 0 && left_wall_.moves()) add(0);
        if (tile + 1 == layout_.tiles() && right_wall_.moves()) add(n_ / block_beads * block_beads);
        watch_.saw(tile, begin, end);
        finite_[tile] = seen.finite;
        discarded_[tile].energy += seen.discarded_energy;
        discarded_[tile].momentum += seen.discarded_momentum;
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
    TiledEnd left_, right_;
    std::vector<char> finite_;             // per tile
    std::vector<Discarded> discarded_;     // per tile
    std::vector<double> sleep_;            // of state()
    mutable std::vector<Extent> changed_;  // per tile, since the last totals
    double rates_speed_ = 0.0;             // 0: nobody watches
    std::vector<Rates> rates_;             // per tile
    SensorMap sensors_;
};

}  // namespace

int worthwhile_threads(std::size_t beads) {
    constexpr std::size_t fewest_beads_a_thread = 4000;
    return static_cast<int>(std::max<std::size_t>(1, beads / fewest_beads_a_thread));
}

std::unique_ptr<Engine> make_tiled_engine(const chain::Chain& chain, double time_step, int threads,
                                          const TileShape& shape,
                                          const InstructionSet& instructions) {
    return std::make_unique<TiledEngine>(chain, time_step, threads, shape, instructions);
}

std::unique_ptr<Engine> make_tiled_engine(const chain::Chain& chain, double time_step, int threads,
                                          TileShape shape) {
    return make_tiled_engine(chain, time_step, threads, shape, instruction_sets().front());
}

}  // namespace beadwave::dynamics
