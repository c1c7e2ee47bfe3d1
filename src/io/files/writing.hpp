// A file that is there already, open to write to places in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace beadwave::io {

class Writing {
  public:
    /// Throws std::runtime_error with the system's words, as all here.
    explicit Writing(const std::filesystem::path& path);
    ~Writing();
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

    template <class Number>
    void write(std::int64_t place, std::span<const Number> numbers) const {
        write(place, numbers.data(), numbers.size_bytes());
    }
    /// To the disk.
    void sync() const;

  private:
    void write(std::int64_t place, const void* bytes, std::size_t count) const;

    int descriptor_;
};

}  // namespace beadwave::io
