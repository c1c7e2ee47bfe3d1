// The tiled engine: rounds of up to T steps. In a round every tile that has beads awake first
// copies its halo, then advances alone. Tiles meet at two barriers a round; nothing else is shared.
// Tiles beside another rank's come first: their halos for the next round travel meanwhile.

#include "dynamics/flush_subnormals.hpp"
#include "tiled_engine_class.hpp"

#include <omp.h>

namespace beadwave::dynamics {
namespace {

/// Of one round; fewer are not worth sharing.
constexpr std::size_t fewest_shared_bead_steps = 250'000;

/// Steps of a round while most of the chain sleeps: windows grow by a bead a step on either side.
constexpr std::int64_t narrow_steps = 31;
/// Steps of a round in which one tile that moves from end to end is the whole chain; then look
/// again.
constexpr std::int64_t steps_alone = 1000;

std::size_t longest_row(const TileLayout& layout) {
    std::size_t longest = 0;
    for (std::size_t t = 0; t < layout.tiles(); ++t)
        longest = std::max(longest, layout.borders[t + 1] - layout.borders[t]);
    return std::min(longest + 2 * layout.halo, layout.end);
}

}  // namespace

TiledEngine::TiledEngine(const chain::Chain& chain, double dt, int threads, const TileShape& shape,
                         const InstructionSet& instructions)
    : EngineWithBooks(chain, dt),
      law_(facts_of(chain.contacts.first())),
      kernel_(instructions.kernel(chain.contacts.first().index())),
      layout_(lay_tiles(chain, shape)),
      longest_row_(longest_row(layout_)),
      parameters_(chain, dt, layout_.end, longest_row_),
      sleep_speed_(shape.sleep_speed),
      threads_(std::clamp<int>(
          std::min(worthwhile_threads(own_end_ - own_begin_), static_cast<int>(layout_.tiles())), 1,
          threads)),
      state_(layout_.end, law_.memory_fields, law_.conservative, false),
      halos_(2 * layout_.halo * layout_.tiles(), law_.memory_fields, law_.conservative, false),
      watch_(layout_, shape.sleep),
      notes_(layout_),
      borders_(layout_, first_, ranks_),
      planned_(whole_blocks(total_ + 1)),
      left_(left_wall_),
      right_(right_wall_) {
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
    with_rows([&](const auto&... where) { kernel_.touch(where...); });
    state_.velocity()[n_] = 0.0;
    for (const chain::Load& load : chain.loads) {
        parameters_.balance(load.bead, state_.force()[load.bead] - state_.force()[load.bead + 1]);
    }
    with_rows([&](const auto&... where) { kernel_.settle(where...); });
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

void TiledEngine::advance(std::int64_t steps, SensorTrace& trace) {
    trace.resize_rows(static_cast<std::size_t>(steps));
    sensors_.prepare(trace.beads, first_, own_begin_, own_end_);
    const FlushSubnormals flush;
    if (borders_.any() && !borders_.sent()) borders_.send(state_, watch_, layout_.halo);
    Round round = plan(0, steps, trace);
    while (round.steps > 0) {
        if (!worth_sharing(round)) {
            for (const Window& window : round.windows)
                save_halo(window.tile, round.halo);
            for (std::size_t i = 0; i < round.windows.size(); ++i)
                visit_in_turn(i, round, 0, trace);
            round = plan(round.done + round.steps, steps, trace);
            continue;
        }
        std::exception_ptr error;  // none may leave the threads
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
                    visit_in_turn(i, round, thread, trace);
#pragma omp single
                try {
                    round = plan(round.done + round.steps, steps, trace);
                } catch (...) {
                    error = std::current_exception();
                    round = {};
                }
            } while (worth_sharing(round));
        }
        if (error) std::rethrow_exception(error);
    }
    step_ += steps;
    collect(trace);
}

std::int64_t TiledEngine::next_steps(std::int64_t done, std::int64_t steps) const {
    const std::int64_t left = steps - done;
    if (layout_.halo == 0) return left;
    if (sleep_speed_ == 0.0 && watch_.one_whole_tile()) return std::min(left, steps_alone);
    // Rounds end at multiples of T, however the steps are grouped into calls.
    const std::int64_t longest = 4 * planned_ < total_ ? narrow_steps : layout_.steps;
    return std::min({left, longest, layout_.steps - (step_ + done) % layout_.steps});
}

TiledEngine::Round TiledEngine::plan(std::int64_t done, std::int64_t steps, SensorTrace& trace) {
    Round round{
        .windows = {}, .done = done, .steps = next_steps(done, steps), .halo = 0, .of_call = steps};
    if (unsent_) std::rethrow_exception(std::exchange(unsent_, nullptr));
    if (round.steps == 0) return round;
    if (layout_.halo > 0) round.halo = reach(round.steps);
    if (borders_.any()) borders_.receive(watch_);
    round.windows = watch_.plan(round.halo);
    left_.prepare(step_ + done, round.steps);
    right_.prepare(step_ + done, round.steps);
    record_sleeping(trace, round);
    planned_ = watch_.planned_beads();
    if (borders_.any()) {
        ranks_->start_sum(static_cast<std::int64_t>(planned_));
        border_visits_left_ = static_cast<int>(std::ranges::count_if(
            round.windows, [&](const Window& window) { return borders_.has(window.tile); }));
        if (border_visits_left_ == 0) send_halos(round);
    }
    return round;
}

bool TiledEngine::worth_sharing(const Round& round) const {
    return threads_ > 1 && watch_.planned_beads() * static_cast<std::size_t>(round.steps) >=
                               fewest_shared_bead_steps;
}

void TiledEngine::send_halos(const Round& round) try {
    planned_ = static_cast<std::size_t>(ranks_->finish_sum());
    const std::int64_t next = next_steps(round.done + round.steps, round.of_call);
    // How long the first round of the next call will be, it only says then.
    borders_.send(state_, watch_, next > 0 ? reach(next) : layout_.halo);
} catch (...) {
    unsent_ = std::current_exception();
}

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
