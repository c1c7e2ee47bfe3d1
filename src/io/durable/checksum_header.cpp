#include "io/durable/checksum_header.hpp"

#include "beadwave/input_error.hpp"
#include "io/durable/full_io.hpp"
#include "io/files/output_path.hpp"
#include "ranks/collective.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace beadwave::io {
namespace {

constexpr std::string_view checkpoint_opening = "beadwave checkpoint, format ";
/// Rises whenever a name in the file changes, or what a saved state contains.
constexpr int format = 7;

std::string line_of(std::uintmax_t bytes, std::uint64_t checksum) {
    return fmt::format("{}{}, version {}, {} bytes, checksum {:016x}\n", checkpoint_opening, format,
                       BEADWAVE_VERSION, bytes, checksum);
}

/// Fowler, Noll and Vo's hash (FNV-1a), of 8 bytes at a time.
class Sum {
  public:
    void add(std::uint64_t word) {
        sum_ = (sum_ ^ word) * 1099511628211u;
        sum_ ^= sum_ >> 32;  // otherwise the upper bits of a word affect only upper bits
    }
    std::uint64_t value() const { return sum_; }

  private:
    std::uint64_t sum_ = 14695981039346656037u;
};

/// The checksum of the bytes [begin, end).
std::uint64_t checksum_of_block(std::istream& stream, std::uintmax_t begin, std::uintmax_t end) {
    Sum sum;
    constexpr std::size_t word = sizeof(std::uint64_t);
    std::vector<std::uint64_t> words(std::size_t{1} << 13);
    stream.clear();
    stream.seekg(static_cast<std::streamoff>(begin));
    for (std::uintmax_t left = end - begin; stream && left > 0;) {
        char* const block = reinterpret_cast<char*>(words.data());
        stream.read(block, static_cast<std::streamsize>(
                               std::min<std::uintmax_t>(words.size() * word, left)));
        const auto bytes = static_cast<std::size_t>(stream.gcount());
        left -= bytes;
        const std::size_t count = (bytes + word - 1) / word;
        std::fill(block + bytes, block + count * word, '\0');
        for (std::size_t i = 0; i < count; ++i)
            sum.add(words[i]);
    }
    return sum.value();
}

/// The checksum of the checksums of all blocks from the end of the header to `end`.
std::uint64_t checksum_of(std::istream& stream, std::uintmax_t end, ranks::Communicator* ranks) {
    constexpr std::uintmax_t block = std::uintmax_t{16} << 20;
    const std::uintmax_t blocks = (end - checksum_header_bytes + block - 1) / block;
    const auto count = static_cast<std::uintmax_t>(ranks != nullptr ? ranks->count() : 1),
               own = static_cast<std::uintmax_t>(ranks != nullptr ? ranks->rank() : 0);
    std::vector<std::int64_t> sums(blocks, 0);  // 0 for blocks of other ranks
    for (std::uintmax_t i = blocks * own / count; i < blocks * (own + 1) / count; ++i) {
        const std::uintmax_t begin = checksum_header_bytes + i * block;
        sums[i] = static_cast<std::int64_t>(
            checksum_of_block(stream, begin, std::min(begin + block, end)));
    }
    if (ranks != nullptr) ranks->sum(sums);
    Sum all;
    for (const std::int64_t sum : sums)
        all.add(static_cast<std::uint64_t>(sum));
    return all.value();
}

/// The first line, or the part of it that exists.
std::string first_line(std::istream& stream) {
    std::string block(checksum_header_bytes, '\0');
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    block.resize(static_cast<std::size_t>(stream.gcount()));
    const std::size_t end = block.find('\n');
    return end == std::string::npos ? block.substr(0, block.find('\0')) : block.substr(0, end + 1);
}

/// The text between two texts of the line; empty if they are missing.
std::string between(const std::string& line, std::string_view before, std::string_view after) {
    const std::size_t place = line.find(before);
    if (place == std::string::npos) return {};
    const std::size_t begin = place + before.size(), end = line.find(after, begin);
    return end == std::string::npos ? std::string() : line.substr(begin, end - begin);
}

}  // namespace

