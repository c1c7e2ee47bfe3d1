#include "io/durable/checksum.hpp"

namespace beadwave::io {

std::uint64_t checksum(std::string_view text, std::uint64_t before) {
    for (const char c : text)
        before = (before ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return (before ^ 0xff) * 1099511628211u;  // marks the end of the text
}

}  // namespace beadwave::io
