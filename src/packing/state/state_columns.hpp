// Columns of a saved state of which an engine can visit each number: visit(name, count, number),
// where number(i) is a reference to number i of the engine.
#pragma once

#include "packing/engine_state.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadwave::packing {

/// Visits columns of vectors, the three numbers of each one after another.
template <class Visit>
class VectorColumns {
  public:
    /// `visit` must outlive it.
    explicit VectorColumns(Visit& visit) : visit_(visit) {}

    /// triple(i): a reference to vector i of `count`.
    template <class Triple>
    void triples(const std::string& name, std::size_t count, Triple triple) const {
        visit_(
            name, 3 * count, [&](std::size_t i) -> auto& {
                auto& v = triple(i / 3);
                return i % 3 == 0 ? v.x : i % 3 == 1 ? v.y : v.z;
            });
    }
    template <class Vectors>
    void vectors(const std::string& name, Vectors& all) const {
        triples(
            name, all.size(), [&](std::size_t i) -> auto& { return all[i]; });
    }

  private:
    Visit& visit_;
};

/// A visit that copies the numbers to `values`, a vector per column. The columns get their spans
/// when all are there, because `values` grows. Both must outlive it.
inline auto keep_columns(std::vector<PackingColumn>& columns,
                         std::vector<std::vector<double>>& values) {
    return [&](const std::string& name, std::size_t count, auto number) {
        std::vector<double>& kept = values.emplace_back(count);
        for (std::size_t i = 0; i < count; ++i)
            kept[i] = number(i);
        columns.push_back({name, {}});
    };
}

/// A visit that sets the numbers to those of a saved state, which must outlive it. It throws
/// std::invalid_argument if a column has another length.
inline auto take_columns(const SavedColumns& saved) {
    return [&](const std::string& name, std::size_t count, auto number) {
        const std::span<const double> values = saved(name);
        if (values.size() != count) {
            throw std::invalid_argument(
                fmt::format("{}: {} numbers; expected {}", name, values.size(), count));
        }
        for (std::size_t i = 0; i < count; ++i)
            number(i) = values[i];
    };
}

}  // namespace beadwave::packing
