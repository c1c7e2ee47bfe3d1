// The tiled engine: rounds of up to T steps. In a round every awake tile first copies its halo, then
// advances alone. Tiles meet at two barriers a round; nothing else is shared.

#include "tiled_engine.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "beadwave/dynamics/flush_subnormals.hpp"
#include "beadwave/dynamics/ordered_sum.hpp"
#include "tiled_layout.hpp"
#include "tiled_parameters.hpp"
#include "tiled_sensors.hpp"

namespace beadwave::dynamics {
namespace {

/// Below this many beads a thread, waiting for the others costs more than they help.
constexpr std::size_t fewest_beads_a_thread = 4000;

/// What the engine knows of a law's type.
struct LawFacts {
    std::size_t memory_fields;
    bool conservative;
    bool vectorizable;
    /// Of one contact [J].
    double (*stored)(const ParameterStore&, const std::vector<Column>& memory, std::size_t contact, double overlap);
};

LawFacts facts_of(const laws::AnyLaw& any_law) {
    return std::visit(
        []<class Law>(const Law&) -> LawFacts {
            using Memory = typename Law::Memory;
            return {.memory_fields = laws::field_count<Memory>,
                    .conservative = Law::conservative,
                    .vectorizable = laws::is_vectorizable<Law>,
                    .stored = [](const ParameterStore& parameters, const std::vector<Column>& memory, std::size_t c,
                                 double overlap) {
                        const auto law = laws::from_fields<Law>([&](std::size_t k) { return parameters.law_field(k, c); });
                        return law.stored_energy(overlap, laws::from_fields<Memory>([&](std::size_t k) { return memory[k][c]; }));
                    }};
        },
        any_law);
}

/// The columns of a row of beads and contacts.
struct Rows {
    Rows(std::size_t count, const LawFacts& law, bool scratch)
        : displacement(count), velocity(count), gain(count), force(count) {
        if (scratch) half = Column(count);
        if (!law.conservative) work = Column(count);
        for (std::size_t k = 0; k < law.memory_fields; ++k) memory.emplace_back(count);
    }

    State view() {
        State state{.displacement = displacement.data(), .velocity = velocity.data(), .gain = gain.data(),
                    .half = half.data(), .force = force.data(), .work = work.data(), .memory = {}};
        for (std::size_t k = 0; k < memory.size(); ++k) state.memory[k] = memory[k].data();
        return state;
    }

    /// Calls function(column of this, column of other) for what a neighbouring tile must know.
    template <class Function>
    void for_motion(Rows& other, Function function) {
        function(displacement, other.displacement);
        function(velocity, other.velocity);
        function(gain, other.gain);
        for (std::size_t k = 0; k < memory.size(); ++k) function(memory[k], other.memory[k]);
    }
    /// The same for everything that lasts from visit to visit.
    template <class Function>
    void for_all(Rows& other, Function function) {
        for_motion(other, function);
        function(force, other.force);
        if (work.size() > 0) function(work, other.work);
    }

    Column displacement, velocity, gain, half, force, work;
    std::vector<Column> memory;
};

void copy(const Column& from, std::size_t first, Column& to, std::size_t at, std::size_t count) {
    std::memcpy(to.data() + at, from.data() + first, count * sizeof(double));
}

class TiledEngine final : public Engine {
   public:
    TiledEngine(const chain::Chain& chain, double dt, int threads, const TileShape& shape,
                const InstructionSet& instructions)
        : n_(chain.beads()),
          law_(facts_of(chain.contacts.first())),
          kernel_(instructions.kernel(chain.contacts.first().index())),
          layout_(lay_tiles(n_, shape)),
          parameters_(chain, dt, layout_.end()),
          gravity_(chain.gravity),
          loads_(chain.loads),
          may_sleep_(shape.sleep),
          threads_(std::clamp<int>(static_cast<int>(std::min(n_ / fewest_beads_a_thread, layout_.tiles())), 1, threads)),
          state_(layout_.end(), law_, false),
          looks_(layout_.tiles(), Look{false, true}),
          awake_(layout_.tiles()) {
        for (int t = 0; t < threads_; ++t) workspaces_.emplace_back(longest_row(), law_, true);
        if (layout_.halo > 0) halos_.emplace(2 * layout_.halo * layout_.tiles(), law_, false);

        std::ranges::copy(chain.velocity, state_.velocity.data());
        const FlushSubnormals flush;
        Visit whole{};
        whole.state = state_.view();
        whole.length = layout_.end();
        whole.uniform_begin = parameters_.uniform_begin();
        whole.uniform_end = parameters_.uniform_end();
        kernel_.start(parameters_.get(), whole);
        for (std::size_t t = 0; t < layout_.tiles(); ++t) {
            looks_[t] = kernel_.look(parameters_.get(), whole, layout_.borders[t], layout_.borders[t + 1]);
        }
        initial_stored_ = stored();
    }

