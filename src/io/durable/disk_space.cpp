#include "io/durable/disk_space.hpp"

#include "io/files/output_path.hpp"

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

std::optional<double> free_disk_space(const std::filesystem::path& file) {
    std::error_code error;
    const auto space = std::filesystem::space(folder_of(without_links(file)), error);
    if (error || space.capacity == 0) return std::nullopt;  // not reported by this file system
    return static_cast<double>(space.available);
}

std::string check_disk_space(const std::filesystem::path& file, const std::string& what,
                             double bytes, const std::string& less, bool ignore) {
    constexpr double large = 1e9;
    const std::optional<double> available = free_disk_space(file);
    const std::string sizes =
        fmt::format("{} will take {}", what, bytes_text(bytes)) +
        (available ? fmt::format("; its disk has {} free", bytes_text(*available)) : "");
    if (available && bytes > *available && !ignore)
        refuse(file, fmt::format("{}: {}, or use --ignore-disk-space", sizes, less));
    return bytes < large ? "" : sizes;
}

}  // namespace beadwave::io
