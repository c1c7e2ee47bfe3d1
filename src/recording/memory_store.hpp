// A history in memory: the numbers of the file as arrays that can be read in place.
#pragma once

#include "recording/array_view.hpp"
#include "recording/store.hpp"

#include <map>
#include <string>
#include <vector>

namespace beadwave::recording {

/// Whether a store gets all samples that its description expects, or the first ones, as many as
/// come.
enum class Expected { all, some };

class MemoryStore : public Store {
  public:
    /// What the constants of the description show must outlive this object. Throws InputError if
    /// all expected samples do not fit the memory of this machine.
    explicit MemoryStore(Description description, Expected expected = Expected::all);
    MemoryStore(const MemoryStore&) = delete;
    MemoryStore& operator=(const MemoryStore&) = delete;

    void sample(Pace pace, std::int64_t step, double time) override;
    bool samples(Pace pace, std::span<const std::int64_t> steps,
                 std::span<const double> times) override;
    void append_rows(std::size_t table) override;

    std::vector<ArrayView> arrays() const;

    /// A description of the same system whose fills read this memory, for a store that replay()
    /// then fills.
    Description replayed() const;
    /// Passes all samples to that store, in their order.
    void replay(Store& store) const;

  private:
    struct Samples {
        std::vector<std::int64_t> step;
        std::vector<double> time;  ///< [s]
    };
    struct Rows {
        std::vector<std::int64_t> splits{0};
        std::vector<std::vector<double>> numbers;       ///< by column
        std::vector<std::vector<std::int64_t>> wholes;  ///< by column
    };

    void append(Pace pace, std::span<const std::int64_t> steps, std::span<const double> times);
    void append_columns(std::size_t table);

    Description description_;
    std::map<Pace, Samples> samples_;
    std::vector<std::vector<std::vector<double>>> values_;  ///< by stream and channel
    std::vector<Rows> rows_;                                ///< by table
    std::vector<double> scratch_;
    mutable std::size_t row_ = 0;  ///< of the sample, or of the table, that is replayed
};

}  // namespace beadwave::recording
