// Reads and writes of the operating system that are whole or fail.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace beadwave::io {

/// Throws std::runtime_error with the system's words.
void write_whole(int descriptor, const void* bytes, std::size_t count, off_t at);

/// How many there were: fewer only at the file's end. Throws the same.
std::size_t read_whole(int descriptor, void* bytes, std::size_t count, off_t at);

}  // namespace beadwave::io
