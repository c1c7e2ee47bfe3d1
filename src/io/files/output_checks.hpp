// The final path of a result, from the start of a run until its result is complete. A file that
// others write to this path in the meantime is never replaced.
#pragma once

#include "base/write_error.hpp"
#include "io/durable/writer_lock.hpp"
#include "io/files/output_path.hpp"

#include <cstdint>
#include <filesystem>
#include <stdexcept>

namespace beadwave::io {

/// Others have removed or replaced the file that is to get its final name.
struct LostFile : WriteError {
    using WriteError::WriteError;
};

/// Others have created or changed a file at the final path; it is kept.
struct NameTaken : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class OutputChecks {
  public:
    /// Throws as check_output() does.
    OutputChecks(const Output& output, const ResultKind& kind);

    /// The final path; symbolic links are resolved.
    const std::filesystem::path& path() const { return path_; }

    /// Renames `from` to the final path. Throws LostFile if `from` is no longer the file `ours`,
    /// NameTaken if the file at the final path has changed since the start, and std::runtime_error.
    /// In all three cases no file is moved.
    void commit(const std::filesystem::path& from, const FileIdentity& ours) const;

    /// Throws LostFile and NameTaken as commit() does, and moves nothing.
    void check(const std::filesystem::path& from, const FileIdentity& ours) const;

    /// Does what commit() does if no file has the final path. Otherwise does nothing and returns
    /// false.
    bool commit_if_free(const std::filesystem::path& from, const FileIdentity& ours) const;

  private:
    /// Identifies a file and its last write.
    struct State {
        FileIdentity file;
        std::int64_t bytes = 0, seconds = 0, nanoseconds = 0;
        bool operator==(const State&) const = default;
    };
    State state() const;
    [[noreturn]] void name_taken(const std::filesystem::path& from) const;

    std::filesystem::path path_;
    State before_;
};

}  // namespace beadwave::io
