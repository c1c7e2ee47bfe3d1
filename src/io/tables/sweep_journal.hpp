// The rows of a sweep as they are done, in a file beside its tables: a sweep that is killed goes on
// from there when it is started again.
//
// OUT.h5.rows is the table's CSV with a line before it, which says of which sweep it is: a checksum
// of the scenario, of the files that it names and of all that is varied.
#pragma once

#include "io/files/checksum.hpp"
#include "io/files/result_place.hpp"
#include "io/files/writer_lock.hpp"
#include "io/tables/sweep_table.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>

namespace beadwave::io {

class SweepJournal {
  public:
    /// Opens the rows beside the HDF5 table, and puts those into `table`, which must outlive it; or
    /// begins them. `sweep` is the checksum of what the scenario is made of. Throws InputError if
    /// another file, or rows of another sweep, stand there and are not forced away;
    /// std::runtime_error if another process is writing them.
    SweepJournal(const Output& hdf5, SweepTable& table, std::uint64_t sweep);
    ~SweepJournal();
    SweepJournal(const SweepJournal&) = delete;
    SweepJournal& operator=(const SweepJournal&) = delete;

    const std::filesystem::path& path() const { return path_; }
    /// Rows that stood there.
    std::size_t found() const { return found_; }

    /// Keeps a row that is done. Threads may call it at once.
    void add(std::size_t run);
    /// Why rows are no longer kept; empty: they are.
    const std::string& trouble() const { return trouble_; }

    /// Of a sweep whose tables are written.
    void remove();

  private:
    void read(const Output& hdf5);
    void put(const std::string& text);

    SweepTable& table_;
    std::filesystem::path path_;
    std::string first_line_;
    int descriptor_ = -1;
    std::size_t found_ = 0;
    std::mutex mutex_;
    std::string trouble_;
};

}  // namespace beadwave::io
