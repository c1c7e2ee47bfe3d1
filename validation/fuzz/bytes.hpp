// The input as a sequence of choices; after its end all further choices are zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace beadwave::fuzz {

class Bytes {
  public:
    explicit Bytes(std::span<const std::uint8_t> bytes) : left_(bytes) {}

    bool empty() const { return left_.empty(); }

    std::uint8_t byte() { return number<std::uint8_t>(); }

    /// From 0 to count - 1.
    std::size_t below(std::size_t count) { return byte() % count; }

    template <typename T>
    T number() {
        T value{};
        const std::span<const std::uint8_t> bytes = take(sizeof value);
        std::memcpy(&value, bytes.data(), bytes.size());
        return value;
    }

    /// The next `count` bytes, or all that remain.
    std::span<const std::uint8_t> take(std::size_t count) {
        const auto taken = left_.first(count < left_.size() ? count : left_.size());
        left_ = left_.subspan(taken.size());
        return taken;
    }

  private:
    std::span<const std::uint8_t> left_;
};

}  // namespace beadwave::fuzz
