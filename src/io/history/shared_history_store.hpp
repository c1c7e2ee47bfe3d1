// The history of a system that is distributed over ranks. The first rank has the file open and
// reserves the places in it; each rank writes its own items and rows there.
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

    /// Streams that are not shared are those of the first rank, which throws alone for them.
    void sample(recording::Pace pace, std::int64_t step, double time) override;
    bool samples(recording::Pace pace, std::span<const std::int64_t> steps,
                 std::span<const double> times) override;

    /// Syncs to the disk what all ranks have written.
    void sync();

    /// The file of the first rank; null on other ranks.
    HistoryStore* file() { return file_ ? &*file_ : nullptr; }

  private:
    void begin(const Output& output, bool constants);
    void write_constants();
    bool is_shared(const recording::Table& table, recording::Pace pace) const {
        return table.shared && table.pace == pace;
    }
    void sample_stream(std::size_t stream, std::int64_t step, double time);
    void sample_table(std::size_t table, std::int64_t step, double time);
    /// `write(places)` writes this rank's part.
    template <class Write>
    void write_sample(const HistoryStore::Shared& of, std::int64_t step, double time,
                      const Write& write);
    /// Some items of one channel of a sample.
    void write_items(const recording::Stream& stream, const recording::Channel& channel,
                     const hdf5::RowPlaces& place, const recording::OwnItems& items);
    /// The own rows of one column of a sample, which come after `before` rows of other ranks.
    void write_rows(const recording::Column& column, const hdf5::RowPlaces& place,
                    std::size_t before, std::size_t rows);

    recording::Description description_;
    ranks::Communicator& ranks_;
    std::optional<HistoryStore> file_;
    std::optional<ParallelFile> parallel_file_;
};

}  // namespace beadwave::io
