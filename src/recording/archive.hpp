// The state of a run as numbers; one serialize() function saves and restores it.
#pragma once

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace beadwave {

class Archive {
  public:
    /// Saves: collects the numbers that it is called with.
    Archive() : restores_(false) {}
    /// Restores: overwrites the numbers that it is called with by those saved earlier, in the same
    /// order.
    explicit Archive(std::vector<double> numbers) : numbers_(std::move(numbers)), restores_(true) {}

    /// Takes a double, a bool, or an integer below 2^53. Throws std::length_error if no number is
    /// left.
    template <class Number>
    void operator()(Number& number) {
        if (!restores_) {
            numbers_.push_back(static_cast<double>(number));
            return;
        }
        if (next_ == numbers_.size()) throw std::length_error("the saved state is too short");
        const double restored = numbers_[next_++];
        if constexpr (!std::is_floating_point_v<Number>) {
            constexpr double largest = std::is_same_v<Number, bool> ? 1.0 : 9007199254740992.0;
            if (!(std::abs(restored) <= largest))
                throw std::length_error("the saved state is damaged");
        }
        number = static_cast<Number>(restored);
    }

    const std::vector<double>& numbers() const { return numbers_; }
    bool exhausted() const { return next_ == numbers_.size(); }

  private:
    std::vector<double> numbers_;
    bool restores_;
    std::size_t next_ = 0;
};

}  // namespace beadwave
