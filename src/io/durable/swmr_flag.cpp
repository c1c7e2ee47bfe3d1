// The superblock of an HDF5 file: its validation, and the SWMR flag in it, which says that a writer
// has the file open. HDF5 clears the flag only on closing the file, which must not be done after a
// failed write.
#include "io/durable/full_io.hpp"
#include "io/durable/read_descriptor.hpp"
#include "io/hdf5/hdf5_validation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace beadwave::io::hdf5 {
namespace {

// HDF5 File Format Specification 3.0, II.A: superblock of version 3.
constexpr std::size_t superblock_bytes = 48, version_at = 8, flag_at = 11, checksum_at = 44;
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

/// Versions 2 and 3 have the same layout.
bool is_valid(const Superblock& block) {
    return std::equal(signature.begin(), signature.end(), block.begin()) &&
           (block[version_at] == 2 || block[version_at] == 3) &&
           word_of(block, checksum_at) == checksum_of(block);
}

void clear_flag(Superblock& block) {
    block[flag_at] = 0;
    const std::uint32_t sum = checksum_of(block);
    for (std::size_t i = 0; i < 4; ++i)
        block[checksum_at + i] = static_cast<unsigned char>(sum >> (8 * i));
}

}  // namespace

void check_beginning(const std::filesystem::path& path) {
    check_regular(path);
    const ReadDescriptor file(path);
    if (file.descriptor() < 0)
        throw std::runtime_error("cannot be read: " + std::generic_category().message(errno));
    bool valid = false;
    for (const off_t at : {0, 512}) {
        Superblock block{};
        const bool read =
            full_read(file.descriptor(), block.data(), block.size(), at) == superblock_bytes;
        valid = valid || (read && is_valid(block));
    }
    if (!valid)
        throw std::runtime_error("is damaged, or is an HDF5 file that beadwave did not write");
}

void clear_swmr_flag(int descriptor) {
    Superblock block{};
    if (full_read(descriptor, block.data(), block.size(), 0) != superblock_bytes) return;
    if (!is_valid(block) || block[version_at] != 3) return;
    clear_flag(block);
    full_write(descriptor, block.data(), block.size(), 0);
}

void clear_swmr_flag_in(std::string& image) {
    Superblock block{};
    if (image.size() < block.size()) return;
    std::copy_n(image.begin(), block.size(), block.begin());
    clear_flag(block);
    std::copy(block.begin(), block.end(), image.begin());
}

}  // namespace beadwave::io::hdf5
