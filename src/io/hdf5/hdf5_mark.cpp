// The mark in an HDF5 file's first bytes that says that it is being written. HDF5 itself removes it
// only by closing the file, which must not be done after a write has failed.
#include "io/hdf5/hdf5.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>

namespace beadwave::io::hdf5 {
namespace {

// HDF5 File Format Specification 3.0, II.A: superblock of version 3.
constexpr std::size_t superblock_bytes = 48, version_at = 8, mark_at = 11, checksum_at = 44;
using Superblock = std::array<unsigned char, superblock_bytes>;
constexpr std::array<unsigned char, 8> signature = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

std::uint32_t word_of(const Superblock& block, std::size_t at) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i)
        word |= static_cast<std::uint32_t>(block[at + i]) << (8 * i);
    return word;
}

/// Jenkins's lookup3 of the bytes before the checksum, 12 at a time and 8 at last.
std::uint32_t checksum_of(const Superblock& block) {
    std::uint32_t a = 0xdeadbeef + checksum_at, b = a, c = a;
    std::size_t at = 0;
    for (; at + 12 < checksum_at; at += 12) {
        a += word_of(block, at), b += word_of(block, at + 4), c += word_of(block, at + 8);
        a -= c, a ^= std::rotl(c, 4), c += b;
        b -= a, b ^= std::rotl(a, 6), a += c;
        c -= b, c ^= std::rotl(b, 8), b += a;
        a -= c, a ^= std::rotl(c, 16), c += b;
        b -= a, b ^= std::rotl(a, 19), a += c;
        c -= b, c ^= std::rotl(b, 4), b += a;
    }
    a += word_of(block, at), b += word_of(block, at + 4);
    c ^= b, c -= std::rotl(b, 14);
    a ^= c, a -= std::rotl(c, 11);
    b ^= a, b -= std::rotl(a, 25);
    c ^= b, c -= std::rotl(b, 16);
    a ^= c, a -= std::rotl(c, 4);
    b ^= a, b -= std::rotl(a, 14);
    c ^= b, c -= std::rotl(b, 24);
    return c;
}

void unmark(int descriptor) {
    Superblock block{};
    if (::pread(descriptor, block.data(), block.size(), 0) != superblock_bytes) return;
    const bool known = std::equal(signature.begin(), signature.end(), block.begin()) &&
                       block[version_at] == 3 && word_of(block, checksum_at) == checksum_of(block);
    if (!known) return;
    block[mark_at] = 0;
    const std::uint32_t sum = checksum_of(block);
    for (std::size_t i = 0; i < 4; ++i)
        block[checksum_at + i] = static_cast<unsigned char>(sum >> (8 * i));
    [[maybe_unused]] const auto written = ::pwrite(descriptor, block.data(), block.size(), 0);
}

}  // namespace

void unmark(const std::filesystem::path& path) noexcept {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    unmark(descriptor);
    ::close(descriptor);
}

}  // namespace beadwave::io::hdf5
