// The journal of a sweep: a file with the rows of the runs that are done, in the folder of its
// tables. A killed sweep continues from it when it is started again.
//
// OUT.h5.rows is the CSV table after a first line that identifies the sweep: a checksum of the
// scenario, of the files that it names, and of the varied keys and values.
#pragma once

#include "io/durable/rows_file.hpp"
#include "io/files/output_path.hpp"
#include "io/tables/sweep_table.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>

namespace beadwave::io {

class SweepJournal {
  public:
    /// Opens the journal of the HDF5 table and enters its rows into `table`, which must outlive the
    /// journal; or creates the journal. `sweep` is the checksum of the scenario and its files.
    /// Throws InputError if another file or the journal of another sweep exists, unless it may be
    /// overwritten; std::runtime_error if another process is writing it.
    SweepJournal(const Output& hdf5, SweepTable& table, std::uint64_t sweep);

    const std::filesystem::path& path() const { return rows_.path(); }
    /// Number of rows that the journal held.
    std::size_t found() const { return found_; }

    /// Adds the row of a run that is done. Threads may call this at the same time.
    void add(std::size_t run);
    /// Why rows cannot be added any more; empty: they can.
    const std::string& write_error() const { return rows_.write_error(); }

    /// Called when the tables are written.
    void remove() { rows_.remove(); }

  private:
    void read(bool overwrite);

    SweepTable& table_;
    RowsFile rows_;
    std::string first_line_;
    std::size_t found_ = 0;
    std::mutex mutex_;
};

}  // namespace beadwave::io
