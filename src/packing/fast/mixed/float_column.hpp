// A column of floats.
#pragma once

#include "simd/column.hpp"

#include <cstddef>
#include <new>

namespace beadwave::packing {

/// In the memory of a column of doubles, which is aligned and in large pages.
class FloatColumn {
  public:
    FloatColumn() = default;
    explicit FloatColumn(std::size_t count)
        : store_((count + 1) / 2),
          floats_(::new (static_cast<void*>(store_.data())) float[count]{}),
          count_(count) {}

    float* data() { return floats_; }
    const float* data() const { return floats_; }
    std::size_t size() const { return count_; }

  private:
    simd::Column store_;
    float* floats_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace beadwave::packing
