// The kernels that copy and inspect the lines of bodies on a device.
#pragma once

#include "step_kernel.hpp"

namespace beadwave::packing::on_device {

/// Copies `count` numbers of a body's line to that of another.
inline void copy_numbers(double* lines, std::size_t to, std::size_t from, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k)
        lines[line * to + k] = lines[line * from + k];
}

inline void copy_image(const ImageArguments& a, std::size_t k) {
    const std::size_t to = a.particles + a.ghost[k], from = a.of[k];
    copy_numbers(a.lines.place, to, from, 3);
    if (a.half != 0) copy_numbers(a.lines.half, to, from, line);
    if (a.lines.predicted != nullptr) copy_numbers(a.lines.predicted, to, from, line);
    a.lines.delicate[to] = a.lines.delicate[from];
}

inline bool has_tiny(const double* numbers) {
    return has_tiny(Line<Exact<true>>::load(numbers));
}

inline void inspect(const InspectArguments& a, std::size_t i) {
    const double* const d = a.lines.place + line * i;
    bool found = tiny(d[0]) || tiny(d[1]) || tiny(d[2]) || has_tiny(a.lines.half + line * i) ||
                 (a.lines.predicted != nullptr && has_tiny(a.lines.predicted + line * i));
    if (i < a.particles) {
        const std::size_t begin = a.sides.slice_begin[i / slice] + i % slice;
        for (std::uint32_t k = 0; k < a.sides.count[i]; ++k) {
            const std::size_t at = begin + slice * k;
            for (std::uint32_t c = 0; c < a.memory; ++c)
                found = found || tiny(a.sides.memory[c][at]);
            for (std::uint32_t c = 0; c < a.sliding; ++c)
                found = found || tiny(a.sides.sliding[c][at]);
            for (std::uint32_t c = 0; c < a.rolling; ++c)
                found = found || tiny(a.sides.rolling[c][at]);
        }
    }
    a.lines.delicate[i] = found ? 1 : 0;
}

inline void flush_number(const FlushArguments& a, std::size_t k) {
    a.column[k] = flushed(a.column[k]);
}

inline void gather_place(const GatherArguments& a, std::size_t k) {
    for (std::size_t j = 0; j < 3; ++j)
        a.to[3 * k + j] = a.place[line * a.of[k] + j];
}

inline void swap_sides(const SwapArguments& a, std::size_t /*thread*/) {
    for (std::size_t k = 0; k < 2 * a.count; k += 2) {
        for (std::size_t c = 0; c < a.columns; ++c) {
            const double kept = a.column[c][a.sides[k]];
            a.column[c][a.sides[k]] = a.column[c][a.sides[k + 1]];
            a.column[c][a.sides[k + 1]] = kept;
        }
    }
}

inline void scatter_lines(const ScatterArguments& a, std::size_t k) {
    const std::size_t to = line * a.body[k];
    const double* const from = a.from + 3 * line * k;
    bool found = false;
    for (std::size_t j = 0; j < line; ++j) {
        a.lines.place[to + j] = flushed(from[j]);
        a.lines.half[to + j] = flushed(from[line + j]);
        found = found || (j < 3 && tiny(from[j])) || (j != 3 && j != 7 && tiny(from[line + j]));
        if (a.lines.predicted == nullptr) continue;
        a.lines.predicted[to + j] = flushed(from[2 * line + j]);
        found = found || (j != 3 && j != 7 && tiny(from[2 * line + j]));
    }
    a.lines.delicate[a.body[k]] = found ? 1 : 0;
}

}  // namespace beadwave::packing::on_device