void write_checksum_header(const std::filesystem::path& file, ranks::Communicator* ranks) {
    const bool writes = ranks == nullptr || ranks->first();
    std::ifstream stream(file, std::ios::binary);
    std::uintmax_t bytes = writes ? std::filesystem::file_size(file) : 0;
    if (ranks != nullptr) ranks->broadcast(bytes);
    const std::string line = line_of(bytes, checksum_of(stream, bytes, ranks));
    ranks::collective(ranks, [&] {
        if (stream.fail()) throw std::runtime_error("cannot be read back");
    });
    ranks::collective(ranks, [&] {
        if (!writes) return;
        const int descriptor = open_again(file.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor < 0) throw std::runtime_error("cannot be opened to write: " + reason(errno));
        try {
            full_write(descriptor, line.data(), line.size(), 0);
        } catch (...) {
            ::close(descriptor);
            throw;
        }
        ::close(descriptor);
    });
}

std::uintmax_t check_checksum_header(const std::filesystem::path& file,
                                     ranks::Communicator* ranks) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) refuse(file, "is a folder, not a file");
    if (std::filesystem::is_other(file, ignored)) refuse(file, "is not a regular file");
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        const int error = errno;
        refuse(file, error == ENOENT ? "no such file"
                                     : "cannot be read: " + std::generic_category().message(error));
    }
    const std::string line = first_line(stream);
    if (ranks != nullptr) {
        std::string of_first = line;
        ranks->broadcast(of_first);
        if (line != of_first) {
            refuse(file,
                   fmt::format("rank {} does not see the file that rank 0 sees; all ranks need one "
                               "file system, in the same folder",
                               ranks->rank()));
        }
    }
    const bool cut = !line.empty() && line.size() < checkpoint_opening.size() &&
                     checkpoint_opening.starts_with(line);
    if (cut) refuse(file, "is truncated: it ends within its first line");
    if (!line.starts_with(checkpoint_opening)) refuse(file, "is not a checkpoint of beadwave");
    const std::uintmax_t size = std::filesystem::file_size(file);
    if (!line.ends_with('\n')) {
        refuse(file, size < checksum_header_bytes ? "is truncated: it ends within its first line"
                                                  : "is damaged: its first line has no end");
    }
    const std::string its_format = between(line, checkpoint_opening, ",");
    const std::string version = between(line, "version ", ",");
    const std::string bytes = between(line, version + ", ", " bytes");
    if (its_format != std::to_string(format)) {
        int number = 0;
        const char* const last = its_format.data() + its_format.size();
        const auto [stop, bad] = std::from_chars(its_format.data(), last, number);
        if (bad != std::errc{} || stop != last)
            refuse(file, "is damaged: its first line has no format");
        const bool newer = number > format;
        refuse(file,
               fmt::format(
                   "was written by {} version (format {}, this is {}){}",
                   newer ? "a newer" : "an earlier", number, format,
                   newer ? "" : ", which saved other names or states; run the scenario again"));
    }
    if (version != BEADWAVE_VERSION) {
        refuse(file, fmt::format("was written by beadwave {}; this is {}, whose results may differ",
                                 version, BEADWAVE_VERSION));
    }
    std::uintmax_t covered = 0;
    const auto [end, wrong] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), covered);
    if (wrong != std::errc{} || end != bytes.data() + bytes.size() ||
        covered < checksum_header_bytes)
        refuse(file, "is damaged: its first line is incomplete");
    if (covered > size)
        refuse(file, fmt::format("is truncated: it has {} bytes of {}", size, covered));
    if (line != line_of(covered, checksum_of(stream, covered, ranks)))
        refuse(file, "is damaged: its checksum is wrong");
    return covered;
}

bool begins_as_checkpoint(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return first_line(stream).starts_with(checkpoint_opening);
}

}  // namespace beadwave::io
