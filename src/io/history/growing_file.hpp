// A result that grows for hours under a name of its own, beside its final one: others can follow
// it, and what stands under the final name stays until this one is whole.
#pragma once

#include "io/files/result_target.hpp"
#include "io/history/kept_history.hpp"
#include "io/history/running_history.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace beadwave::io {

class GrowingFile {
  public:
    /// Makes an empty file, or takes over what a killed process left, and locks it against other
    /// writers. Throws InputError if the folder is missing or not writable, or if what stands under
    /// either name may not be replaced; std::runtime_error if another process writes it.
    explicit GrowingFile(const Output& output);
    /// The same with the history that a checkpoint goes on from, put back to what it was then: that
    /// file itself if it stands under one of the two names, else a copy of it. Throws also
    /// InputError if it is not there or damaged.
    GrowingFile(const Output& output, const KeptHistory& earlier);
    /// Removes the file, unless it was published or left; what an earlier run made is left.
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Once it can be read.
    void let_readers_in();

    int descriptor() const { return descriptor_; }
    /// Whether it is the very file that a checkpoint goes on from.
    bool goes_on() const { return goes_on_; }
    /// Writes it to the disk.
    void sync() const;
    /// Where others have taken the file away: writes `bytes` of it to one beside, which is named.
    std::string rescue(std::int64_t bytes) const;

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
    GrowingFile(const Output& output, const KeptHistory& earlier,
                const std::filesystem::path& source);
    bool open_and_lock(const std::filesystem::path& name);
    void take_over(const std::filesystem::path& source, const Output& output);

    ResultTarget target_;
    std::filesystem::path path_;
    int descriptor_ = -1;  ///< holds the lock
    bool kept_ = false, goes_on_ = false;
};

}  // namespace beadwave::io
