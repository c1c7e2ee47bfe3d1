#include "simd/flush_subnormals.hpp"
#include "tiled_engine_class.hpp"

namespace beadwave::dynamics {

Totals TiledEngine::totals() const {
    statistics_.take_changes([&](std::size_t begin, std::size_t end) { moved(begin, end); });
    Totals totals = EngineBase::totals();
    if (sleep_speed_ > 0.0) statistics_.add_sleep_loss(totals, ranks_);
    return totals;
}

void TiledEngine::monitor_stability(double speed) {
    slope_speed_ = speed;
    statistics_.clear_stability_limits();
}

void TiledEngine::continue_at(std::int64_t step) {
    const simd::FlushSubnormals flush;
    halo_exchange_.forget();
    activity_.plan_all();
    planned_ = whole_blocks(total_ + 1);
    exchange_edges();
    scan_all();
    restore(step);
    if (sleep_speed_ > 0.0) {
        planned_ = static_cast<std::size_t>(statistics_.restore(activity_, first_));
        wake_moving_beads();
    }
}

void TiledEngine::wake_moving_beads() {
    for (std::size_t t = 0; t < layout_.tiles(); ++t) {
        auto [begin, end] = activity_.moving(t);
        for (std::size_t i = layout_.borders[t]; i < layout_.borders[t + 1]; ++i) {
            if (state_.velocity()[i] == 0.0) continue;
            const std::size_t block = i / block_beads * block_beads;
            begin = begin == end ? block : std::min(begin, block);
            end = std::max(end, block + block_beads);
        }
        activity_.mark_active(t, begin, end);
    }
}

void TiledEngine::wake(std::size_t bead) {
    const auto& borders = layout_.borders;
    const auto t =
        static_cast<std::size_t>(std::ranges::upper_bound(borders, bead) - borders.begin()) - 1;
    const auto [begin, end] = activity_.moving(t);
    if (begin <= bead && bead < end) return;
    const std::size_t block = bead / block_beads * block_beads;
    if (begin == end) {
        activity_.mark_active(t, block, block + block_beads);
    } else {
        activity_.mark_active(t, std::min(begin, block), std::max(end, block + block_beads));
    }
    activity_.plan_all();  // otherwise only tiles near those that moved are considered
}

void TiledEngine::kick(std::span<const stepping::BodyForce<double>> forces,
                       stepping::HalfStep half) {
    EngineBase::kick(forces, half);
    for (const auto& [bead, force] : forces) {
        if (force != 0.0) wake(bead);
    }
}

void TiledEngine::masses(std::size_t begin, std::size_t end, double* mass) const {
    parameters_.masses(begin, end, mass);
}

void TiledEngine::stored_energies(std::size_t begin, std::size_t end, const double* approach,
                                  double* energy) const {
    for (std::size_t i = begin; i < end; i += longest_row_) {
        const std::size_t row_end = std::min(i + longest_row_, end);
        law_.stored(parameters_, state_, i, row_end, approach + (i - begin), energy + (i - begin));
    }
}

void TiledEngine::add_columns(std::vector<StateColumn>& columns) {
    if (sleep_speed_ > 0.0)
        statistics_.add_columns(columns, activity_, first_, static_cast<double>(planned_));
}

}  // namespace beadwave::dynamics
