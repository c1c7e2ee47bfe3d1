// A result file that takes its final name only once it exists: whatever stood there survives every
// error before that.
#pragma once

#include "io/files/result_target.hpp"

#include <filesystem>
#include <functional>

namespace beadwave::io {

class StagedFile {
  public:
    /// Creates an empty file beside the final name. Throws InputError if the folder is missing or
    /// not writable, or if a folder stands there, or what is write-protected or of another kind.
    StagedFile(const Output& output, const ResultKind& kind);
    /// Removes the file unless it was published or had to be left.
    ~StagedFile();
    StagedFile(const StagedFile&) = delete;
    StagedFile& operator=(const StagedFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Renames the file, which may be open, to its final name. Throws std::runtime_error, and
    /// leaves every file where it is, if others have put a file there meanwhile; see ResultTarget.
    void publish();

    /// The same for a file that is closed, once the disk holds all of it: whatever ends the process
    /// or the machine, the final name stands for the old file or for the whole new one.
    /// `published(path)` is told as soon as it stands for the new one, whatever fails then.
    void publish_synced(const std::function<void(const std::filesystem::path&)>& published);

  private:
    ResultTarget target_;
    std::filesystem::path path_;
    FileIdentity ours_;
    bool left_ = false;
};

}  // namespace beadwave::io
