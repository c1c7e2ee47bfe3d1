#include "dynamics/chain_lanes.hpp"

#include "../tiled/tiled_engine_class.hpp"
#include "dynamics/one_tile.hpp"
#include "lane_kernel.hpp"
#include "simd/flush_subnormals.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace beadwave::dynamics {
namespace {

LaneKernel kernel_for(simd::Target target, std::size_t law) {
    return simd::for_target(target,
                            [&]<simd::Target chosen>() { return lane_kernel<chosen>(law); });
}

/// Whether one set of parameters is enough. With a body force each entry needs its own: its sum is
/// then rounded as in a row with columns.
bool is_uniform(const ChainView& chain) {
    return chain.parameters.uniform && *chain.parameters.body_force == 0.0;
}

/// Whether a chain can step beside the first one.
bool fits(const ChainView& first, const ChainView& other) {
    return other.target == first.target && other.law == first.law && other.beads == first.beads &&
           other.step == first.step && is_uniform(other) == is_uniform(first) &&
           other.parameters.time_step == first.parameters.time_step;
}

class Lanes : public ChainLanes {
  public:
    Lanes(std::vector<TiledEngine*> engines, const std::vector<ChainView>& views,
          const std::vector<std::size_t>& sensors)
        : engines_(std::move(engines)),
          beads_(views[0].beads),
          memory_fields_(views[0].memory_fields),
          kernel_(kernel_for(views[0].target, views[0].law)),
          lanes_(kernel_.lanes),
          columns_(kernel_.uses_speed, views[0].conservative, memory_fields_),
          entries_((beads_ + 1) * columns_.count * lanes_),
          results_((beads_ + 2) * LaneResult::count * lanes_),
          sensors_(sensors) {
        std::ranges::sort(sensors_);
        sensors_.erase(std::unique(sensors_.begin(), sensors_.end()), sensors_.end());
        for (const std::size_t sensor : sensors)
            place_.push_back(static_cast<std::size_t>(std::ranges::lower_bound(sensors_, sensor) -
                                                      sensors_.begin()));
        extremes_ = simd::Column(3 * sensors_.size() * lanes_);
        lay_parameters(views);
        task_ = {.time_step = views[0].parameters.time_step,
                 .beads = beads_,
                 .uniform = uniform_,
                 .entries = entries_.data(),
                 .results = results_.data(),
                 .parameters = parameters_.data(),
                 .awake = 0,
                 .steps = 0,
                 .sensors = sensors_,
                 .trace_force = nullptr,
                 .trace_velocity = nullptr,
                 .strongest = extremes_.data(),
                 .fastest = extremes_.data() + sensors_.size() * lanes_,
                 .slowest = extremes_.data() + 2 * sensors_.size() * lanes_};
        const simd::FlushSubnormals flush;
        // Lanes without a chain repeat the first one.
        for (std::size_t lane = 0; lane < lanes_; ++lane)
            take(views[lane < views.size() ? lane : 0], lane);
    }

    void advance(std::int64_t steps) override {
        if (steps == 0) return;
        const simd::FlushSubnormals flush;
        task_.steps = steps;
        const std::size_t numbers = static_cast<std::size_t>(steps) * sensors_.size() * lanes_;
        if (trace_.data() == nullptr || trace_.size() < 2 * numbers)
            trace_ = simd::Column(2 * numbers);
        task_.trace_force = trace_.data();
        task_.trace_velocity = trace_.data() + numbers;
        constexpr double none = std::numeric_limits<double>::infinity();
        std::fill_n(task_.strongest, 2 * sensors_.size() * lanes_, -none);
        std::fill_n(task_.slowest, sensors_.size() * lanes_, none);
        kernel_.advance(task_);
        for (std::size_t lane = 0; lane < engines_.size(); ++lane) {
            give_back(*engines_[lane], lane);
            engines_[lane]->advanced_in_lane(steps);
        }
    }

    LaneTrace trace(std::size_t chain) const override {
        return {.rows = static_cast<std::size_t>(task_.steps),
                .row = lanes_,
                .place = place_.data(),
                .force = task_.trace_force + chain,
                .velocity = task_.trace_velocity + chain,
                .strongest = task_.strongest + chain,
                .fastest = task_.fastest + chain,
                .slowest = task_.slowest + chain};
    }

