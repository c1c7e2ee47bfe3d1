// OUT.h5.rows: rows of a result that is not complete yet, beside it. What was killed continues from
// them when it is started again.
#pragma once

#include "io/files/output_path.hpp"

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace beadwave::io {

/// A file of text that one process writes: it is locked while this exists.
class RowsFile {
  public:
    /// Opens or creates the file of rows of `hdf5`. `what`: "sweep", for messages. Throws
    /// InputError if it cannot be a file of rows; std::runtime_error if another process is writing
    /// it.
    RowsFile(const Output& hdf5, const std::string& what);
    ~RowsFile();
    RowsFile(const RowsFile&) = delete;
    RowsFile& operator=(const RowsFile&) = delete;

    const std::filesystem::path& path() const { return path_; }
    /// [bytes]. Throws std::runtime_error with the name of the file, as keep() does.
    off_t size() const;
    /// Cuts the file to its first `bytes`.
    void keep(off_t bytes);

    /// Appends all of it or nothing; an error is kept in write_error(). `to_disk`: also syncs it.
    void put(const std::string& text, bool to_disk = false);
    /// Why nothing can be added any more; empty: it can.
    const std::string& write_error() const { return write_error_; }

    /// Called when the result is complete. A file that took the place of this one stays.
    void remove();

  private:
    /// Returns false if another process has removed the file in the meantime.
    bool open_and_lock(const Output& hdf5, const std::string& what);

    std::filesystem::path path_;
    int descriptor_ = -1;
    std::string write_error_;
};

}  // namespace beadwave::io
