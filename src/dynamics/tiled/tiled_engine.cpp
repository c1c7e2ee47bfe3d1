// The tiled engine: time blocks of up to T steps. In a time block every tile with awake beads first
// copies its halo, then advances alone. There are two barriers per time block; the tiles share
// nothing else. Tiles next to another rank's tile come first, so that their halos for the next time
// block travel while the other tiles advance.

#include "beadwave/argument_error.hpp"
#include "simd/flush_subnormals.hpp"
#include "simd/for_target.hpp"
#include "stepping/thread_error.hpp"
#include "tiled_engine_class.hpp"

#include <omp.h>

namespace beadwave::dynamics {
namespace {

/// With fewer bead-steps in a time block, several threads are not worthwhile.
constexpr std::size_t fewest_shared_bead_steps = 250'000;

/// Steps of a time block while most of the chain sleeps: windows grow by one bead per step on
/// either side.
constexpr std::int64_t narrow_steps = 31;
/// Steps of a time block, and between two scans, if the chain is one tile in which all beads move.
constexpr std::int64_t steps_alone = 1000;

std::size_t longest_row(const TileLayout& layout) {
    std::size_t longest = 0;
    for (std::size_t t = 0; t < layout.tiles(); ++t)
        longest = std::max(longest, layout.borders[t + 1] - layout.borders[t]);
    return std::min(longest + 2 * layout.halo, layout.end);
}

}  // namespace

TiledEngine::TiledEngine(const chain::Chain& chain, double dt, int threads, const TileShape& shape,
                         const simd::InstructionSet& instructions)
    : EngineBase(chain, dt),
      law_(facts_of(chain.contacts.first())),
      target_(instructions.target),
      kernel_(simd::for_target(
          instructions.target,
          [&]<simd::Target target>() { return tiled_kernel<target>(law_.index); })),
      layout_(build_layout(chain, shape)),
      longest_row_(longest_row(layout_)),
      parameters_(chain, dt, layout_.end, longest_row_),
      sleep_speed_(shape.sleep_speed),
      threads_(std::clamp<int>(
          std::min(worthwhile_threads(own_end_ - own_begin_), static_cast<int>(layout_.tiles())), 1,
          threads)),
      of_beads_(elements_
                    ? std::make_unique<TiledElements>(chain, dt, layout_.end, longest_row_,
                                                      law_.conservative, *elements_, instructions)
                    : nullptr),
      extra_(of_beads_ ? of_beads_->columns() : ExtraColumns{}),
      state_(layout_.end, law_.memory_fields, law_.conservative, false, extra_),
      halos_(2 * layout_.halo * layout_.tiles(), law_.memory_fields, law_.conservative, false,
             extra_),
      activity_(layout_, shape.sleep),
      statistics_(layout_),
      halo_exchange_(layout_, first_, ranks_),
      planned_(whole_blocks(total_ + 1)),
      left_(left_wall_),
      right_(right_wall_) {
    for (int t = 0; t < threads_; ++t) {
        workspaces_.emplace_back(longest_row_, law_.memory_fields, law_.conservative, true, extra_);
        buffers_.push_back(parameters_.buffer());
        if (of_beads_) element_works_.push_back(of_beads_->work());
    }
    if (of_beads_ && sleep_speed_ > 0.0)
        throw ArgumentError("beads with elements cannot be put to sleep: expected no sleep_speed");
    std::ranges::copy(chain.displacement, state_.displacement());
    std::ranges::copy(chain.velocity, state_.velocity());
    const simd::FlushSubnormals flush;
    const std::int64_t capacity =
        layout_.halo > 0 ? layout_.steps : 0;  // steps of the longest time block
    left_.prepare(0, capacity);
    right_.prepare(0, capacity);
    state_.velocity()[n_] = right_wall_.velocity(0);
    with_rows([&](const auto&... where) { kernel_.init_forces(where...); });
    state_.velocity()[n_] = 0.0;
    for (const chain::Load& load : chain.loads) {
        parameters_.balance(load.bead, state_.force()[load.bead] - state_.force()[load.bead + 1]);
    }
    with_rows([&](const auto&... where) { kernel_.init_half_step(where...); });
    if (of_beads_) init_elements(chain);
    scan_all();
    StatePointers state{.displacement = state_.displacement(),
                        .velocity = state_.velocity(),
                        .velocity_change = state_.velocity_change(),
                        .force = state_.force(),
                        .power = state_.power(),
                        .memory = {}};
    for (std::size_t k = 0; k < law_.memory_fields; ++k)
        state.memory.push_back(state_.memory(k));
    init_accounting(std::move(state));
}

void TiledEngine::advance(std::int64_t steps, SensorTrace& trace) {
    trace.resize_rows(static_cast<std::size_t>(steps));
    sensors_.prepare(trace.beads, first_, own_begin_, own_end_);
    const simd::FlushSubnormals flush;
    if (halo_exchange_.any() && !halo_exchange_.sent())
        halo_exchange_.send(state_, activity_, layout_.halo);
    TimeBlock time_block = plan(0, steps, trace);
    while (time_block.steps > 0) {
        if (!worth_sharing(time_block)) {
            for (const ActiveWindow& window : time_block.windows)
                copy_halo(window.tile, time_block.halo);
            for (std::size_t i = 0; i < time_block.windows.size(); ++i)
                run_task(i, time_block, 0, trace);
            time_block = plan(time_block.done + time_block.steps, steps, trace);
            continue;
        }
        stepping::ThreadError error;
#pragma omp parallel num_threads(threads_)
        {
            const simd::FlushSubnormals flush_here;
            const auto thread = static_cast<std::size_t>(omp_get_thread_num());
            do {
#pragma omp for schedule(static)
                for (std::size_t i = 0; i < time_block.windows.size(); ++i)
                    error.guard([&] { copy_halo(time_block.windows[i].tile, time_block.halo); });
#pragma omp for schedule(dynamic)
                for (std::size_t i = 0; i < time_block.windows.size(); ++i)
                    error.guard([&] { run_task(i, time_block, thread, trace); });
#pragma omp single
                {
                    error.guard([&] {
                        time_block = plan(time_block.done + time_block.steps, steps, trace);
                    });
                    if (error.failed()) time_block = {};
                }
            } while (worth_sharing(time_block));
        }
        error.rethrow();
    }
    step_ += steps;
    collect(trace);
}

std::int64_t TiledEngine::next_steps(std::int64_t done, std::int64_t steps) const {
    const std::int64_t left = steps - done;
    if (layout_.halo == 0) return left;
    if (sleep_speed_ == 0.0 && activity_.one_whole_tile()) return std::min(left, steps_alone);
    // Time blocks end at multiples of T, however the steps are grouped into calls.
    const std::int64_t longest = 4 * planned_ < total_ ? narrow_steps : layout_.steps;
    return std::min({left, longest, layout_.steps - (step_ + done) % layout_.steps});
}

TiledEngine::TimeBlock TiledEngine::plan(std::int64_t done, std::int64_t steps,
                                         SensorTrace& trace) {
    TimeBlock time_block{
        .windows = {}, .done = done, .steps = next_steps(done, steps), .halo = 0, .of_call = steps};
    if (unsent_) std::rethrow_exception(std::exchange(unsent_, nullptr));
    if (time_block.steps == 0) return time_block;
    if (layout_.halo > 0) time_block.halo = reach(time_block.steps, layout_.neighbours);
    if (halo_exchange_.any()) halo_exchange_.receive(activity_);
    time_block.windows = activity_.plan(time_block.halo);
    left_.prepare(step_ + done, time_block.steps);
    right_.prepare(step_ + done, time_block.steps);
    if (of_beads_) of_beads_->prepare(step_ + done, time_block.steps, state_);
    record_sleeping(trace, time_block);
    planned_ = activity_.planned_beads();
    if (halo_exchange_.any()) {
        ranks_->start_sum(static_cast<std::int64_t>(planned_));
        border_tasks_left_ = static_cast<int>(std::ranges::count_if(
            time_block.windows,
            [&](const ActiveWindow& window) { return halo_exchange_.has(window.tile); }));
        if (border_tasks_left_ == 0) send_halos(time_block);
    }
    return time_block;
}

bool TiledEngine::worth_sharing(const TimeBlock& time_block) const {
    return threads_ > 1 && activity_.planned_beads() * static_cast<std::size_t>(time_block.steps) >=
                               fewest_shared_bead_steps;
}

void TiledEngine::send_halos(const TimeBlock& time_block) try {
    planned_ = static_cast<std::size_t>(ranks_->finish_sum());
    const std::int64_t next = next_steps(time_block.done + time_block.steps, time_block.of_call);
    // The length of the first time block of the next call is not known yet.
    halo_exchange_.send(state_, activity_,
                        next > 0 ? reach(next, layout_.neighbours) : layout_.halo);
} catch (...) {
    unsent_ = std::current_exception();
}

int worthwhile_threads(std::size_t beads) {
    constexpr std::size_t fewest_beads_per_thread = 4000;
    return static_cast<int>(std::max<std::size_t>(1, beads / fewest_beads_per_thread));
}

std::unique_ptr<Engine> make_tiled_engine(const chain::Chain& chain, double time_step, int threads,
                                          const TileShape& shape,
                                          const simd::InstructionSet& instructions) {
    return std::make_unique<TiledEngine>(chain, time_step, threads, shape, instructions);
}

std::unique_ptr<Engine> make_tiled_engine(const chain::Chain& chain, double time_step, int threads,
                                          TileShape shape) {
    return make_tiled_engine(chain, time_step, threads, shape, simd::instruction_sets().front());
}

}  // namespace beadwave::dynamics
