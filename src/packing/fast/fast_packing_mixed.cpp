// The fast engine in mixed precision: between its doubles and the floats of pairs.

#include "fast_packing_engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace beadwave::packing {

void FastPackingEngine::put_direction(std::size_t e) {
    const Vec3 r = triple(place(second_[e]) + 4) - triple(place(first_[e]) + 4);
    float* const record = mixed_->record(e);
    // Over R_1 + R_2 + gap, as the kernel has it: longer than 1 where a wall's ghost stays behind
    // its surface (wall_ghost()).
    const float length = static_cast<float>(place(first_[e])[3]) +
                         static_cast<float>(place(second_[e])[3]) + record[3 * entry_block];
    const Vec3 n = (1.0 / static_cast<double>(length)) * r;
    record[0] = static_cast<float>(n.x);
    record[entry_block] = static_cast<float>(n.y);
    record[2 * entry_block] = static_cast<float>(n.z);
}

void FastPackingEngine::adopt_mixed_pairs() {
    if (!mixed_) return;
    MixedState& m = *mixed_;
    const std::size_t entries = first_.size(), bodies = std::size_t{dummy()} + 1;
    for (int side = 0; side < 2; ++side) {
        m.body[side] = FloatColumn(mixed_line * bodies);
        if (predicted_needed_) m.predicted[side] = FloatColumn(mixed_predicted_line * bodies);
    }
    const std::size_t own = mixed_pair(slides_),
                      parameters = mixed_parameters(slides_ || rolls_, table_.slider_fields);
    m.pair_width = own + (table_.by_entry ? parameters : 0);
    m.pair = FloatColumn(m.pair_width * entries);
    m.wall_entries.clear();
    m.inverse_radii_sum.assign(table_.by_entry ? 0 : laws_.kinds(), 0.0);
    const auto put_parameters = [&](std::size_t e, double inverse_radii_sum) {
        std::array<double, mixed_parameters(true, 4)> all{inverse_radii_sum, inverse_radii_[e],
                                                          turning_[e]};
        for (std::size_t k = 0; k < table_.slider_fields; ++k)
            all[3 + k] = slider_numbers_[k][e];
        for (std::size_t k = 0; k < parameters; ++k)
            m.record(e)[(own + k) * entry_block] = static_cast<float>(all[k]);
    };
    for (std::size_t e = 0; e < entries; ++e) {
        const float gap = static_cast<float>(gap_[e]);
        gap_[e] = static_cast<double>(gap);  // the ledger's overlap is that of the step
        m.record(e)[3 * entry_block] = gap;
        put_direction(e);
        for (std::size_t f = 0; slides_ && f < 4; ++f)
            m.spring(e, f) = static_cast<float>(sliding_[f][e]);
        const bool pads = second_[e] == dummy();
        const double inverse_radii_sum = pads ? 0.0 : place(first_[e])[7] + place(second_[e])[7];
        if (table_.by_entry) put_parameters(e, inverse_radii_sum);
        if (pads) continue;
        if (!table_.by_entry) m.inverse_radii_sum[kind_[e]] = inverse_radii_sum;
        const bool wall = second_[e] >= n_ && list_.ghosts[second_[e] - n_].wall >= 0;
        if (wall) m.wall_entries.push_back(e);
    }
    sliding_ = {};
    m.stale = true;
}

void FastPackingEngine::return_springs() const {
    if (!mixed_ || !slides_) return;
    for (std::size_t f = 0; f < 4; ++f) {
        sliding_[f] = Column(first_.size());
        for (std::size_t e = 0; e < first_.size(); ++e)
            sliding_[f][e] = static_cast<double>(mixed_->spring(e, f));
    }
}

/// A float has an error of up to 2^-24 of the displacement.
double FastPackingEngine::present_rounding() const {
    const auto [moved, overlaps] = sums_.of_pairs<2>(home_.size(), [&](std::size_t p) {
        const std::uint32_t e = home_[p];
        const PairGeometry<double> now = geometry_of(e);
        if (!touches(e, now.overlap)) return std::array{0.0, 0.0};
        const Vec3 u = triple(place(second_[e])) - triple(place(first_[e]));
        return std::array{std::sqrt(dot(u, u)), std::abs(now.overlap)};
    });
    constexpr double unit = 0x1p-24;
    return overlaps > 0.0 ? unit * moved / overlaps : 0.0;
}

double FastPackingEngine::overlap_rounding() const {
    return mixed_ ? std::max(mixed_->rounding, present_rounding()) : 0.0;
}