  private:
    void lay_parameters(const std::vector<ChainView>& views) {
        uniform_ = is_uniform(views[0]);
        const std::size_t fields = views[0].law_fields;
        const std::size_t records = uniform_ ? 1 : beads_ + 1;
        parameters_ = simd::Column(records * (fields + 2) * lanes_);
        double* to = parameters_.data();
        for (std::size_t i = 0; i < records; ++i) {
            for (std::size_t k = 0; k < fields + 2; ++k) {
                for (std::size_t lane = 0; lane < lanes_; ++lane) {
                    const Parameters& p = views[lane < views.size() ? lane : 0].parameters;
                    const double* const from = k < fields    ? p.law[k]
                                               : k == fields ? p.kick
                                                             : p.body_force;
                    *to++ = from[p.uniform ? 0 : i];
                }
            }
        }
    }

    /// Calls function(column of the state, column of the lane, distance of its entries).
    template <class Function>
    void each_column(const State& state, std::size_t lane, const Function& function) {
        const std::size_t stride = columns_.count * lanes_;
        double* const entries = entries_.data() + lane;
        function(state.displacement, entries + LaneColumns::displacement * lanes_, stride);
        if (state.power != nullptr)
            function(state.power, entries + columns_.power * lanes_, stride);
        for (std::size_t k = 0; k < memory_fields_; ++k)
            function(state.memory[k], entries + (columns_.memory + k) * lanes_, stride);
        const std::size_t result = LaneResult::count * lanes_;
        double* const results = results_.data() + lane;
        function(state.force, results + LaneResult::force * lanes_, result);
        function(state.velocity, results + LaneResult::velocity * lanes_, result);
        function(state.velocity_change, results + LaneResult::velocity_change * lanes_, result);
    }

    void take(const ChainView& view, std::size_t lane) {
        const State& state = view.state;
        each_column(state, lane, [&](const double* from, double* to, std::size_t stride) {
            for (std::size_t i = 0; i <= beads_; ++i)
                to[i * stride] = from[i];
        });
        const std::size_t stride = columns_.count * lanes_;
        double* const entries = entries_.data() + lane;
        for (std::size_t i = 0; i <= beads_; ++i) {
            double* const entry = entries + i * stride;
            entry[LaneColumns::half * lanes_] = state.velocity[i] + state.velocity_change[i];
            entry[LaneColumns::gap * lanes_] = view.parameters.gap[i];
            if (kernel_.uses_speed)
                entry[columns_.velocity_change * lanes_] = state.velocity_change[i];
        }
        task_.awake = std::max(task_.awake, view.awake);
    }

    void give_back(TiledEngine& engine, std::size_t lane) {
        // The contact to the left of the first bead at rest may have changed.
        const std::size_t count = std::min(task_.awake, beads_) + 1;
        each_column(engine.lane_state(), lane,
                    [&](double* to, const double* from, std::size_t stride) {
                        for (std::size_t i = 0; i < count; ++i)
                            to[i] = from[i * stride];
                    });
    }

    std::vector<TiledEngine*> engines_;
    std::size_t beads_, memory_fields_;
    LaneKernel kernel_;
    std::size_t lanes_;
    LaneColumns columns_;
    simd::Column entries_, results_, parameters_, extremes_, trace_;
    bool uniform_ = false;
    std::vector<std::size_t> sensors_;  ///< in ascending order, each once
    std::vector<std::size_t> place_;    ///< of each wanted sensor among these
    LaneTask task_;
};

}  // namespace

std::size_t chains_at_once() {
    return kernel_for(simd::instruction_sets().front().target, 0).lanes;
}

std::unique_ptr<ChainLanes> make_chain_lanes(std::span<Engine* const> engines,
                                             const std::vector<std::size_t>& sensors) {
    std::vector<TiledEngine*> tiled;
    std::vector<ChainView> views;
    for (Engine* const engine : engines) {
        tiled.push_back(dynamic_cast<TiledEngine*>(engine));
        if (tiled.back() == nullptr) return nullptr;
        const std::optional<ChainView> view = tiled.back()->lane_view();
        if (!view || (!views.empty() && !fits(views.front(), *view))) return nullptr;
        views.push_back(*view);
    }
    if (views.empty() || views[0].beads > most_beads_of_one_tile) return nullptr;
    if (views.size() > kernel_for(views[0].target, views[0].law).lanes) return nullptr;
    return std::make_unique<Lanes>(std::move(tiled), views, sensors);
}

}  // namespace beadwave::dynamics
