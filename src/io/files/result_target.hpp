// The final name of a result, from when a run asks for it until it has something to put there. What
// others put there meanwhile stays.
#pragma once

#include "io/files/result_place.hpp"
#include "io/files/writer_lock.hpp"

#include <cstdint>
#include <filesystem>

namespace beadwave::io {

class ResultTarget {
  public:
    /// Throws as check_place() does.
    ResultTarget(const Output& output, const ResultKind& kind);

    /// Symbolic links followed.
    const std::filesystem::path& path() const { return path_; }

    /// Renames `from` to the final name. Leaves every file where it is, and throws WriteError, if
    /// `from` is not the file `ours` any more, std::runtime_error, if what stands under the final
    /// name is not what stood there at first.
    void take(const std::filesystem::path& from, const FileIdentity& ours) const;

    /// The same where the final name is free; false, and nothing is done, where it is not.
    bool take_if_free(const std::filesystem::path& from, const FileIdentity& ours) const;

  private:
    /// Which file, and whether it was written since.
    struct State {
        FileIdentity file;
        std::int64_t bytes = 0, seconds = 0, nanoseconds = 0;
        bool operator==(const State&) const = default;
    };
    State state() const;

    std::filesystem::path path_;
    State before_;
};

}  // namespace beadwave::io
