// A result file that takes its final name only once it exists: whatever stood there survives every
// error before that.
#pragma once

#include "io/files/result_place.hpp"

#include <filesystem>

namespace beadwave::io {

class StagedFile {
  public:
    /// Creates an empty file beside `final_path`. Throws InputError if the folder is missing or not
    /// writable, or if `final_path` is a folder, write-protected or of another kind.
    explicit StagedFile(const std::filesystem::path& final_path,
                        const ResultKind& kind = hdf5_result);
    /// Removes the file unless it was published.
    ~StagedFile();
    StagedFile(const StagedFile&) = delete;
    StagedFile& operator=(const StagedFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Renames the file, which may be open, to its final name; replaces what stands there.
    void publish();

    /// The same for a file that is closed, once the disk holds all of it: whatever ends the process
    /// or the machine, the final name stands for the old file or for the whole new one.
    void publish_synced();

  private:
    std::filesystem::path target_;  ///< the final name, symbolic links followed
    std::filesystem::path path_;
    bool published_ = false;
};

}  // namespace beadwave::io
