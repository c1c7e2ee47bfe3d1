#include "io/files/hdf5_results.hpp"

#include "io/hdf5/hdf5_reading.hpp"

#include <cstdint>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;

bool was_written_by_beadwave(const hdf5::File& file) {
    if (!hdf5::has(file.id(), "h5md/creator") || hdf5::has(file.id(), "checkpoint")) return false;
    const hdf5::Group creator = hdf5::open_group(file.id(), "h5md/creator");
    return hdf5::read_text_attribute(creator.id(), "name") == "beadwave";
}

bool has_history_groups(const hdf5::File& file) {
    return was_written_by_beadwave(file) && hdf5::has(file.id(), "parameters/version") &&
           hdf5::has(file.id(), "observables");
}

bool has_sweep_groups(const hdf5::File& file) {
    return hdf5::has(file.id(), "sweep/status") && hdf5::has(file.id(), "sweep/parameters") &&
           hdf5::has(file.id(), "parameters/version");
}

/// No value if the file cannot be opened or read.
std::optional<bool> ask(const fs::path& path, hdf5::File (*open)(const fs::path&),
                        bool (*question)(const hdf5::File&)) {
    try {
        return question(open(path));
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
}

bool is_history(const fs::path& path) {
    return ask(path, hdf5::open_to_read, has_history_groups).value_or(false);
}

bool is_sweep(const fs::path& path) {
    return ask(path, hdf5::open_to_read, has_sweep_groups).value_or(false);
}

/// Whether a file that begins with `start` and has `bytes` bytes is what a kill or a loss of power
/// in the first write of a history leaves: the first page is missing, or the file ends before the
/// end that its superblock gives.
bool is_first_write(std::string_view start, std::uintmax_t bytes) {
    constexpr std::size_t page = 4096, end_at = 28;
    constexpr std::string_view superblock("\x89HDF\r\n\x1a\n\x03\x08\x08", 11);
    if (start.substr(0, page).find_first_not_of('\0') == std::string_view::npos) return true;
    if (bytes < superblock.size()) return superblock.starts_with(start);
    if (!start.starts_with(superblock)) return false;
    std::uint64_t end = 0;  // of the file, in its superblock: little-endian
    if (bytes < end_at + sizeof end) return true;
    for (std::size_t i = sizeof end; i-- > 0;)
        end = end << 8 | static_cast<unsigned char>(start[end_at + i]);
    return bytes < end && end <= (std::uint64_t{1} << 20);
}

}  // namespace

const ResultKind history_result{.name = "a history that beadwave wrote", .is_one = is_history};
const ResultKind sweep_result{.name = "the table of a sweep that beadwave wrote",
                              .is_one = is_sweep};

bool is_orphaned_history(const fs::path& path) {
    if (const auto answer = ask(path, hdf5::open_while_growing, was_written_by_beadwave))
        return *answer;
    std::string start(std::size_t{1} << 16, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(file.gcount()));
    std::error_code error;
    if (is_first_write(start, fs::file_size(path, error))) return !error;
    return start.starts_with("\x89HDF") && start.find("beadwave") != std::string::npos;
}

}  // namespace beadwave::io
