// A file that grows for hours under a name of its own (OUT.running.h5), next to its final name.
// Others can follow it, and a file under the final name is kept until this file is complete.
#pragma once

#include "io/durable/resume_point.hpp"
#include "io/files/output_checks.hpp"
#include "io/history/history_follower.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace beadwave::io {

class SwmrFile {
  public:
    /// Creates an empty file, or takes over the file of a killed process, and locks it against
    /// other writers. Throws InputError if the folder is missing or not writable, or if a file
    /// under either name may not be replaced; std::runtime_error if another process is writing it.
    explicit SwmrFile(const Output& output);
    /// Continues the history of a checkpoint, rolled back to the checkpoint. If that history has
    /// one of the two names it is continued itself, otherwise a copy of it. Throws as the other
    /// constructor does, and InputError if that history is missing or damaged.
    SwmrFile(const Output& output, const ResumePoint& earlier);
    /// Removes the file unless keep() or a commit function was called. The file of an earlier run
    /// is kept.
    ~SwmrFile();
    SwmrFile(const SwmrFile&) = delete;
    SwmrFile& operator=(const SwmrFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Lets readers lock the file; called once it is readable.
    void share_lock();

    int descriptor() const { return descriptor_; }
    /// Whether this is the history of the checkpoint itself, not a copy.
    bool continues() const { return continues_; }
    /// Syncs the file to the disk.
    void sync() const;
    /// For a file that others have removed: copies its first `bytes` bytes to a new file in the
    /// same folder and returns the name of the copy.
    std::string rescue(std::int64_t bytes) const;
    /// Copies the whole file, as rescue(bytes) its first part; returns the path of the copy.
    std::filesystem::path rescue() const;

    /// Whether others have removed or replaced the file or its folder.
    bool lost() const;

    /// Syncs the file to the disk and renames it to its final name; a file that had this name at
    /// the start is replaced. Throws NameTaken and does not rename if others have created a file
    /// there since; std::runtime_error: the file remains, under one of its names.
    void commit();
    /// The file remains, under the name that it has.
    void keep() { committed_ = true; }
    /// For an incomplete file: renames it only if no file has the final name. Returns whether it
    /// was renamed.
    bool commit_if_new();

  private:
    SwmrFile(const Output& output, const ResumePoint& earlier, const std::filesystem::path& source);
    /// `ours`: a file that is known to be a history, also if it is damaged.
    SwmrFile(const Output& output, const FileIdentity& ours);
    void look_again(const Output& output, const FileIdentity& ours);
    bool open_and_lock(const std::filesystem::path& name);
    void take_over(const std::filesystem::path& source, const Output& output);

    OutputChecks output_;
    std::filesystem::path path_;
    int descriptor_ = -1;  ///< holds the lock
    bool committed_ = false, continues_ = false;
};

}  // namespace beadwave::io
