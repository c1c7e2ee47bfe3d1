#include "io/files/text_file.hpp"

#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

namespace beadwave::io {
namespace {

std::string read_file(const std::filesystem::path& path, std::string_view kind, std::size_t largest,
                      bool binary, bool hdf5) {
    const std::size_t most_bytes = largest << 20;
    const std::string file = path.string();
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) refuse_file(file, "is a folder, not a file");
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        const int reason = errno;
        refuse_file(file, reason == ENOENT
                              ? "no such file"
                              : "cannot be read: " + std::generic_category().message(reason));
    }
    // Read up to the limit, without asking for the size: the file may be a pipe, which has no size.
    std::string text;
    std::string part(std::size_t{1} << 16, '\0');
    while (stream && text.size() <= most_bytes) {
        stream.read(part.data(), static_cast<std::streamsize>(part.size()));
        const std::string_view read(part.data(), static_cast<std::size_t>(stream.gcount()));
        text.append(read);
        if (!hdf5 && text.starts_with("\x89HDF"))
            refuse_file(file, fmt::format("is an HDF5 file, not {}", kind));
        if (!binary && read.find('\0') != std::string_view::npos)
            refuse_file(file, fmt::format("is a binary file, not {}", kind));
    }
    if (stream.bad()) refuse_file(file, "cannot be read to its end");
    if (text.size() > most_bytes) {
        refuse_file(file,
                    fmt::format("is larger than {} MiB, the most that beadwave reads", largest));
    }
    return text;
}

}  // namespace

void refuse_file(const std::string& file, std::string_view why) {
    throw InputError(fmt::format("{}: {}", file, why));
}

std::string read_text_file(const std::filesystem::path& file, std::string_view kind,
                           std::size_t largest) {
    return read_file(file, kind, largest, false, false);
}

std::string read_file_bytes(const std::filesystem::path& file, std::string_view kind, bool hdf5,
                            std::size_t largest) {
    return read_file(file, kind, largest, true, hdf5);
}

}  // namespace beadwave::io
