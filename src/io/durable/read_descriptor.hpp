// A file that is open to be looked at, whatever it is.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace beadwave::io {

class ReadDescriptor {
  public:
    /// Never waits: the path may be that of a named pipe. A negative descriptor: errno says why.
    explicit ReadDescriptor(const std::filesystem::path& path) {
        do {
            descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        } while (descriptor_ < 0 && errno == EINTR);
    }
    ~ReadDescriptor() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    ReadDescriptor(const ReadDescriptor&) = delete;
    ReadDescriptor& operator=(const ReadDescriptor&) = delete;

    int descriptor() const { return descriptor_; }

  private:
    int descriptor_ = -1;
};

}  // namespace beadwave::io
