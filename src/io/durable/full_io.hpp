// Calls of the operating system that do all of their work or fail: a signal or a short count ends
// none of them.
#pragma once

#include "io/files/error_message.hpp"

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace beadwave::io {

/// open(2), again after a signal.
int open_again(const char* path, int flags, unsigned mode = 0);

/// Throws std::runtime_error with the operating system's message.
void full_write(int descriptor, const void* bytes, std::size_t count, off_t at);

/// Returns the number of bytes read; it is below `count` only at the end of the file. Throws as
/// full_write() does.
std::size_t full_read(int descriptor, void* bytes, std::size_t count, off_t at);

/// Cuts or extends the file. Throws as full_write() does.
void full_truncate(int descriptor, off_t bytes);

/// Replaces the content of a file. Throws as full_write() does.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

/// Passes a closed file to the disk. Throws as full_write() does.
void sync_file(const std::filesystem::path& path);
/// Passes the name of a file to the disk, which its folder holds. The message names the file.
void sync_folder_of(const std::filesystem::path& path);

/// Passes what was written to the disk. A file system without this is no error. Throws as
/// full_write() does.
void sync_to_disk(int descriptor);
void sync_data_to_disk(int descriptor);  ///< leaves out the time of the last change

/// Runs `action`. Its errors become std::runtime_error "<path>: <why>".
template <class Action>
void naming(const std::filesystem::path& path, const Action& action) {
    try {
        action();
    } catch (const std::exception& error) {
        throw std::runtime_error(path.string() + ": " + message_of(error));
    }
}

}  // namespace beadwave::io
