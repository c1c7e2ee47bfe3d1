// The parameters of the laws as columns for the vector code: of all kinds of pairs, or of all
// entries.
#pragma once

#include "old_pairs.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing_kernel.hpp"
#include "pair_entries.hpp"
#include "simd/column.hpp"

#include <cstddef>
#include <cstdint>
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

    /// Calls visit(column) for the columns of a table that the kernels of its laws read and in
    /// which entries differ.
    template <class Visit>
    static void each_column(KindTable& table, Visit visit) {
        const auto visit_all = [&](const double** columns, std::size_t count, std::uint32_t same) {
            for (std::size_t k = 0; k < count; ++k) {
                if (((same >> k) & 1) == 0) visit(columns[k]);
            }
        };
        visit_all(table.law, table.law_fields, table.same_law);
        visit_all(table.slider, table.slider_fields, table.same_slide >> 2);
        if (table.rolling[0] != nullptr)
            visit_all(table.rolling, 4, table.same_slide >> rolling_fields);
        if (table.slider_fields == 0 && table.rolling[0] == nullptr) return;
        visit_all(&table.inverse_radii, 1, table.same_slide);
        visit_all(&table.turning, 1, table.same_slide >> 1);
    }

  private:
    void find_same();

    KindTable table_{};
    std::vector<simd::Column> columns_;  // of the normal law, slider, rolling; then the last two
};

}  // namespace beadwave::packing
