// The first bytes of a checkpoint: one line that tells a whole checkpoint from everything else,
// before HDF5 is asked to make sense of it.
#pragma once

#include <filesystem>

namespace beadwave::io {

/// What HDF5 leaves to us at the beginning of the file [bytes].
inline constexpr std::size_t seal_bytes = 512;

/// Writes the seal of a complete, closed file. Throws std::runtime_error.
void seal(const std::filesystem::path& file);

/// Throws InputError, which names the file, unless its seal and its bytes agree and this version of
/// the program wrote it.
void check_seal(const std::filesystem::path& file);

/// Whether the file begins as a checkpoint does, of whatever version.
bool begins_as_checkpoint(const std::filesystem::path& file);

}  // namespace beadwave::io
