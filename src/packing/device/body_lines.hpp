// The lines of a body as a device has them: eight numbers each (fast/packing_lines.inl.hpp).
#pragma once

#include "exact.hpp"
#include "step_arguments.hpp"

#include <cstddef>
#include <utility>

namespace beadwave::packing::on_device {

/// Calls visit(k) for all numbers of a line: never a loop, whose numbers would be in memory.
template <class Visit>
inline void each_number(Visit visit) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        (visit(k), ...);
    }
    (std::make_index_sequence<line>{});
}

/// A line in memory, which the compiler may load in large parts.
template <class Pointer>
inline Pointer aligned(Pointer to) {
    return static_cast<Pointer>(__builtin_assume_aligned(to, line * sizeof(double)));
}

/// The numbers of a line.
template <class Number>
struct Line {
    Number at[line];

    static Line load(const double* unaligned) {
        const double* const from = aligned(unaligned);
        Line l;
        each_number([&](std::size_t k) { l.at[k] = from[k]; });
        return l;
    }
    void store(double* unaligned) const {
        double* const to = aligned(unaligned);
        each_number([&](std::size_t k) { to[k] = at[k].value; });
    }
    Triple<Number> triple(std::size_t from) const { return {at[from], at[from + 1], at[from + 2]}; }
};

template <class Number>
Triple<Number> load_triple(const double* const* columns, std::size_t at) {
    return {columns[0][at], columns[1][at], columns[2][at]};
}
template <class Number>
void store_triple(const Triple<Number>& v, double* const* columns, std::size_t at) {
    columns[0][at] = v.x.value;
    columns[1][at] = v.y.value;
    columns[2][at] = v.z.value;
}

/// The lines of a body.
template <class Number>
struct BodyLines {
    Line<Number> place, half{}, predicted{};
};

}  // namespace beadwave::packing::on_device
