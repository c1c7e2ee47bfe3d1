// An array of small numbers, each in as few bytes as the largest of them needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace beadwave::chain {

/// Numbers from 0, below 2^32.
class SmallIndex {
  public:
    std::size_t size() const { return narrow_.size() + middle_.size() + wide_.size(); }

    std::size_t operator[](std::size_t i) const {
        if (width_ == 1) return narrow_[i];
        return width_ == 2 ? middle_[i] : wide_[i];
    }

    void reserve(std::size_t count) {
        reserved_ = count;
        narrow_.reserve(count);
    }

    void push_back(std::size_t number) {
        if (number > std::numeric_limits<std::uint32_t>::max())
            throw std::length_error("more kinds than 32 bits can number");
        if (width_ == 1 && number > std::numeric_limits<std::uint8_t>::max()) widen<2>();
        if (width_ == 2 && number > std::numeric_limits<std::uint16_t>::max()) widen<4>();
        switch (width_) {
            case 1:
                narrow_.push_back(static_cast<std::uint8_t>(number));
                break;
            case 2:
                middle_.push_back(static_cast<std::uint16_t>(number));
                break;
            default:
                wide_.push_back(static_cast<std::uint32_t>(number));
        }
    }

    /// Calls `function` with a pointer to the stored numbers.
    template <class Function>
    auto as_stored(Function function) const {
        if (width_ == 1) return function(narrow_.data());
        return width_ == 2 ? function(middle_.data()) : function(wide_.data());
    }

  private:
    template <int width>
    void widen() {
        if constexpr (width == 2) {
            middle_.reserve(reserved_);
            middle_.assign(narrow_.begin(), narrow_.end());
            narrow_ = {};
        } else {
            wide_.reserve(reserved_);
            wide_.assign(middle_.begin(), middle_.end());
            middle_ = {};
        }
        width_ = width;
    }

    int width_ = 1;
    std::size_t reserved_ = 0;
    std::vector<std::uint8_t> narrow_;  // two of the three are empty
    std::vector<std::uint16_t> middle_;
    std::vector<std::uint32_t> wide_;
};

}  // namespace beadwave::chain
