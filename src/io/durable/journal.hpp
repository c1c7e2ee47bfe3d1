// A journal: a file of rows whose first line identifies what they belong to, and version and
// checksum of all that determines them. A process that was killed or stopped goes on from it when
// it is started again. Rows are JSON or numbers in the shortest form that reads back exactly.
#pragma once

#include "io/durable/rows_file.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace beadwave::io {

class Journal {
  public:
    struct Kind {
        const char* name;   ///< "design"
        const char* holds;  ///< "evaluations of a design", for messages
        /// What other journals belong to: "evaluations of another unfinished design, with ...".
        const char* others;
    };
    /// Takes a row that the journal holds; `end`: its end in the file [bytes]. Returns false if it
    /// is none: it and what follows is dropped.
    using Enter = std::function<bool(const std::string& row, std::int64_t end)>;

    /// Opens the journal beside `hdf5`, or creates it, and reads its rows. `contents`: the checksum
    /// of all that determines the rows. Throws InputError if another file or the journal of other
    /// contents exists, unless it may be overwritten; std::runtime_error if another process is
    /// writing it.
    Journal(const Output& hdf5, const Kind& kind, std::string_view version, std::uint64_t contents,
            const Enter& enter);

    /// Appends a row, with its end of line. After a loss of power those of the last second are
    /// computed again.
    void put(const std::string& row);
    /// Cuts the file behind a row; 0: behind the first line.
    void keep(std::int64_t end);
    std::string path() const { return rows_.path().string(); }
    /// Why rows cannot be added any more; empty: they can.
    const std::string& write_error() const { return rows_.write_error(); }
    /// Called when the result is complete.
    void remove() { rows_.remove(); }

  private:
    void read(const Kind& kind, std::string_view opening, const Enter& enter);

    RowsFile rows_;
    std::string first_line_;
    std::chrono::steady_clock::time_point synced_{};
};

}  // namespace beadwave::io
