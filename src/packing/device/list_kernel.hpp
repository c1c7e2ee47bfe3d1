// The kernels that find neighbours on a device, and which of a block's pairs come first.
#pragma once

#include "list_arguments.hpp"

namespace beadwave::packing::on_device {

inline constexpr std::size_t particles_of_block = 1024;
inline constexpr std::size_t entries_of_batch = 128;

/// Three numbers of periods, each of 21 bits, in the order of the triples.
inline std::uint64_t packed_image(std::int32_t x, std::int32_t y, std::int32_t z) {
    const auto part = [](std::int32_t n) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(n + 0x100000) & 0x1FFFFFU);
    };
    return part(x) << 42 | part(y) << 21 | part(z);
}
inline std::int32_t periods_of(std::uint64_t packed, int axis) {
    return static_cast<std::int32_t>(packed >> (42 - 21 * axis) & 0x1FFFFFU) - 0x100000;
}
inline std::uint64_t opposite(std::uint64_t packed) {
    return packed_image(-periods_of(packed, 0), -periods_of(packed, 1), -periods_of(packed, 2));
}
inline constexpr std::uint64_t no_image =
    std::uint64_t{0x100000} << 42 | std::uint64_t{0x100000} << 21 | std::uint64_t{0x100000};

inline double whole_below(double x) {
    return __builtin_floor(x);
}

/// The position of a particle from the lower side of the box along an axis, within the box.
inline double in_box(const ListArguments& a, std::size_t i, int axis, std::int32_t& periods) {
    double x = a.place[line * i + 4 + static_cast<std::size_t>(axis)] - a.lower[axis];
    periods = 0;
    if (a.periodic[axis] == 0) return x;
    const double whole = whole_below(x / a.edge[axis]);
    x -= whole * a.edge[axis];
    periods = static_cast<std::int32_t>(whole);
    return x;
}

inline std::int64_t clamped(std::int64_t x, std::int64_t low, std::int64_t high) {
    return x < low ? low : x > high ? high : x;
}

inline bool is_absent(const ListArguments& a, std::size_t i) {
    return (a.flags[a.id[i]] & 2) != 0;
}

/// The cell of a particle; `add(cell)` counts it.
template <class Add>
void find_cell(const ListArguments& a, std::size_t i, Add add) {
    std::int64_t at[3];
    for (int k = 0; k < 3; ++k) {
        std::int32_t periods = 0;
        const double x = in_box(a, i, k, periods);
        a.periods[3 * i + static_cast<std::size_t>(k)] = periods;
        at[k] = clamped(static_cast<std::int64_t>(x * a.scale[k]), 0, a.cells[k] - 1);
    }
    const auto cell = static_cast<std::uint32_t>((at[2] * a.cells[1] + at[1]) * a.cells[0] + at[0]);
    a.cell[i] = cell;
    if (!is_absent(a, i)) add(cell);
}

/// Takes the particle into its cell; `next(cell)` gives the place.
template <class Next>
void fill_cell(const ListArguments& a, std::size_t i, Next next) {
    if (!is_absent(a, i)) a.members[next(a.cell[i])] = static_cast<std::uint32_t>(i);
}

inline std::size_t block_of(std::size_t particle) {
    return particle / particles_of_block;
}

/// What a row has found.
struct FoundCounts {
    std::uint32_t all = 0, upper = 0, external = 0, ghosts = 0;
};

/// Takes particle j, seen across `wrap` sides, into the row of particle i if it is near: by slot,
/// then image; each once.
inline void visit_neighbour(const ListArguments& a, std::size_t i, std::uint32_t j,
                            const std::int32_t (&wrap)[3], FoundCounts& counts) {
    const std::size_t n = a.particles;
    // From the first of the two to an image of the second.
    const bool is_first = i < j;
    std::int32_t image[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t of = wrap[k] + a.periods[3 * i + k] - a.periods[3 * j + k];
        image[k] = is_first ? of : -of;
    }
    const double *const mine = a.place + line * i, *const its = a.place + line * j;
    const double *const one = is_first ? mine : its, *const two = is_first ? its : mine;
    double r[3];
    for (std::size_t k = 0; k < 3; ++k)
        r[k] = two[4 + k] - one[4 + k] + a.edge[k] * static_cast<double>(image[k]);
    const double reach = one[3] + two[3] + a.skin;
    if (!(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] < reach * reach)) return;
    const std::uint64_t packed = packed_image(image[0], image[1], image[2]);
    std::uint32_t at = counts.all;
    for (; at > 0; --at) {
        const std::size_t before = (at - 1) * n + i;
        const std::uint32_t other = a.found[before];
        const std::uint64_t its_image = a.found_image[before];
        if (other == j && its_image == packed) return;
        if (other < j || (other == j && its_image < packed)) break;
    }
    if (counts.all == most_neighbours) {
        *a.overflow = 1;
        return;
    }
    for (std::uint32_t k = counts.all; k > at; --k) {
        a.found[k * n + i] = a.found[(k - 1) * n + i];
        a.found_image[k * n + i] = a.found_image[(k - 1) * n + i];
    }
    a.found[at * n + i] = j;
    a.found_image[at * n + i] = packed;
    ++counts.all;
    counts.upper += is_first ? 1U : 0U;
    counts.external += !is_first && block_of(j) != block_of(i) ? 1U : 0U;
    counts.ghosts += packed != no_image ? 1U : 0U;
}

