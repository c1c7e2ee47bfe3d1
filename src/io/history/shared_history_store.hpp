// The history of a system that is distributed over ranks. The first rank has the file open and
// reserves the places in it; each rank writes the data of its own items there.
//
// Parallel HDF5 (over MPI) does not support SWMR, with which others can read a growing file.
// Reserved places and plain writes to them do.
#pragma once

#include "io/durable/parallel_file.hpp"
#include "io/history/history_store.hpp"
#include "ranks/communicator.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace beadwave::io {

class SharedHistoryStore : public recording::Store {
  public:
    // All functions are collective. The arguments are the same on all ranks, except the fills of
    // what is shared. If one rank throws, all throw.

    /// See HistoryStore. If it throws, the new file is removed.
    SharedHistoryStore(const Output& output, recording::Description description,
                       const RunDescription& run);
    SharedHistoryStore(const Output& output, recording::Description description,
                       const ResumePoint& earlier);

    /// Streams that are not shared are those of the first rank, which throws alone for them. It
    /// writes the rows of tables for all, a few at a time.
    void sample(recording::Pace pace, std::int64_t step, double time) override;
    bool samples(recording::Pace pace, std::span<const std::int64_t> steps,
                 std::span<const double> times) override;

    SharedHistoryStore(const SharedHistoryStore&) = delete;  // the file asks it for rows
    SharedHistoryStore& operator=(const SharedHistoryStore&) = delete;

    /// Syncs to the disk what all ranks have written.
    void sync();

    /// The file of the first rank; null on other ranks.
    HistoryStore* file() { return file_ ? &*file_ : nullptr; }

  private:
    void begin(const Output& output, bool constants);
    void write_constants();
    /// The description for the file of the first rank: the rows of shared tables come from all.
    recording::Description with_rows_of_all();
    bool is_shared(const recording::Table& table, recording::Pace pace) const {
        return table.shared && table.pace == pace;
    }
    /// Gives the first rank rows first, first + 1, ... of a column, `count` of them; `out`: there.
    void collect_rows(std::size_t table, std::size_t column, std::size_t first, std::size_t count,
                      std::span<double> out) const;
    /// What the first rank asks for as it writes a sample.
    void serve_rows(recording::Pace pace) const;
    void write_sample(std::size_t stream, std::int64_t step, double time);
    /// Some items of one channel of a sample.
    void write_items(const recording::Stream& stream, const recording::Channel& channel,
                     const hdf5::RowPlaces& place, const recording::OwnItems& items);

    recording::Description description_;
    ranks::Communicator& ranks_;
    /// Of each shared table, at the present sample: where the rows of each rank begin, then the
    /// number of all.
    std::vector<std::vector<std::size_t>> row_begin_{description_.tables.size()};
    std::optional<HistoryStore> file_;
    std::optional<ParallelFile> parallel_file_;
};

}  // namespace beadwave::io
