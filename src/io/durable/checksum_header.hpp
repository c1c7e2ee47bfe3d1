// The checksum header of a checkpoint: one line at the beginning of the file, with the format, the
// program's version and a checksum. It is checked before HDF5 reads the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::io {

/// Space for the header at the beginning of the file, which HDF5 does not use [bytes].
inline constexpr std::size_t checksum_header_bytes = 512;

/// Writes the header of a complete, closed file. `ranks` read the file together, and the first one
/// writes; null: there is one process. Throws std::runtime_error, then on all ranks.
void write_checksum_header(const std::filesystem::path& file, ranks::Communicator* ranks = nullptr);

/// Throws InputError, which names the file, unless its header matches its bytes and this version of
/// the program wrote it. Returns the number of bytes that the checksum covers; those behind them
/// were added later.
std::uintmax_t check_checksum_header(const std::filesystem::path& file,
                                     ranks::Communicator* ranks = nullptr);

/// Whether the file begins like a checkpoint of any version.
bool begins_as_checkpoint(const std::filesystem::path& file);

}  // namespace beadwave::io
