// The parameters of the laws as columns for the vector code: of all kinds of pairs, or of all
// entries.
#pragma once

#include "old_pairs.hpp"
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
    /// `listed`: where entries with pairs of the list before have their parameters in this table.
    void build(const PairLaws& laws, bool rolls, const PairEntries& entries,
               const ListedPairs& listed, int threads);

    const KindTable& kernel() const { return table_; }
    std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().size(); }
    std::size_t row(const PairEntries& entries, std::size_t entry) const {
        return table_.by_entry ? entry : entries.kind[entry];
    }

    /// Calls visit(column) for the columns of a table that the kernels of its laws read.
    template <class Visit>
    static void each_column(KindTable& table, Visit visit) {
        std::for_each_n(table.law, table.law_fields, visit);
        std::for_each_n(table.slider, table.slider_fields, visit);
        if (table.rolling[0] != nullptr) std::ranges::for_each(table.rolling, visit);
        if (table.slider_fields == 0 && table.rolling[0] == nullptr) return;
        visit(table.inverse_radii);
        visit(table.turning);
    }

  private:
    KindTable table_{};
    std::vector<simd::Column> columns_;  // of the normal law, slider, rolling; then the last two
};

}  // namespace beadwave::packing
