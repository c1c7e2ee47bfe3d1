// The memory of the messages to, or from, one other rank.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::ranks {

/// Memory of messages that follow each other. Messages of one length, and long and short ones in
/// turn, use the same memory; that of a long message is released when several after it are short,
/// so that a new neighbour list leaves none behind.
class MessageBuffer {
  public:
    /// The memory of a message of `count` numbers, whose values are unspecified, until the next
    /// call.
    std::span<double> of(std::size_t count) {
        constexpr int most_short = 3;
        short_ = numbers_.capacity() > 4 * count ? short_ + 1 : 0;
        if (short_ == most_short) {
            numbers_ = std::vector<double>();
            short_ = 0;
        }
        numbers_.resize(count);
        return numbers_;
    }
    std::span<const double> numbers() const { return numbers_; }  ///< of the last message
    std::size_t capacity() const { return numbers_.capacity(); }

  private:
    std::vector<double> numbers_;
    int short_ = 0;  ///< messages in a row that need less than a quarter of the memory
};

}  // namespace beadwave::ranks
