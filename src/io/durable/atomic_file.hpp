// A result file that gets its final name only when it is complete. An earlier file of this name
// survives every error before that.
#pragma once

#include "io/files/output_checks.hpp"

#include <filesystem>
#include <functional>

namespace beadwave::io {

class AtomicFile {
  public:
    /// Creates an empty file in the folder of the final path. Throws as check_output() does, and
    /// InputError if the folder is not writable.
    AtomicFile(const Output& output, const ResultKind& kind);
    /// Removes the file unless commit() was called.
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Renames the file, which may be open, to its final name. Throws std::runtime_error and moves
    /// no file if others have created a file there in the meantime; see OutputChecks.
    void commit();

    /// The same for a closed file, after all of it is on the disk. Whenever the process or the
    /// machine fails, the final name refers to the old file or to the complete new file.
    /// `committed(path)` is called as soon as it refers to the new file, also if a later step
    /// fails.
    void commit_synced(const std::function<void(const std::filesystem::path&)>& committed);

  private:
    OutputChecks output_;
    std::filesystem::path path_;
    FileIdentity ours_;
    bool committed_ = false;
};

}  // namespace beadwave::io
