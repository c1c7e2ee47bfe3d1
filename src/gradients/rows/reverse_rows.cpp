#include "gradients/rows/reverse_rows.hpp"

#include <algorithm>

namespace beadwave::gradients {

ReverseRows::ReverseRows(const ChainColumns& columns)
    : columns_(columns),
      memory_bar_(columns.memory_numbers(), columns.length()),
      law_bar_(columns.law_numbers(), columns.length()),
      displacement_bar_(columns.length()),
      velocity_bar_(columns.length()),
      overlap_sum_(columns.length()),
      push_sum_(columns.length()),
      kick_bar_(columns.length()),
      velocity_seed_(columns.length()),
      force_seed_(columns.length()),
      edges_(static_cast<std::size_t>(row_chunk) * 4 * row_block),
      active_(columns.beads()) {}

void ReverseRows::place_seeds(std::size_t begin, std::size_t end, std::int64_t step,
                              const std::vector<std::vector<double>>& seeds) {
    const std::span<const ChainColumns::Read> reads = columns_.reads(begin, end);
    for (const ChainColumns::Read& each : reads)
        velocity_seed_[each.index] = force_seed_[each.index] = 0.0;
    for (const ChainColumns::Read& each : reads) {
        const double seed = each.weight * seeds[each.channel][static_cast<std::size_t>(step)];
        (each.velocity ? velocity_seed_ : force_seed_)[each.index] += seed;
    }
}

void ReverseRows::leave_at_rest(std::int64_t step, std::size_t active, Bars& bars) {
    for (std::size_t i = active; i < active_; ++i) {
        bars.velocity[i] = bars.change[i] = velocity_bar_[i];
        bars.displacement[i] = displacement_bar_[i];
        bars.reverse_rest(i, step, columns_.steps().time_step(), columns_.steps().kick()[i]);
    }
    active_ = std::min(active_, active);
    bars.active = active_;
}

void ReverseRows::reverse_chunk(Rows& rows, std::int64_t first, std::int64_t count,
                                const std::vector<std::vector<double>>& seeds) {
    RecordedSteps& recorded = rows.recorded();
    const std::size_t length = columns_.entries(active_);
    for_bands(length, static_cast<std::size_t>(count),
              [&](std::size_t begin, std::size_t end, std::size_t at) {
                  const std::int64_t step = first + count - static_cast<std::int64_t>(at);
                  const auto row = recorded.row_of(step);
                  if (!columns_.reads().empty()) place_seeds(begin, end + row_block, step, seeds);
                  columns_.kernel().reverse(
                      columns_.chain(), {.begin = begin,
                                         .end = end,
                                         .length = length,
                                         .step = static_cast<std::int32_t>(row),
                                         .record = recorded.rows.data() + row * columns_.length(),
                                         .displacement_bar = displacement_bar_.data(),
                                         .velocity_bar = velocity_bar_.data(),
                                         .memory = rows.memory(),
                                         .memory_bar = memory_bar_.pointers.data(),
                                         .law_bar = law_bar_.pointers.data(),
                                         .overlap_sum = overlap_sum_.data(),
                                         .push_sum = push_sum_.data(),
                                         .kick_bar = kick_bar_.data(),
                                         .edge = edges_.data() + at * 4 * row_block,
                                         .log = &recorded.log,
                                         .velocity_seed = velocity_seed_.data(),
                                         .force_seed = force_seed_.data()});
              });
}

void ReverseRows::reverse(Rows& rows, const std::vector<std::vector<double>>& seeds, Bars& bars) {
    const RecordedSteps& recorded = rows.recorded();
    std::int64_t last = recorded.from + recorded.count;
    for (std::size_t k = recorded.chunks.size(); k-- > 0;) {
        const std::int64_t first = recorded.chunks[k].first;
        leave_at_rest(last, std::min(columns_.beads(), columns_.entries(recorded.chunks[k].active)),
                      bars);
        reverse_chunk(rows, first, last - first, seeds);
        // Beads at rest have seeds by their velocity, too.
        for (std::int64_t step = last; step > first; --step) {
            for (const ChainColumns::Read& each : columns_.reads(active_, columns_.length())) {
                const double seed = seeds[each.channel][static_cast<std::size_t>(step)];
                if (each.velocity && seed != 0.0)
                    bars.add_at_rest(each.index, step, columns_.steps().kick()[each.index], seed);
            }
        }
        last = first;
    }
}

void ReverseRows::end(Bars& bars) {
    for (std::size_t i = 0; i < active_; ++i) {
        bars.displacement[i] = displacement_bar_[i];
        bars.velocity[i] = bars.change[i] = velocity_bar_[i];
    }
    for (std::size_t i = 0; i < columns_.beads(); ++i) {
        bars.kick[i] += kick_bar_[i] + push_sum_[i] * columns_.chain().body_force[i];
        bars.numbers.load[i] += columns_.chain().kick[i] * push_sum_[i];
    }
    for (std::size_t c = 0; c <= columns_.beads(); ++c) {
        bars.numbers.gap[c] -= overlap_sum_[c];
        for (std::size_t k = 0; k < law_bar_.own.size(); ++k)
            bars.numbers.law[k][c] += law_bar_.own[k][c];
        for (std::size_t k = 0; k < memory_bar_.own.size(); ++k)
            bars.memory[k][c] = memory_bar_.own[k][c];
    }
}

}  // namespace beadwave::gradients
