// A history in the format of another program: the file is reserved before anything is written. Also
// the arguments of the Python package in src/report/export.
#pragma once

#include "io/durable/atomic_file.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::tasks {

struct ExportRequest {
    std::string history;
    std::string output;                      ///< its ending gives the format
    std::optional<std::int64_t> snapshot{};  ///< from 0, or from -1 backwards
    bool copy = false;       ///< of the snapshots, where the file would refer to the history
    bool overwrite = false;  ///< replace a file that beadwave export did not write
};

class ExportFile {
  public:
    /// Throws InputError for a history that cannot be read, an unknown ending, and a result that
    /// cannot be written.
    explicit ExportFile(const ExportRequest& request);

    /// The arguments of the package's command line.
    const std::vector<std::string>& arguments() const { return arguments_; }
    /// The file, until commit().
    const std::filesystem::path& path() const { return file_->path(); }
    /// Gives the written file its final name.
    void commit() { file_->commit(); }

  private:
    std::optional<io::AtomicFile> file_;
    std::vector<std::string> arguments_;
};

/// Copies the snapshots into the file that the package has written, if the request has `copy`.
/// Collective; `file`: of the first rank, null on the others. Throws as io::copy_snapshots().
void copy_snapshots(ranks::Communicator& ranks, const ExportRequest& request,
                    const ExportFile* file, const std::function<bool()>& stop);

/// Writes the file on all ranks: `write` on the first one, which returns the exit status of the
/// package, then with `copy` the snapshots on all. Collective; all ranks return the status. Throws
/// on all ranks what ExportFile, `write` and copy_snapshots() throw.
int export_file(ranks::Communicator& ranks, const ExportRequest& request,
                const std::function<int(const ExportFile&)>& write,
                const std::function<bool()>& stop);

}  // namespace beadwave::tasks
