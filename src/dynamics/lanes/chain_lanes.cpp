#include "dynamics/chain_lanes.hpp"

#include "../tiled/tiled_engine_class.hpp"
#include "dynamics/one_tile.hpp"
#include "lane_kernel.hpp"
#include "simd/flush_subnormals.hpp"
#include "simd/for_target.hpp"

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
          lanes_(kernel_.chains),
          vectors_(beads_ / kernel_.beads + 1),
          columns_(kernel_.uses_speed, views[0].conservative, memory_fields_),
          entries_((vectors_ + 1) * columns_.count * vector()),
          results_((vectors_ + 1) * LaneResult::count * vector()),
          sensors_(sensors) {
        std::ranges::sort(sensors_);
        sensors_.erase(std::unique(sensors_.begin(), sensors_.end()), sensors_.end());
        for (const std::size_t sensor : sensors)
            place_.push_back(static_cast<std::size_t>(std::ranges::lower_bound(sensors_, sensor) -
                                                      sensors_.begin()));
        const std::size_t of_sensors = sensors_.size() * lanes_;
        extremes_ = simd::Column(3 * of_sensors);
        extreme_rows_ = simd::Column(3 * of_sensors);
        limits_ = simd::Column(3 * of_sensors);
        // Nothing exceeds those of lanes without a chain.
        for (std::size_t i = 0; i < 3 * of_sensors; ++i)
            limits_[i] = (i % lanes_ < views.size()) == (i < 2 * of_sensors) ? -infinity : infinity;
        recent_ = simd::Column(2 * of_sensors * (recent_steps + 1));
        first_rows_.resize(sensors_.size());
        lay_parameters(views);
        task_ = {.time_step = views[0].parameters.time_step,
                 .beads = beads_,
                 .uniform = uniform_,
                 .entries = entries_.data(),
                 .results = results_.data(),
                 .parameters = parameters_.data(),
                 .window = 0,
                 .steps = 0,
                 .sensors = sensors_,
                 .recent_force = recent_.data(),
                 .recent_velocity = recent_.data() + of_sensors * (recent_steps + 1),
                 .trace_force = nullptr,
                 .trace_velocity = nullptr,
                 .first_row = first_rows_.data(),
                 .strongest = extremes_.data(),
                 .fastest = extremes_.data() + of_sensors,
                 .slowest = extremes_.data() + 2 * of_sensors,
                 .strongest_row = extreme_rows_.data(),
                 .fastest_row = extreme_rows_.data() + of_sensors,
                 .slowest_row = extreme_rows_.data() + 2 * of_sensors,
                 .strongest_known = limits_.data(),
                 .fastest_known = limits_.data() + of_sensors,
                 .slowest_known = limits_.data() + 2 * of_sensors};
        const simd::FlushSubnormals flush;
        std::size_t awake = 0;
        for (const ChainView& view : views)
            awake = std::max(awake, view.awake);
        task_.window = std::min(awake / kernel_.beads + 1, vectors_) * kernel_.beads;
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
        std::ranges::fill(first_rows_, static_cast<std::size_t>(steps));
        std::fill_n(task_.strongest, 2 * sensors_.size() * lanes_, -infinity);
        std::fill_n(task_.slowest, sensors_.size() * lanes_, infinity);
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
                .first = first_rows_.data(),
                .force = task_.trace_force + chain,
                .velocity = task_.trace_velocity + chain,
                .strongest = task_.strongest + chain,
                .fastest = task_.fastest + chain,
                .slowest = task_.slowest + chain,
                .strongest_row = task_.strongest_row + chain,
                .fastest_row = task_.fastest_row + chain,
                .slowest_row = task_.slowest_row + chain};
    }

    LaneLimits limits(std::size_t chain) override {
        double* const first = limits_.data() + chain;
        const std::size_t of_sensors = sensors_.size() * lanes_;
        return {lanes_, place_.data(), first, first + of_sensors, first + 2 * of_sensors};
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    /// Numbers of a vector.
    std::size_t vector() const { return kernel_.beads * lanes_; }

    void lay_parameters(const std::vector<ChainView>& views) {
        uniform_ = is_uniform(views[0]);
        const std::size_t fields = views[0].law_fields;
        const std::size_t records = uniform_ ? 1 : vectors_, beads = uniform_ ? 1 : kernel_.beads;
        parameters_ = simd::Column(records * (fields + 2) * beads * lanes_);
        double* to = parameters_.data();
        for (std::size_t i = 0; i < records; ++i) {
            for (std::size_t k = 0; k < fields + 2; ++k) {
                for (std::size_t n = 0; n < beads * lanes_; ++n) {
                    const std::size_t lane = n % lanes_;
                    const Parameters& p = views[lane < views.size() ? lane : 0].parameters;
                    const double* const from = k < fields    ? p.law[k]
                                               : k == fields ? p.kick
                                                             : p.body_force;
                    // Behind the last contact: that one again.
                    *to++ = from[p.uniform ? 0 : std::min(i * beads + n / lanes_, beads_)];
                }
            }
        }
    }

    /// Numbers of one chain in a column of entries or results.
    struct LaneColumn {
        double* first;
        std::size_t stride, lanes, beads;
        /// Calls function(number, i) for each i < count.
        template <class Function>
        void each(std::size_t count, const Function& function) const {
            for (std::size_t bead = 0; bead < beads; ++bead) {
                double* number = first + bead * lanes;
                for (std::size_t i = bead; i < count; i += beads, number += stride)
                    function(*number, i);
            }
        }
    };
    LaneColumn column(std::size_t k, std::size_t lane) {
        return {entries_.data() + k * vector() + lane, columns_.count * vector(), lanes_,
                kernel_.beads};
    }
    LaneColumn result(std::size_t k, std::size_t lane) {
        return {results_.data() + k * vector() + lane, LaneResult::count * vector(), lanes_,
                kernel_.beads};
    }

    /// Calls function(column of the state, column of the lane, entries) for what belongs to
    /// `beads` beads and `contacts` contacts.
    template <class Function>
    void each_column(const State& state, std::size_t lane, std::size_t beads, std::size_t contacts,
                     const Function& function) {
        function(state.displacement, column(LaneColumns::displacement, lane), beads);
        if (state.power != nullptr) function(state.power, column(columns_.power, lane), beads);
        for (std::size_t k = 0; k < memory_fields_; ++k)
            function(state.memory[k], column(columns_.memory + k, lane), contacts);
        function(state.force, result(LaneResult::force, lane), contacts);
        function(state.velocity, result(LaneResult::velocity, lane), beads);
        function(state.velocity_change, result(LaneResult::velocity_change, lane), beads);
    }

    void take(const ChainView& view, std::size_t lane) {
        const State& state = view.state;
        each_column(state, lane, beads_ + 1, beads_ + 1,
                    [](const double* from, const LaneColumn& to, std::size_t count) {
                        to.each(count, [&](double& number, std::size_t i) { number = from[i]; });
                    });
        const std::size_t contacts = beads_ + 1;
        column(LaneColumns::half, lane).each(contacts, [&](double& number, std::size_t i) {
            number = state.velocity[i] + state.velocity_change[i];
        });
        if (kernel_.uses_speed) {
            column(columns_.velocity_change, lane)
                .each(contacts,
                      [&](double& number, std::size_t i) { number = state.velocity_change[i]; });
        }
        column(LaneColumns::gap, lane)
            .each(vectors_ * kernel_.beads, [&](double& number, std::size_t i) {
                number = i < contacts ? view.parameters.gap[i] : 1.0;  // m: never closed
            });
    }

    void give_back(TiledEngine& engine, std::size_t lane) {
        each_column(engine.lane_state(), lane, std::min(task_.window, beads_),
                    std::min(task_.window, beads_ + 1),
                    [](double* to, const LaneColumn& from, std::size_t count) {
                        from.each(count, [&](double number, std::size_t i) { to[i] = number; });
                    });
    }

    std::vector<TiledEngine*> engines_;
    std::size_t beads_, memory_fields_;
    LaneKernel kernel_;
    std::size_t lanes_;
    std::size_t vectors_;  ///< for all entries of a chain
    LaneColumns columns_;
    simd::Column entries_, results_, parameters_, extremes_, extreme_rows_, limits_, recent_,
        trace_;
    bool uniform_ = false;
    std::vector<std::size_t> sensors_;  ///< in ascending order, each once
    std::vector<std::size_t> place_;    ///< of each wanted sensor among these
    std::vector<std::size_t> first_rows_;
    LaneTask task_;
};

}  // namespace

std::size_t chains_at_once() {
    return kernel_for(simd::instruction_sets().front().target, 0).chains;
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
    if (views.size() > kernel_for(views[0].target, views[0].law).chains) return nullptr;
    return std::make_unique<Lanes>(std::move(tiled), views, sensors);
}

}  // namespace beadwave::dynamics
