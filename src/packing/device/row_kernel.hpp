// The kernels that write the rows of a new list on a device: the order of sides, and what is kept
// of the old list.
#pragma once

#include "exact.hpp"
#include "list_kernel.hpp"
#include "packing/contacts/pair_kinematics.hpp"

namespace beadwave::packing::on_device {

/// A double without fused operations, as the host's own code computes.
struct Plain {
    double value = 0.0;
    Plain() = default;
    Plain(double x) : value(x) {}  // NOLINT
    friend Plain operator+(Plain a, Plain b) { return a.value + b.value; }
    friend Plain operator-(Plain a, Plain b) { return a.value - b.value; }
    friend Plain operator*(Plain a, Plain b) { return a.value * b.value; }
    friend Plain operator/(Plain a, Plain b) { return a.value / b.value; }
    friend Plain operator-(Plain a) { return -a.value; }
    friend Plain inverse_sqrt(Plain x) { return 1.0 / __builtin_sqrt(x.value); }
    friend Plain ratio(Plain a, Plain b) { return a / b; }
};

/// Where pair number q of a block's `pairs` stands among its entries (interleave() in
/// fast_packing_layout.cpp), as a number of the same order.
inline std::uint64_t entry_order(std::uint32_t q, std::uint32_t pairs) {
    const std::uint32_t batch = q / entries_of_batch, r = q % entries_of_batch;
    const std::uint32_t left = pairs - batch * entries_of_batch;
    const std::uint32_t size = left < entries_of_batch ? left : entries_of_batch;
    const std::uint32_t columns = (size + 7) / 8;
    return std::uint64_t{batch} << 32 | std::uint64_t{r % columns} << 16 | r / columns;
}

/// The number of the pair (i, j, image) among those whose first particle is i.
inline std::uint32_t upper_number(const ListArguments& a, std::uint32_t i, std::uint32_t j,
                                  std::uint64_t image) {
    std::uint32_t number = 0;
    for (std::uint32_t k = 0; k < a.count[i]; ++k) {
        const std::uint32_t other = a.found[k * a.particles + i];
        if (other < i) continue;
        if (other == j && a.found_image[k * a.particles + i] == image) break;
        ++number;
    }
    return number;
}

/// The overlap of a pair from the lines of its bodies, as the engine's own code computes it.
inline double overlap_of(const double* one, const double* two, double gap) {
    const auto difference = [](const double* x, const double* y) {
        return laws::Triple<Plain>{y[0] - x[0], y[1] - x[1], y[2] - x[2]};
    };
    return pair_geometry<Plain>({.reference = difference(one + 4, two + 4),
                                 .displacement = difference(one, two),
                                 .radii = one[3] + two[3],
                                 .gap = gap})
        .overlap.value;
}

/// Gives a side what is kept of it from the old list: its memory, and the part of the gap that
/// comes from the displacements.
inline void keep_side(const ListArguments& a, std::size_t i, std::size_t at, bool second,
                      std::uint32_t partner, std::uint64_t image, const double* self,
                      const double* other) {
    const std::uint32_t id = a.id[i], old_i = a.old_slot_of[id];
    const bool wall = (partner & is_wall) != 0;
    // By the numbers of the particles, the lower one first.
    const bool flip = !wall && (second ? partner > id : id > partner);
    const std::uint64_t canonical = flip ? opposite(image) : image;
    const std::size_t begin = a.old.slice_begin[old_i / slice] + old_i % slice;
    std::size_t found = 0;
    bool is_old = false, flipped = false, old_second = false;
    for (std::uint32_t k = 0; k < a.old.count[old_i]; ++k) {
        const std::size_t old = begin + slice * k;
        if (a.old_identity.partner[old] != partner) continue;
        old_second = (a.old.other[old] & is_second) != 0;
        flipped = !wall && (old_second ? partner > id : id > partner);
        if (!wall && a.identity.image != nullptr) {
            const std::uint64_t its = a.old_identity.image[old];
            if ((flipped ? opposite(its) : its) != canonical) continue;
        }
        found = old;
        is_old = true;
        break;
    }
    for (std::uint32_t c = 0; c < a.columns; ++c) {
        const double sign = flip != flipped && (a.signs >> c & 1U) != 0 ? -1.0 : 1.0;
        a.memory[c][at] = is_old ? sign * a.old_memory[c][found] : 0.0;
    }
    if (!is_old) return;
    const std::uint32_t bits = a.old.other[found];
    const double* const old_other = a.old_place + line * (bits & body_mask);
    const double* const old_self =
        a.old_place + line * ((bits & is_image) != 0 ? a.old.self[found] : old_i);
    const double was = old_second ? overlap_of(old_other, old_self, a.old.gap[found])
                                  : overlap_of(old_self, old_other, a.old.gap[found]);
    const double fresh =
        second ? overlap_of(other, self, a.gap[at]) : overlap_of(self, other, a.gap[at]);
    a.gap[at] += fresh - was;
}

/// A gap that is rounding is none (first_gap() in wall_motion.hpp).
inline double first_gap_of(double distance, double radii) {
    const double gap = distance - radii;
    return gap < 1e-12 * radii && gap > -1e-12 * radii ? 0.0 : gap;
}

/// Sorts what particle i has found into the order of the entries of its block.
inline void order_row(const ListArguments& a, std::size_t i, std::uint8_t* number) {
    const std::size_t n = a.particles, b = block_of(i);
    const std::uint32_t externals = a.external_begin[b + 1] - a.external_begin[b];
    std::uint64_t order[most_neighbours];
    std::uint32_t external = a.external_before[i], upper = 0;
    for (std::uint32_t k = 0; k < a.count[i]; ++k) {
        const std::uint32_t j = a.found[k * n + i];
        std::uint32_t q = 0;
        if (j > i) {
            q = externals + a.upper_before[i] + upper++;
        } else if (block_of(j) == b) {
            q = externals + a.upper_before[j] +
                upper_number(a, j, static_cast<std::uint32_t>(i), a.found_image[k * n + i]);
        } else {
            q = a.external_rank[external++];
        }
        const std::uint64_t its = entry_order(q, a.block_pairs[b]);
        std::uint32_t at = k;
        for (; at > 0 && order[at - 1] > its; --at) {
            order[at] = order[at - 1];
            number[at] = number[at - 1];
        }
        order[at] = its;
        number[at] = static_cast<std::uint8_t>(k);
    }
}

/// Makes a ghost of a particle across periodic sides; returns its place.
inline const double* make_image(const ListArguments& a, std::uint32_t ghost, std::uint32_t of,
                                std::uint64_t image) {
    const std::size_t body = a.first_image + ghost;
    a.image_of[ghost] = of;
    a.image_ghost[ghost] = static_cast<std::uint32_t>(body - a.particles);
    const double* const line_of = a.place + line * of;
    for (double* const place : a.image_place) {
        double* const to = place + line * body;
        for (std::size_t c = 0; c < 3; ++c) {
            to[c] = line_of[c];
            to[4 + c] = line_of[4 + c] +
                        a.edge[c] * static_cast<double>(periods_of(image, static_cast<int>(c)));
        }
        to[3] = line_of[3];
        to[7] = 1.0 / line_of[3];
    }
    return a.image_place[0] + line * body;
}

/// The row of parameters of a pair, by the kinds of its particles, the lower number first.
inline std::uint32_t row_of_pair(const ListArguments& a, std::uint32_t id, std::uint32_t partner) {
    if (a.kind == nullptr) return a.row_of_kinds[0];
    const std::uint32_t one = a.kind[id < partner ? id : partner],
                        two = a.kind[id < partner ? partner : id];
    return a.row_of_kinds[one * a.kinds + two];
}

/// A side of particle i with another particle. Its image, if it is one, is the next ghost.
inline void write_side(const ListArguments& a, std::size_t i, std::size_t from, std::size_t at,
                       std::uint32_t& ghost) {
    const std::uint32_t j = a.found[from], partner = a.id[j];
    const std::uint64_t image = a.found_image[from];
    const bool second = j < i;
    const double* self = a.place + line * i;
    const double* other = a.place + line * j;
    std::uint32_t bits = j | (second ? is_second : 0U), its_self = none;
    if (image != no_image) {
        // The second body is there as an image, which is a ghost of this side alone.
        const auto body = static_cast<std::uint32_t>(a.first_image + ghost);
        const double* const made =
            make_image(a, ghost++, static_cast<std::uint32_t>(second ? i : j), image);
        if (second) {
            its_self = body;
            bits |= is_image;
            self = made;
        } else {
            bits = body;
            other = made;
        }
    }
    a.other[at] = bits;
    a.self[at] = its_self;
    a.identity.partner[at] = partner;
    if (a.identity.image != nullptr) a.identity.image[at] = image;
    if (a.row != nullptr) a.row[at] = row_of_pair(a, a.id[i], partner);
    const double* const p = second ? other : self;
    const double* const q = second ? self : other;
    double squared = 0.0;
    {
        const double x = q[4] - p[4], y = q[5] - p[5], z = q[6] - p[6];
        squared = x * x + y * y + z * z;
    }
    a.gap[at] = first_gap_of(__builtin_sqrt(squared), p[3] + q[3]);
    keep_side(a, i, at, second, partner, image, self, other);
}

/// A side of particle i with a wall.
inline void write_wall_side(const ListArguments& a, std::size_t i, const WallSide& wall,
                            std::size_t at) {
    a.other[at] = wall.body;
    a.self[at] = wall.force_row;
    a.identity.partner[at] = is_wall | wall.wall;
    if (a.identity.image != nullptr) a.identity.image[at] = no_image;
    if (a.row != nullptr) a.row[at] = wall.row;
    a.gap[at] = wall.gap;
    keep_side(a, i, at, false, is_wall | wall.wall, no_image, a.place + line * i,
              a.image_place[0] + line * wall.body);
}

/// The row of particle i.
inline void finish_row(const ListArguments& a, std::size_t i) {
    std::uint8_t number[most_neighbours];
    order_row(a, i, number);
    const std::size_t begin = a.slice_begin[i / slice] + i % slice;
    std::uint32_t ghost = a.ghosts_before[i], sides = a.count[i];
    for (std::uint32_t k = 0; k < a.count[i]; ++k)
        write_side(a, i, number[k] * a.particles + i, begin + slice * k, ghost);
    if (a.wall_begin != nullptr) {
        for (std::uint32_t w = a.wall_begin[i]; w < a.wall_begin[i + 1]; ++w)
            write_wall_side(a, i, a.wall_sides[w], begin + slice * sides++);
    }
    a.sides[i] = sides;
}

inline void permute(const PermuteArguments& a, std::size_t i) {
    const std::size_t from = a.old_slot_of[a.id[i]];
    for (std::size_t k = 0; k < a.width; ++k)
        a.to[a.width * i + k] = a.from[a.width * from + k];
}

inline void copy_number(const CopyArguments& a, std::size_t k) {
    a.to[k] = a.from[k];
}

/// The depth of the deepest old contact with a wall; `raise(depth)` keeps the largest.
template <class Raise>
void watch_walls(const ListArguments& a, std::size_t i, Raise raise) {
    const std::uint32_t old_i = a.old_slot_of[a.id[i]];
    const std::size_t begin = a.old.slice_begin[old_i / slice] + old_i % slice;
    for (std::uint32_t k = 0; k < a.old.count[old_i]; ++k) {
        const std::size_t old = begin + slice * k;
        if ((a.old_identity.partner[old] & is_wall) == 0) continue;
        const double* const mine = a.old_place + line * old_i;
        const double overlap =
            overlap_of(mine, a.old_place + line * a.old.other[old], a.old.gap[old]);
        raise(overlap / mine[3]);
    }
}

}  // namespace beadwave::packing::on_device
