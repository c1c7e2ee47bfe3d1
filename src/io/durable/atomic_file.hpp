// A result file that gets its final name only when it is complete. An earlier file of this name
// survives every error before that.
#pragma once

#include "io/files/output_checks.hpp"

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

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
    /// The final path; symbolic links are resolved.
    const std::filesystem::path& final_path() const { return output_.path(); }

    /// Replaces the content of the file. Throws std::runtime_error "<final path>: <why>".
    void write(std::string_view bytes) const;

    /// Gives the closed file its final name, after all of it is on the disk; see
    /// commit_together().
    void commit();

    /// Commits a checkpoint. Whenever the process or the machine fails, the final name refers to
    /// the old file or to the complete new file. `committed(path)` is called as soon as it refers
    /// to the new file, also if a later step fails.
    void commit_synced(const std::function<void(const std::filesystem::path&)>& committed);

  private:
    friend void commit_together(const std::vector<AtomicFile*>& files);
    void sync() const;
    void rename();

    OutputChecks output_;
    std::filesystem::path path_;
    FileIdentity ours_;
    bool committed_ = false;
};

/// Gives the closed files of one result their final names, after all of them are on the disk: all
/// or none. If one cannot be renamed, the earlier files of these names are put back. Throws
/// std::runtime_error; NameTaken if others have created a file of such a name in the meantime: then
/// the files remain under their temporary names, which the message gives. A process that is killed
/// between two renames leaves new files beside earlier ones.
void commit_together(const std::vector<AtomicFile*>& files);

}  // namespace beadwave::io
