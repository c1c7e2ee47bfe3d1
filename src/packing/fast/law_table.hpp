// The parameters of the laws as columns for the vector code: of all kinds of pairs, or of all
// entries.
#pragma once

#include "packing/contacts/pair_laws.hpp"
#include "packing_kernel.hpp"
#include "pair_entries.hpp"
#include "simd/column.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace beadwave::packing {

class LawTable {
  public:
    void build(const PairLaws& laws, bool rolls, const PairEntries& entries);

    const KindTable& kernel() const { return table_; }
    std::size_t rows() const { return inverse_radii_.size(); }
    std::size_t row(const PairEntries& entries, std::size_t entry) const {
        return table_.by_entry ? entry : entries.kind[entry];
    }

    /// Calls visit(column) for the columns that have a number for each entry.
    template <class Visit>
    void each_entry_column(Visit visit) {
        if (!table_.by_entry) return;
        for (std::vector<simd::Column>* const columns : {&law_, &slider_, &rolling_})
            std::ranges::for_each(*columns, visit);
        visit(inverse_radii_);
        visit(turning_);
    }

  private:
    KindTable table_{};
    std::vector<simd::Column> law_, slider_, rolling_;
    simd::Column inverse_radii_, turning_;
};

}  // namespace beadwave::packing
