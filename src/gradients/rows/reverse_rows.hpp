// The steps of a chain backwards in vectors, from what rows.hpp recorded of them, in the same
// chunks and bands.
#pragma once

#include "gradients/reverse_bars.hpp"
#include "gradients/rows/rows.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::gradients {

class ReverseRows {
  public:
    /// `columns` must live as long as this.
    explicit ReverseRows(const ChainColumns& columns);

    /// The recorded steps of `rows`, which are those before the ones reversed last. Beads that
    /// these steps left at rest go to `bars`.
    void reverse(Rows& rows, const std::vector<std::vector<double>>& seeds, Bars& bars);
    /// Adds the results to `bars`.
    void end(Bars& bars);

  private:
    void reverse_chunk(Rows& rows, std::int64_t first, std::int64_t count,
                       const std::vector<std::vector<double>>& seeds);
    void place_seeds(std::size_t begin, std::size_t end, std::int64_t step,
                     const std::vector<std::vector<double>>& seeds);
    void leave_at_rest(std::int64_t step, std::size_t active, Bars& bars);

    const ChainColumns& columns_;
    ColumnSet memory_bar_, law_bar_;
    simd::Column displacement_bar_, velocity_bar_, overlap_sum_, push_sum_, kick_bar_;
    simd::Column velocity_seed_, force_seed_, edges_;
    std::size_t active_;  ///< beads that have not been reversed to their rest
};

}  // namespace beadwave::gradients
