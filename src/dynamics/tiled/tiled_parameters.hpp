// The parameters of a chain for vectors: the longest stretch of equal contacts and beads is held as
// one number each, the rest as columns.
#pragma once

#include <cstddef>
#include <vector>

#include "beadwave/chain/chain.hpp"
#include "tiled_columns.hpp"
#include "tiled_kernel.hpp"

namespace beadwave::dynamics {

class ParameterStore {
   public:
    /// Entries [0, end): those behind the last contact are of a contact that never closes and a
    /// bead that never moves.
    ParameterStore(const chain::Chain& chain, double time_step, std::size_t end);

    const Parameters& get() const { return parameters_; }
    std::size_t uniform_begin() const { return uniform_begin_; }
    std::size_t uniform_end() const { return uniform_end_; }

    double law_field(std::size_t field, std::size_t contact) const { return at(field, contact); }
    double gap(std::size_t contact) const { return at(law_fields_, contact); }
    double mass(std::size_t bead) const { return at(law_fields_ + 3, bead); }

   private:
    double at(std::size_t column, std::size_t i) const {
        if (i < uniform_begin_) return left_[column][i];
        if (i < uniform_end_) return uniform_[column];
        return right_[column][i - uniform_end_];
    }
    ParameterColumns view(const std::vector<Column>& columns, std::size_t begin) const;

    std::size_t law_fields_;
    // Columns: the law's fields, then gap, inverse mass, external acceleration, mass.
    std::size_t uniform_begin_, uniform_end_;
    std::vector<double> uniform_;
    std::vector<Column> left_, right_;
    Parameters parameters_{};
};

}  // namespace beadwave::dynamics