/// The neighbours of particle i.
inline void find_row(const ListArguments& a, std::size_t i) {
    FoundCounts counts;
    const bool held = (a.flags[a.id[i]] & 1) != 0;
    std::int64_t first[3], last[3];
    for (int k = 0; k < 3; ++k) {
        std::int32_t periods = 0;
        const double x = in_box(a, i, k, periods);
        first[k] = static_cast<std::int64_t>(whole_below((x - a.by[k]) * a.scale[k]));
        last[k] = static_cast<std::int64_t>(whole_below((x + a.by[k]) * a.scale[k]));
        if (a.periodic[k] == 0) {
            first[k] = clamped(first[k], 0, a.cells[k] - 1);
            last[k] = clamped(last[k], 0, a.cells[k] - 1);
        }
    }
    for (std::int64_t z = first[2]; z <= last[2] && !is_absent(a, i); ++z) {
        for (std::int64_t y = first[1]; y <= last[1]; ++y) {
            for (std::int64_t x = first[0]; x <= last[0]; ++x) {
                const std::int64_t at[3] = {x, y, z};
                std::int64_t in[3];
                std::int32_t wrap[3];
                for (int k = 0; k < 3; ++k) {
                    const std::int64_t cells = a.cells[k];
                    const std::int64_t periods =
                        at[k] >= 0 ? at[k] / cells : -((cells - 1 - at[k]) / cells);
                    wrap[k] = static_cast<std::int32_t>(periods);
                    in[k] = at[k] - periods * cells;
                }
                const auto cell =
                    static_cast<std::size_t>((in[2] * a.cells[1] + in[1]) * a.cells[0] + in[0]);
                for (std::uint32_t m = a.cell_begin[cell]; m < a.cell_begin[cell + 1]; ++m) {
                    const std::uint32_t j = a.members[m];
                    if (j == i || (held && (a.flags[a.id[j]] & 1) != 0)) continue;
                    visit_neighbour(a, i, j, wrap, counts);
                }
            }
        }
    }
    a.count[i] = counts.all;
    a.upper[i] = counts.upper;
    a.external[i] = counts.external;
    a.ghosts[i] = counts.ghosts;
}

/// Lists the pairs that a block has with the particles of those before it.
inline void list_external(const ListArguments& a, std::size_t i) {
    std::uint32_t to = a.external_before[i];
    for (std::uint32_t k = 0; k < a.count[i]; ++k) {
        const std::uint32_t j = a.found[k * a.particles + i];
        if (j > i || block_of(j) == block_of(i)) continue;
        a.external_first[to] = j;
        a.external_second[to] = static_cast<std::uint32_t>(i);
        a.external_image[to] = a.found_image[k * a.particles + i];
        ++to;
    }
}

/// How many of them come before this one.
inline void rank_external(const ListArguments& a, std::size_t e) {
    const std::uint32_t first = a.external_first[e], second = a.external_second[e];
    const std::uint64_t image = a.external_image[e];
    const std::size_t b = block_of(second);
    std::uint32_t rank = 0;
    for (std::uint32_t k = a.external_begin[b]; k < a.external_begin[b + 1]; ++k) {
        const std::uint32_t its_first = a.external_first[k], its_second = a.external_second[k];
        const bool before =
            its_first < first ||
            (its_first == first &&
             (its_second < second || (its_second == second && a.external_image[k] < image)));
        rank += before ? 1U : 0U;
    }
    a.external_rank[e] = rank;
}

}  // namespace beadwave::packing::on_device