laws::SliderMemory<double> FastPackingEngine::spring_of(std::size_t e) const {
    if (!mixed_) return slider_memory(sliding_, e);
    const auto field = [&](std::size_t f) { return static_cast<double>(mixed_->spring(e, f)); };
    return {{field(0), field(1), field(2)}, field(3)};
}

void FastPackingEngine::put_mixed_lines(int side, std::size_t body) {
    MixedState& m = *mixed_;
    mixed_numbers(place_[now_].data() + line * body, half_[now_].data() + line * body,
                  m.body[side].data() + mixed_line * body);
    if (predicted_needed_) {
        mixed_predicted_numbers(predicted_[now_].data() + line * body,
                                m.predicted[side].data() + mixed_predicted_line * body);
    }
}

void FastPackingEngine::prepare_mixed_step() {
    MixedState& m = *mixed_;
    if (m.stale) {
        // Both sides, because a sleeping block is not written again.
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
        for (std::size_t i = 0; i < n_; ++i) {
            put_mixed_lines(m.now, i);
            if (!box_.strains()) put_mixed_lines(m.now ^ 1, i);
        }
        put_mixed_lines(m.now, dummy());
        put_mixed_lines(m.now ^ 1, dummy());
        m.stale = false;
    }
    for (std::size_t g = 0; g < list_.ghosts.size(); ++g) {
        const Ghost& ghost = list_.ghosts[g];
        if (ghost.wall >= 0 || box_.strains()) {
            put_mixed_lines(m.now, n_ + g);
            continue;
        }
        const auto copy = [&](FloatColumn& lines, std::size_t width) {
            std::copy_n(lines.data() + width * ghost.of, width, lines.data() + width * (n_ + g));
        };
        copy(m.body[m.now], mixed_line);
        if (predicted_needed_) copy(m.predicted[m.now], mixed_predicted_line);
    }
    for (const std::size_t e : m.wall_entries)
        put_direction(e);
}

void FastPackingEngine::renew_doubles() {
    if (share_.shared() && !mixed_->stale) exchange_halo();
    update_images();
}

void FastPackingEngine::update_images() {
    constexpr std::size_t bytes = line * sizeof(double);
    for (std::size_t g = 0; g < list_.ghosts.size(); ++g) {
        if (list_.ghosts[g].wall >= 0) continue;
        const std::size_t from = line * list_.ghosts[g].of, to = line * (n_ + g);
        put(place_[now_].data() + to, triple(place_[now_].data() + from));
        std::memcpy(half_[now_].data() + to, half_[now_].data() + from, bytes);
        if (predicted_needed_)
            std::memcpy(predicted_[now_].data() + to, predicted_[now_].data() + from, bytes);
    }
}

/// From the mixed lines: those of doubles may be of the next step already.
double FastPackingEngine::mixed_overlap(std::size_t e) const {
    const float *const a = mixed_->body[mixed_->now].data() + mixed_line * first_[e],
                       *const b = mixed_->body[mixed_->now].data() + mixed_line * second_[e],
                       *const pair = mixed_->record(e);
    const auto number = [](float x) { return static_cast<double>(x); };
    const auto between = [&](std::size_t k) {
        return (number(b[k]) - number(a[k])) + (number(b[4 + k]) - number(a[4 + k]));
    };
    const auto direction = [&](std::size_t k) { return number(pair[k * entry_block]); };
    const double l = number(a[3]) + number(b[3]) + gap_[e];
    return pair_geometry<double>({.reference = l * Vec3{direction(0), direction(1), direction(2)},
                                  .displacement = {between(0), between(1), between(2)},
                                  .radii = number(a[3]) + number(b[3]),
                                  .gap = gap_[e]})
        .overlap;
}

void FastPackingEngine::step_mixed_pairs(const Entries& e, std::size_t b, double step,
                                         Scratch& scratch, const Sums& sums) {
    MixedState& m = *mixed_;
    MixedScratch floats;
    std::ranges::fill(floats.deepest, 0.0F);
    const MixedTable table{m.inverse_radii_sum.data()};
    const MixedLines lines = m.lines(m.now);
    const MixedEntries pairs{m.record(entry_begin_[b]), m.pair_width};
    for (std::size_t from = 0; from < e.count; from += batch) {
        const std::size_t count = std::min(batch, e.count - from);
        m.kernel.place(table_, table, lines, e, pairs, from, count, step, scratch, floats);
        kernel_.normal(table_, e, from, count, scratch);
        m.kernel.slide(table_, e, pairs, from, count, step, scratch, floats, sums);
    }
    std::ranges::copy(floats.deepest, scratch.deepest);
}

}  // namespace beadwave::packing
