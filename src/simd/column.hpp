// Columns of numbers for vector loads and stores.
#pragma once

#include "simd/instruction_sets.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace beadwave::simd {

/// `count` numbers on a cache-line boundary, with two unused vectors behind the last number.
template <class Number>
class ColumnOf {
  public:
    ColumnOf() = default;
    explicit ColumnOf(std::size_t count, Number value = 0) : count_(count) {
        const std::size_t capacity =
            (count + most_lanes - 1) / most_lanes * most_lanes + 2 * most_lanes;
        store_.reset(allocate(capacity * sizeof(Number)));
        if (!store_) throw std::bad_alloc();
        std::fill_n(store_.get(), capacity, value);
    }

    Number* data() { return store_.get(); }
    const Number* data() const { return store_.get(); }
    Number& operator[](std::size_t i) { return store_[i]; }
    Number operator[](std::size_t i) const { return store_[i]; }
    std::size_t size() const { return count_; }

  private:
    static Number* allocate(std::size_t bytes) {
#ifdef MADV_HUGEPAGE
        // Without huge pages, address translation slows random access to lines of large columns.
        constexpr std::size_t huge_page = std::size_t{2} << 20;
        if (bytes >= 4 * huge_page) {
            const std::size_t whole = (bytes + huge_page - 1) / huge_page * huge_page;
            void* const store = std::aligned_alloc(huge_page, whole);
            if (store != nullptr) ::madvise(store, whole, MADV_HUGEPAGE);  // a request; it may fail
            return static_cast<Number*>(store);
        }
#endif
        return static_cast<Number*>(std::aligned_alloc(64, bytes));
    }

    struct Free {
        void operator()(Number* p) const { std::free(p); }
    };
    std::unique_ptr<Number[], Free> store_;
    std::size_t count_ = 0;
};

using Column = ColumnOf<double>;
using FloatColumn = ColumnOf<float>;

}  // namespace beadwave::simd
