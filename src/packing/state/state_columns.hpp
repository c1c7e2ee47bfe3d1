// Columns of a saved state of which an engine can visit each number: visit(name, count, number),
// where number(i) is a reference to number i of the engine.
#pragma once

#include "packing/engine_state.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
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
    template <class Numbers>
    void numbers(const std::string& name, Numbers& all) const {
        visit_(
            name, all.size(), [&](std::size_t i) -> auto& { return all[i]; });
    }
    template <class Number>
    void number(const std::string& name, Number& value) const {
        visit_(
            name, 1, [&](std::size_t) -> auto& { return value; });
    }
    template <class Vectors>
    void vectors(const std::string& name, Vectors& all) const {
        triples(
            name, all.size(), [&](std::size_t i) -> auto& { return all[i]; });
    }

  private:
    Visit& visit_;
};

/// The columns of a saved state with the numbers in them, which `values` keeps.
class SavedNumbers {
  public:
    /// `values` must outlive the columns.
    explicit SavedNumbers(std::vector<std::vector<double>>& values) : values_(values) {
        values_.clear();
    }
    void add(const std::string& name, std::vector<double> numbers) {
        values_.push_back(std::move(numbers));
        columns_.push_back({name, {}});
    }
    /// A visit that copies the numbers.
    auto visit() {
        return [this](const std::string& name, std::size_t count, auto number) {
            std::vector<double> kept(count);
            for (std::size_t i = 0; i < count; ++i)
                kept[i] = number(i);
            add(name, std::move(kept));
        };
    }
    std::vector<PackingColumn> take() {
        for (std::size_t k = 0; k < columns_.size(); ++k)
            columns_[k] = {columns_[k].name, values_[k]};
        return std::move(columns_);
    }

  private:
    std::vector<std::vector<double>>& values_;
    std::vector<PackingColumn> columns_;
};

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
