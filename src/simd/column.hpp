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
class Column {
  public:
    Column() = default;
    explicit Column(std::size_t count, double value = 0.0) : count_(count) {
        const std::size_t capacity =
            (count + most_lanes - 1) / most_lanes * most_lanes + 2 * most_lanes;
        store_.reset(allocate(capacity * sizeof(double)));
        if (!store_) throw std::bad_alloc();
        std::fill_n(store_.get(), capacity, value);
    }

    double* data() { return store_.get(); }
    const double* data() const { return store_.get(); }
    double& operator[](std::size_t i) { return store_[i]; }
    double operator[](std::size_t i) const { return store_[i]; }
    std::size_t size() const { return count_; }

  private:
    static double* allocate(std::size_t bytes) {
#ifdef MADV_HUGEPAGE
        // Without huge pages, address translation slows random access to lines of large columns.
        constexpr std::size_t huge_page = std::size_t{2} << 20;
        if (bytes >= 4 * huge_page) {
            const std::size_t whole = (bytes + huge_page - 1) / huge_page * huge_page;
            void* const store = std::aligned_alloc(huge_page, whole);
            if (store != nullptr) ::madvise(store, whole, MADV_HUGEPAGE);  // a request; it may fail
            return static_cast<double*>(store);
        }
#endif
        return static_cast<double*>(std::aligned_alloc(64, bytes));
    }

    struct Free {
        void operator()(double* p) const { std::free(p); }
    };
    std::unique_ptr<double[], Free> store_;
    std::size_t count_ = 0;
};

}  // namespace beadwave::simd
