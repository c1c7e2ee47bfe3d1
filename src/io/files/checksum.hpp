// A checksum of texts.
#pragma once

#include <cstdint>
#include <string_view>

namespace beadwave::io {

/// Of text, to tell sweeps apart; `before` is that of what comes before it.
std::uint64_t checksum(std::string_view text, std::uint64_t before = 14695981039346656037u);

}  // namespace beadwave::io
