// The steps of a chain in vectors, for chains that steps_in_rows() names: several times as fast as
// gradients/steps.hpp, in the cache and in the registers.
//
// A chunk is row_chunk steps, from a multiple of it on, or the part of these that is asked for.
// Within it, bands of beads are taken one after another through all its steps, each step one block
// of row_block beads further left than the one before. What a step of a band reads of its
// neighbours is then there, and the order of the bands changes no bit.
//
// Beads that the wave has not reached are left out, from the first bead `active` of a chunk on: a
// wave reaches one bead per step.
#pragma once

#include "gradients/rows/chain_columns.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::gradients {

/// What the reverse of some steps reads.
struct RecordedSteps {
    std::int64_t from = 0, count = 0;
    struct Chunk {
        std::int64_t first;  ///< the step before it
        std::size_t active;  ///< beads that may move
    };
    std::vector<Chunk> chunks;
    simd::Column rows;  ///< one per step, of the length of the columns
    LoadingLog log;

    std::size_t row_of(std::int64_t step) const {
        return static_cast<std::size_t>(step - 1 - from);
    }
};

class Rows {
  public:
    /// `columns` must live as long as this.
    explicit Rows(const ChainColumns& columns);

    std::int64_t step() const { return step_; }
    void load(const State& state);
    void save(State& state) const;
    /// So many steps on; puts what channels read into `readings`, by channel and step, null:
    /// nowhere.
    void advance(std::int64_t count, std::vector<std::vector<double>>* readings);
    /// The same, and keeps what their reverse reads, in place of what was kept before.
    void advance_and_record(std::int64_t count);

    RecordedSteps& recorded() { return recorded_; }
    /// The memory of the contacts after the recorded steps, which their reverse changes.
    double* const* memory() { return memory_.pointers.data(); }

  private:
    void advance_chunks(std::int64_t count, std::vector<std::vector<double>>* readings,
                        bool records);
    void advance_chunk(std::int64_t count, std::vector<std::vector<double>>* readings,
                       bool records);
    void grow();
    void read_row(std::size_t begin, std::size_t end, std::int64_t step,
                  std::vector<std::vector<double>>& readings) const;

    const ChainColumns& columns_;
    ColumnSet memory_;
    simd::Column displacement_, half_, force_, velocity_, change_;
    std::int64_t step_ = 0;
    std::size_t active_ = 0;
    RecordedSteps recorded_;
};

}  // namespace beadwave::gradients