    void advance(std::int64_t steps, SensorTrace& trace) override {
        trace.resize_rows(static_cast<std::size_t>(steps));
        sensors_.prepare(trace.beads, layout_);
#pragma omp parallel num_threads(threads_) if (threads_ > 1)
        {
            const FlushSubnormals flush;
            Rows& workspace = workspaces_[static_cast<std::size_t>(omp_get_thread_num())];
            for (std::int64_t done = 0; done < steps;) {
                const std::int64_t now = std::min(steps - done, layout_.steps);
#pragma omp single
                wake(trace, done, now);
#pragma omp for schedule(static)
                for (std::size_t i = 0; i < awake_count_; ++i) save_halo(awake_[i]);
#pragma omp for schedule(dynamic)
                for (std::size_t i = 0; i < awake_count_; ++i) visit(awake_[i], workspace, trace, done, now);
                done += now;
            }
        }
        step_ += steps;
    }

    void sample(SensorTrace& trace) const override {
        trace.resize_rows(1);
        for (std::size_t s = 0; s < trace.beads.size(); ++s) record(trace, 0, s, trace.beads[s]);
    }

    std::int64_t step() const override { return step_; }
    int threads() const override { return threads_; }
    std::span<const double> displacement() const override { return {state_.displacement.data(), n_}; }
    std::span<const double> velocity() const override { return {state_.velocity.data(), n_}; }
    std::span<const double> contact_force() const override { return {state_.force.data(), n_ + 1}; }

    Totals totals() const override {
        const double* const u = state_.displacement.data();
        const double* const v = state_.velocity.data();
        Totals sums{};
        sums.kinetic = ordered_sum(n_, [&](std::size_t i) { return 0.5 * parameters_.mass(i) * v[i] * v[i]; });
        sums.momentum = ordered_sum(n_, [&](std::size_t i) { return parameters_.mass(i) * v[i]; });
        sums.stored = stored();
        if (!law_.conservative) {
            const double absorbed = ordered_sum(n_ + 1, [&](std::size_t c) { return state_.work[c]; });
            sums.dissipated = absorbed - (sums.stored - initial_stored_);
        }
        if (gravity_ != 0.0) {
            sums.external_work += gravity_ * ordered_sum(n_, [&](std::size_t i) { return parameters_.mass(i) * u[i]; });
        }
        for (const chain::Load& load : loads_) sums.external_work += load.force * u[load.bead];
        return sums;
    }

    std::optional<std::size_t> first_non_finite() const override {
        for (std::size_t t = 0; t < layout_.tiles(); ++t) {
            if (looks_[t].finite) continue;
            for (std::size_t i = layout_.borders[t]; i < std::min(layout_.borders[t + 1], n_); ++i) {
                if (!std::isfinite(state_.velocity[i]) || !std::isfinite(state_.displacement[i])) return i;
            }
        }
        return std::nullopt;
    }

   private:
    std::size_t left_halo(std::size_t tile) const { return tile == 0 ? 0 : layout_.halo; }
    std::size_t right_halo(std::size_t tile) const { return tile + 1 == layout_.tiles() ? 0 : layout_.halo; }
    std::size_t longest_row() const {
        std::size_t longest = 0;
        for (std::size_t t = 0; t < layout_.tiles(); ++t) {
            longest = std::max(longest, left_halo(t) + layout_.borders[t + 1] - layout_.borders[t] + right_halo(t));
        }
        return longest;
    }

    /// A tile at rest between tiles at rest stays so for a whole visit: nothing crosses a tile
    /// faster. Lists the others, and fills in the sensors of those that sleep.
    void wake(SensorTrace& trace, std::int64_t done, std::int64_t steps) {
        const std::size_t tiles = layout_.tiles();
        const auto asleep = [&](std::size_t t) {
            return may_sleep_ && looks_[t].at_rest && (t == 0 || looks_[t - 1].at_rest) &&
                   (t + 1 == tiles || looks_[t + 1].at_rest);
        };
        awake_count_ = 0;
        for (std::size_t t = 0; t < tiles; ++t) {
            if (!asleep(t)) awake_[awake_count_++] = t;
        }
        for (const std::size_t t : sensors_.tiles()) {
            if (!asleep(t)) continue;
            for (const TileSensor& sensor : sensors_.of(t)) {
                for (std::int64_t k = 0; k < steps; ++k) {
                    record(trace, static_cast<std::size_t>(done + k), sensor.column, trace.beads[sensor.column]);
                }
            }
        }
    }

