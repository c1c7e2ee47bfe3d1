// A file in memory that readers open by its path.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

namespace beadwave::fuzz {

class MemoryFile {
  public:
    MemoryFile() : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
        if (descriptor_ < 0) std::abort();
        path_ = "/proc/self/fd/" + std::to_string(descriptor_);
    }
    ~MemoryFile() { ::close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    const std::string& path() const { return path_; }

    void hold(std::span<const std::uint8_t> bytes) const {
        const bool held = ::ftruncate(descriptor_, 0) == 0 &&
                          ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) ==
                              static_cast<ssize_t>(bytes.size());
        if (!held) std::abort();
    }

  private:
    int descriptor_;
    std::string path_;
};

}  // namespace beadwave::fuzz
