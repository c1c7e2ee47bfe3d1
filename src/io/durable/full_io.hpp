// Reads and writes of the operating system that transfer all bytes or fail.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace beadwave::io {

/// Throws std::runtime_error with the operating system's message.
void full_write(int descriptor, const void* bytes, std::size_t count, off_t at);

/// Returns the number of bytes read; it is below `count` only at the end of the file. Throws as
/// full_write() does.
std::size_t full_read(int descriptor, void* bytes, std::size_t count, off_t at);

}  // namespace beadwave::io
