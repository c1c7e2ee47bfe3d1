// A checksum of texts.
#pragma once

#include <cstdint>
#include <string_view>

namespace beadwave::io {

/// The checksum of `text`, which tells sweeps apart. `before`: the checksum of the texts before it.
std::uint64_t checksum(std::string_view text, std::uint64_t before = 14695981039346656037u);

}  // namespace beadwave::io
