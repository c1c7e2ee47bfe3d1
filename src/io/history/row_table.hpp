// A table of a growing history: rows whose number differs from sample to sample, or that come one
// by one.
//
//     step, time      one row per sample, if the table is sampled
//     row_splits      samples + 1 rows, the first is 0: the rows row_splits[t] to row_splits[t + 1]
//                     of the columns belong to sample t
//     columns
//
// A reader of a growing file sees min(rows of step, rows of time, rows of row_splits - 1) whole
// samples.
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/history/h5md.hpp"
#include "recording/stream.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::io {

class RowTable {
  public:
    /// The fills of columns are asked for so many rows at once, or for the last ones.
    static constexpr std::size_t rows_at_once = std::size_t{1} << 16;

    /// `file`: of the history; the group of the table exists. `table` must outlive this object.
    RowTable(hid_t file, const recording::Table& table, h5md::Element kind);

    /// Appends the present rows, without a sample.
    void append();
    /// Appends the present rows as a sample, with step and time.
    void append_sample(std::int64_t step, double time);

    /// Adds rows that others write directly to the file. Returns the places of each column. They
    /// are valid after commit().
    std::vector<hdf5::RowPlaces> reserve(std::size_t rows);
    /// The appended or reserved rows are a sample.
    void commit(std::int64_t step, double time);
    /// Called instead of commit() if a rank could not write.
    void roll_back() { reserve(0); }

    /// Makes the appended rows visible to readers; step and time come last.
    void flush();

  private:
    const recording::Table& table_;
    hsize_t samples_ = 0, rows_ = 0, reserved_ = 0;
    bool flushed_ = true;  ///< HDF5 looks through all its metadata to flush one dataset
    hdf5::Dataset step_, time_, row_splits_;
    std::vector<hdf5::Dataset> columns_;
};

}  // namespace beadwave::io
