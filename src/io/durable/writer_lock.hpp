// A lock that shows other programs that a file is being written. It ends with its process, also
// when the process is killed.
#pragma once

#include <filesystem>

namespace beadwave::io {

/// Identifies a file independently of its name.
struct FileIdentity {
    unsigned long long device = 0, number = 0;
    bool operator==(const FileIdentity&) const = default;
};

/// The identity of an open file.
FileIdentity identity_of(int descriptor);
/// The identity of the file that has this path now; zeros if there is none.
FileIdentity identity_of(const std::filesystem::path& path);

/// Locks an open file against other writers. Returns false if another writer has locked it, and
/// true on file systems without locks.
bool lock_to_write(int descriptor);

/// Keeps the lock, but lets readers lock the file too: HDF5 does so, and on some file systems its
/// locks are of the same kind.
void share_lock(int descriptor);

/// Whether any process has locked the open file for writing. Returns true on file systems without
/// locks.
bool has_writer(int descriptor);

}  // namespace beadwave::io
