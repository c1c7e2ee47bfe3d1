// How programs know of each other that one of them writes a file: a lock that goes with its
// process, however that ends.
#pragma once

#include <filesystem>

namespace beadwave::io {

/// A file by what it is, whatever its name.
struct FileIdentity {
    unsigned long long device = 0, number = 0;
    bool operator==(const FileIdentity&) const = default;
};

/// Of an open file.
FileIdentity identity_of(int descriptor);
/// Of the file that has this name now; zeros if there is none.
FileIdentity identity_of(const std::filesystem::path& path);

/// Locks an open file against other writers; false if one has it. Where the file system knows no
/// locks there is nothing to refuse.
bool lock_to_write(int descriptor);

/// Keeps the lock, and lets readers take theirs: HDF5's, on file systems where it is of the same
/// kind.
void let_readers_in(int descriptor);

/// Whether a writer, of any process, has the open file. Where the file system knows no locks it is
/// taken to be so.
bool has_writer(int descriptor);

}  // namespace beadwave::io
