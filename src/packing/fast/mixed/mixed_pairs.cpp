#include "mixed_pairs.hpp"

#include "packing/contacts/pair_kinematics.hpp"
#include "simd/for_target.hpp"

#include <algorithm>

namespace beadwave::packing {

MixedPairs::MixedPairs(std::size_t slider, bool slides, bool slips, bool strains,
                       const simd::InstructionSet& instructions)
    : kernel_(
          simd::for_target(instructions.target,
                           [&]<simd::Target target>() { return mixed_kernel<target>(slider); })),
      slides_(slides),
      slips_(slips),
      strains_(strains) {}

void MixedPairs::put_direction(const Bodies& bodies, const PairEntries& entries, std::size_t e) {
    const double *const a = bodies.place(entries.first[e]), *const b =
                                                                bodies.place(entries.second[e]);
    float* const to = record(e);
    // Over R_1 + R_2 + gap, as the kernel has it: longer than 1 where a wall's ghost stays behind
    // its surface (wall_ghost()).
    const float length = static_cast<float>(a[3]) + static_cast<float>(b[3]) + to[3 * entry_block];
    const double inverse = 1.0 / static_cast<double>(length);
    for (std::size_t k = 0; k < 3; ++k)
        to[k * entry_block] = static_cast<float>(inverse * (b[4 + k] - a[4 + k]));
}

void MixedPairs::adopt(const Bodies& bodies, PairEntries& entries, ContactMemory& memory,
                       const LawTable& table) {
    for (std::size_t side = 0; side < 2; ++side) {
        body_[side] = FloatColumn(mixed_line * (bodies.dummy() + 1));
        if (bodies.needs().predicted)
            predicted_[side] = FloatColumn(mixed_predicted_line * (bodies.dummy() + 1));
    }
    const KindTable& numbers = table.kernel();
    pair_width_ = mixed_pair(slides_) +
                  (numbers.by_entry ? mixed_parameters(slips_, numbers.slider_fields) : 0);
    pair_ = FloatColumn(pair_width_ * entries.count());
    wall_entries_.clear();
    inverse_radii_sum_.assign(numbers.by_entry ? 1 : table.rows(), 0.0);
    for (std::size_t e = 0; e < entries.count(); ++e) {
        const float gap = static_cast<float>(entries.gap[e]);
        entries.gap[e] = static_cast<double>(gap);  // the ledger's overlap is that of the step
        record(e)[3 * entry_block] = gap;
        put_direction(bodies, entries, e);
        if (slides_) {
            const laws::SliderMemory<double> of_contact = memory.sliding(e);
            const double spring[] = {of_contact.vector.x, of_contact.vector.y, of_contact.vector.z,
                                     of_contact.number};
            for (std::size_t k = 0; k < 4; ++k)
                field(e, k) = static_cast<float>(spring[k]);
        }
        const bool pads = entries.is_padding(e);
        const std::uint32_t first = entries.first[e], second = entries.second[e];
        const double inverse_radii_sum =
            pads ? 0.0 : bodies.inverse_radius(first) + bodies.inverse_radius(second);
        if (numbers.by_entry) put_parameters(numbers, e, inverse_radii_sum);
        if (pads) continue;
        if (!numbers.by_entry) inverse_radii_sum_[entries.kind[e]] = inverse_radii_sum;
        const bool wall = bodies.wall_of(second) != nullptr;
        if (wall) wall_entries_.push_back(e);
    }
    memory.free_springs();
    stale_ = true;
}

void MixedPairs::put_parameters(const KindTable& table, std::size_t e, double inverse_radii_sum) {
    std::array<double, mixed_parameters(true, most_slider_fields)> all{
        inverse_radii_sum, table.inverse_radii[e], table.turning[e]};
    for (std::size_t k = 0; k < table.slider_fields; ++k)
        all[3 + k] = table.slider[k][e];
    float* const to = record(e) + mixed_pair(slides_) * entry_block;
    for (std::size_t k = 0; k < mixed_parameters(slips_, table.slider_fields); ++k)
        to[k * entry_block] = static_cast<float>(all[k]);
}

std::vector<HaloPart> MixedPairs::next_halo() {
    const std::size_t side = now_ ^ 1;
    const auto part = [](FloatColumn& lines, std::size_t width, std::size_t from,
                         std::size_t count) {
        return HaloPart{reinterpret_cast<std::byte*>(lines.data() + from), width * sizeof(float),
                        count * sizeof(float)};
    };
    FloatColumn &body = body_[side], &predicted = predicted_[side];
    std::vector<HaloPart> parts{part(body, mixed_line, 0, 3), part(body, mixed_line, 4, 3)};
    if (slips_) parts.push_back(part(body, mixed_line, 7, 9));
    for (const std::size_t from : {0, 4}) {
        if (predicted.size() > 0) parts.push_back(part(predicted, mixed_predicted_line, from, 3));
    }
    return parts;
}

void MixedPairs::put_body(const Bodies& bodies, std::size_t side, std::size_t body) {
    mixed_numbers(bodies.place(body), bodies.half(body), body_[side].data() + mixed_line * body);
    if (const double* const predicted = bodies.predicted(body)) {
        mixed_predicted_numbers(predicted, predicted_[side].data() + mixed_predicted_line * body);
    }
}

void MixedPairs::prepare_step(const Bodies& bodies, const PairEntries& entries, int threads) {
    const std::size_t n = bodies.held();
    if (stale_) {
        // Both sides, because a sleeping block is not written again.
#pragma omp parallel for num_threads(threads) if (threads > 1)
        for (std::size_t i = 0; i < n; ++i) {
            put_body(bodies, now_, i);
            if (!strains_) put_body(bodies, now_ ^ 1, i);
        }
        put_body(bodies, now_, bodies.dummy());
        put_body(bodies, now_ ^ 1, bodies.dummy());
        stale_ = false;
    }
    for (std::size_t g = 0; g < bodies.ghosts.size(); ++g) {
        const Ghost& ghost = bodies.ghosts[g];
        if (ghost.wall >= 0 || strains_) {
            put_body(bodies, now_, n + g);
            continue;
        }
        const auto copy = [&](FloatColumn& lines, std::size_t width) {
            std::copy_n(lines.data() + width * ghost.of, width, lines.data() + width * (n + g));
        };
        copy(body_[now_], mixed_line);
        if (bodies.needs().predicted) copy(predicted_[now_], mixed_predicted_line);
    }
    for (const std::size_t e : wall_entries_)
        put_direction(bodies, entries, e);
}

void MixedPairs::step_block(const LawTable& table, const PackingKernel& kernel, const Entries& e,
                            double step, Scratch& scratch, const Sums& sums) {
    MixedScratch floats;
    std::ranges::fill(floats.deepest, 0.0F);
    const MixedTable mixed_table{inverse_radii_sum_.data()};
    const MixedLines now = lines(now_);
    const MixedEntries pairs{record(e.number), pair_width_};
    const KindTable& laws = table.kernel();
    for (std::size_t from = 0; from < e.count; from += batch) {
        const std::size_t count = std::min(batch, e.count - from);
        kernel_.place(laws, mixed_table, now, e, pairs, from, count, step, scratch, floats);
        kernel.normal(laws, e, from, count, scratch);
        kernel_.slide(laws, e, pairs, from, count, step, scratch, floats, sums);
    }
    std::ranges::copy(floats.deepest, scratch.deepest);
}

laws::SliderMemory<double> MixedPairs::spring(std::size_t entry) const {
    const float* const numbers = record(entry) + 4 * entry_block;
    const auto number = [&](std::size_t k) {
        return static_cast<double>(numbers[k * entry_block]);
    };
    return {{number(0), number(1), number(2)}, number(3)};
}

void MixedPairs::swap_springs(std::size_t one, std::size_t two) {
    for (std::size_t k = 0; k < 4; ++k)
        std::swap(field(one, k), field(two, k));
}

double MixedPairs::overlap(const PairEntries& entries, std::size_t e) const {
    const float *const a = body_[now_].data() + mixed_line * entries.first[e],
                       *const b = body_[now_].data() + mixed_line * entries.second[e],
                       *const pair = record(e);
    const auto number = [](float x) { return static_cast<double>(x); };
    const auto between = [&](std::size_t k) {
        return (number(b[k]) - number(a[k])) + (number(b[4 + k]) - number(a[4 + k]));
    };
    const auto direction = [&](std::size_t k) { return number(pair[k * entry_block]); };
    const double radii = number(a[3]) + number(b[3]), gap = entries.gap[e], l = radii + gap;
    return pair_geometry<double>({.reference = l * Vec3{direction(0), direction(1), direction(2)},
                                  .displacement = {between(0), between(1), between(2)},
                                  .radii = radii,
                                  .gap = gap})
        .overlap;
}

}  // namespace beadwave::packing
