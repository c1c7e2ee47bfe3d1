// The parameters of a chain for vectors. Where a long stretch of contacts and beads is equal, its
// numbers are held once; the rest of the chain, and a row's length of the stretch, as columns.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "tiled_columns.hpp"
#include "tiled_kernel.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::dynamics {

/// One quantity or several that are equal together on a stretch, for each of the entries [0, end).
class StretchColumns {
  public:
    /// value(column, i) is what the column holds at i.
    template <class Value>
    StretchColumns(std::size_t columns, std::size_t end, std::size_t longest_row, Value value);

    /// Whether the entries [begin, end) are all in the stretch.
    bool uniform(std::size_t begin, std::size_t end) const {
        return begin >= stretch_begin_ && end <= stretch_end_;
    }
    /// The number that holds for the stretch.
    const double* common(std::size_t column) const { return &common_[column]; }
    /// The columns of a row of at most `longest_row` entries that is not all in the stretch.
    const double* row(std::size_t column, std::size_t begin) const {
        return begin < stretch_begin_ ? left_[column].data() + begin
                                      : right_[column].data() + (begin - right_begin_);
    }
    /// Replaces a number outside the stretch.
    void set(std::size_t column, std::size_t i, double value) {
        if (i < left_[column].size()) left_[column][i] = value;
        if (i >= right_begin_) right_[column][i - right_begin_] = value;
    }
    double at(std::size_t column, std::size_t i) const {
        return uniform(i, i + 1) ? common_[column] : *row(column, i);
    }

  private:
    std::size_t stretch_begin_, stretch_end_, right_begin_;
    std::vector<double> common_;
    std::vector<Column> left_, right_;
};

class ParameterStore {
  public:
    /// Entries [0, end), in rows of at most `longest_row`. Those behind the last contact are of
    /// contacts that never close.
    ParameterStore(const chain::Chain& chain, double time_step, std::size_t end,
                   std::size_t longest_row);

    /// A load that the contacts balance to rounding balances them exactly from now on: vectors may
    /// round the static force unlike the scalar law that the load was made with.
    void balance(std::size_t bead, double net_force);

    /// Of the row of entries [begin, end).
    Parameters row(std::size_t begin, std::size_t end) const;

    double law_field(std::size_t field, std::size_t contact) const {
        return law_and_bead_.at(field, contact);
    }
    double gap(std::size_t contact) const { return gap_.at(0, contact); }
    double mass(std::size_t bead) const { return law_and_bead_.at(law_fields_ + 2, bead); }

  private:
    double time_step_;
    std::size_t law_fields_;
    StretchColumns law_and_bead_;  // the law's fields, kick, push, mass
    StretchColumns gap_;
    Column common_gap_;  // a row of the stretch's gap
};

}  // namespace beadwave::dynamics
