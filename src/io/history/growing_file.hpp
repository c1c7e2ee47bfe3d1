// A result that grows for hours under a name of its own, beside its final one: others can follow
// it, and what stands under the final name stays until this one is whole.
#pragma once

#include "io/files/result_target.hpp"
#include "io/history/running_history.hpp"

#include <filesystem>

namespace beadwave::io {

class GrowingFile {
  public:
    /// Makes an empty file, or takes over what a killed process left, and locks it against other
    /// writers. Throws InputError if the folder is missing or not writable, or if what stands under
    /// either name may not be replaced; std::runtime_error if another process writes it.
    explicit GrowingFile(const Output& output);
    /// Removes the file, unless it was published or left.
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Once it can be read.
    void let_readers_in();

    /// Whether others have removed the file, or its folder, or put another in its place.
    bool lost() const;

    /// Renames the file to its final name, replacing what stood there at first. Throws
    /// std::runtime_error, and leaves the file where it is, if that cannot be or if others have put
    /// a file there since.
    void publish();
    /// For a file that could not be finished: publishes it if nothing stands under the final name,
    /// else leaves it where it is. Whether it was published.
    bool publish_if_new();

  private:
    bool open_and_lock(const std::filesystem::path& name);

    ResultTarget target_;
    std::filesystem::path path_;
    int descriptor_ = -1;  ///< holds the lock
    bool kept_ = false;
};

}  // namespace beadwave::io
