#include "dynamics/flush_subnormals.hpp"
#include "tiled_engine_class.hpp"

namespace beadwave::dynamics {

Totals TiledEngine::totals() const {
    notes_.take_changes([&](std::size_t begin, std::size_t end) { moved(begin, end); });
    Totals totals = EngineWithBooks::totals();
    if (sleep_speed_ > 0.0) notes_.add_lost(totals, ranks_);
    return totals;
}

void TiledEngine::watch_rates(double speed) {
    rates_speed_ = speed;
    notes_.forget_rates();
}

void TiledEngine::continue_at(std::int64_t step) {
    const FlushSubnormals flush;
    borders_.forget();
    watch_.plan_all();
    planned_ = whole_blocks(total_ + 1);
    look_at_all();
    take_up(step);
    if (sleep_speed_ > 0.0) {
        planned_ = static_cast<std::size_t>(notes_.restore(watch_, first_));
        wake_what_moves();
    }
}

void TiledEngine::wake_what_moves() {
    for (std::size_t t = 0; t < layout_.tiles(); ++t) {
        auto [begin, end] = watch_.moving(t);
        for (std::size_t i = layout_.borders[t]; i < layout_.borders[t + 1]; ++i) {
            if (state_.velocity()[i] == 0.0) continue;
            const std::size_t block = i / block_beads * block_beads;
            begin = begin == end ? block : std::min(begin, block);
            end = std::max(end, block + block_beads);
        }
        watch_.saw(t, begin, end);
    }
}

void TiledEngine::masses(std::size_t begin, std::size_t end, double* mass) const {
    for (std::size_t i = begin; i < end; ++i)
        mass[i - begin] = parameters_.mass(i);
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
        notes_.add_columns(columns, watch_, first_, static_cast<double>(planned_));
}

}  // namespace beadwave::dynamics
