// The first bytes of a checkpoint: one line that tells a whole checkpoint from everything else,
// before HDF5 is asked to make sense of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace beadwave::ranks {
class Ranks;
}

namespace beadwave::io {

/// What HDF5 leaves to us at the beginning of the file [bytes].
inline constexpr std::size_t seal_bytes = 512;

/// Writes the seal of a complete, closed file. Throws std::runtime_error, on all ranks
/// what one does. `ranks` share the reading, and the first writes; null: there is one.
void seal(const std::filesystem::path& file, ranks::Ranks* ranks = nullptr);

/// Throws InputError, which names the file, unless its seal and its bytes agree and this version of
/// the program wrote it. How many bytes it seals: what stands behind them was added since.
std::uintmax_t check_seal(const std::filesystem::path& file, ranks::Ranks* ranks = nullptr);

/// Whether the file begins as a checkpoint does, of whatever version.
bool begins_as_checkpoint(const std::filesystem::path& file);

}  // namespace beadwave::io