    void save_halo(std::size_t tile) {
        const std::size_t halo = layout_.halo;
        if (halo == 0) return;
        const std::size_t begin = layout_.borders[tile], end = layout_.borders[tile + 1];
        state_.for_motion(*halos_, [&](const Column& from, Column& to) {
            if (tile > 0) copy(from, begin - halo, to, 2 * halo * tile, halo);
            if (tile + 1 < layout_.tiles()) copy(from, end, to, 2 * halo * tile + halo, halo);
        });
    }

    void visit(std::size_t tile, Rows& row, SensorTrace& trace, std::int64_t done, std::int64_t steps) {
        const std::size_t begin = layout_.borders[tile], own = layout_.borders[tile + 1] - begin;
        const std::size_t left = left_halo(tile), right = right_halo(tile);
        state_.for_all(row, [&](const Column& from, Column& to) { copy(from, begin, to, left, own); });
        if (layout_.halo > 0) {
            halos_->for_motion(row, [&](const Column& from, Column& to) {
                copy(from, 2 * layout_.halo * tile, to, 0, left);
                copy(from, 2 * layout_.halo * tile + layout_.halo, to, left + own, right);
            });
        }

        Visit visit{};
        visit.state = row.view();
        visit.first = begin - left;
        visit.length = left + own + right;
        visit.left_end = visit.first == 0;
        visit.right_end = visit.first + visit.length == layout_.end();
        const auto local = [&](std::size_t i) { return std::clamp(i, visit.first, visit.first + visit.length) - visit.first; };
        visit.uniform_begin = local(parameters_.uniform_begin());
        visit.uniform_end = local(parameters_.uniform_end());
        visit.steps = steps;
        visit.sensors = sensors_.of(tile);
        visit.trace_stride = trace.beads.size();
        visit.trace_force = trace.force.data() + static_cast<std::size_t>(done) * visit.trace_stride;
        visit.trace_velocity = trace.velocity.data() + static_cast<std::size_t>(done) * visit.trace_stride;
        kernel_.visit(parameters_.get(), visit);
        looks_[tile] = kernel_.look(parameters_.get(), visit, left, left + own);

        row.for_all(state_, [&](const Column& from, Column& to) { copy(from, left, to, begin, own); });
    }

    void record(SensorTrace& trace, std::size_t row, std::size_t column, std::size_t bead) const {
        const std::size_t at = row * trace.beads.size() + column;
        trace.force[at] = 0.5 * (state_.force[bead] + state_.force[bead + 1]);
        trace.velocity[at] = state_.velocity[bead];
    }

    double stored() const {
        const double* const u = state_.displacement.data();
        return ordered_sum(n_ + 1, [&](std::size_t c) {
            const double left = c > 0 ? u[c - 1] : 0.0;
            const double right = c < n_ ? u[c] : 0.0;
            return law_.stored(parameters_, state_.memory, c, left - right - parameters_.gap(c));
        });
    }

    std::size_t n_;
    LawFacts law_;
    Kernel kernel_;
    TileLayout layout_;
    ParameterStore parameters_;
    double gravity_;
    std::vector<chain::Load> loads_;
    bool may_sleep_;
    int threads_;
    std::int64_t step_ = 0;
    Rows state_;                   // of the whole chain
    std::optional<Rows> halos_;    // per tile a left and a right one
    std::vector<Rows> workspaces_; // per thread
    std::vector<Look> looks_;      // per tile
    std::vector<std::size_t> awake_;
    std::size_t awake_count_ = 0;
    SensorMap sensors_;
    double initial_stored_ = 0.0;
};

}  // namespace

std::unique_ptr<Engine> make_tiled_engine(const chain::Chain& chain, double time_step, int threads,
                                          const TileShape& shape, const InstructionSet& instructions) {
    if (!facts_of(chain.contacts.first()).vectorizable) return make_plain_engine(chain, time_step, threads);
    return std::make_unique<TiledEngine>(chain, time_step, threads, shape, instructions);
}

std::unique_ptr<Engine> make_tiled_engine(const chain::Chain& chain, double time_step, int threads, TileShape shape) {
    return make_tiled_engine(chain, time_step, threads, shape, instruction_sets().front());
}

}  // namespace beadwave::dynamics
