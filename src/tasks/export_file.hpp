// A history in the format of another program: the file is reserved before anything is written. Also
// the arguments of the Python package in src/report/export.
#pragma once

#include "io/durable/atomic_file.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::tasks {

struct ExportRequest {
    std::string history;
    std::string output;                      ///< its ending gives the format
    std::optional<std::int64_t> snapshot{};  ///< from 0, or from -1 backwards; only for .data
    bool overwrite = false;                  ///< replace a file that beadwave export did not write
};

class ExportFile {
  public:
    /// Throws InputError for a history that cannot be read, an unknown ending, and a result that
    /// cannot be written.
    explicit ExportFile(const ExportRequest& request);

    /// The arguments of the package's command line.
    const std::vector<std::string>& arguments() const { return arguments_; }
    /// Gives the written file its final name.
    void commit() { file_->commit(); }

  private:
    std::optional<io::AtomicFile> file_;
    std::vector<std::string> arguments_;
};

}  // namespace beadwave::tasks
