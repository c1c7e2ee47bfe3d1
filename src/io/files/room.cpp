#include "io/files/room.hpp"

#include "io/files/result_place.hpp"

#include <fmt/format.h>

#include <array>
#include <system_error>

namespace beadwave::io {

std::string bytes_text(double bytes) {
    constexpr std::array units = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    std::size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit)
        bytes /= 1000.0;
    return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::optional<double> room_beside(const std::filesystem::path& file) {
    std::error_code error;
    const auto space = std::filesystem::space(folder_of(without_links(file)), error);
    if (error || space.capacity == 0) return std::nullopt;  // a file system that does not say
    return static_cast<double>(space.available);
}

std::string check_room(const std::filesystem::path& file, const std::string& what, double bytes,
                       const std::string& less, bool force) {
    constexpr double worth_saying = 1e9;
    const std::optional<double> room = room_beside(file);
    const std::string sizes =
        fmt::format("{} will take {}", what, bytes_text(bytes)) +
        (room ? fmt::format("; its disk has {} left", bytes_text(*room)) : "");
    if (room && bytes > *room && !force)
        refuse(file, fmt::format("{}: {}, or begin with --force", sizes, less));
    return bytes < worth_saying ? "" : sizes;
}

}  // namespace beadwave::io
