// Columns of numbers for vector loads and stores.
#pragma once

#include "simd/instruction_sets.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace beadwave::simd {

/// `count` numbers on a cache-line boundary, with two unused vectors behind the last number.
class Column {
  public:
    Column() = default;
    explicit Column(std::size_t count, double value = 0.0) : Column(unset(count)) {
        std::fill_n(store_.get(), count, value);
    }
    /// Its numbers are to be written before they are read.
    static Column unset(std::size_t count) {
        const std::size_t capacity =
            (count + most_lanes - 1) / most_lanes * most_lanes + 2 * most_lanes;
        Column column;
        column.count_ = count;
        column.store_ = allocate(capacity * sizeof(double));
        std::fill_n(column.store_.get() + count, capacity - count, 0.0);
        return column;
    }

    double* data() { return store_.get(); }
    const double* data() const { return store_.get(); }
    double& operator[](std::size_t i) { return store_[i]; }
    double operator[](std::size_t i) const { return store_[i]; }
    std::size_t size() const { return count_; }

  private:
    struct Free {
        std::size_t mapped;  ///< bytes; 0: from the heap
        void operator()(double* p) const {
            if (mapped == 0) return std::free(p);
            ::munmap(p, mapped);
        }
    };
    using Store = std::unique_ptr<double[], Free>;

    static Store allocate(std::size_t bytes) {
#ifdef MADV_HUGEPAGE
        // Without huge pages, address translation slows random access to lines of large columns.
        // Not from the heap, whose memory may already be in small pages.
        constexpr std::size_t huge_page = std::size_t{2} << 20;
        if (bytes > huge_page / 2) {
            const std::size_t whole = (bytes + huge_page - 1) / huge_page * huge_page;
            void* const map = ::mmap(nullptr, whole + huge_page, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (map == MAP_FAILED) throw std::bad_alloc();
            const std::size_t before =
                (huge_page - reinterpret_cast<std::uintptr_t>(map) % huge_page) % huge_page;
            char* const begin = static_cast<char*>(map) + before;
            if (before > 0) ::munmap(map, before);
            ::munmap(begin + whole, huge_page - before);
            ::madvise(begin, whole, MADV_HUGEPAGE);  // a request; it may fail
            return Store(reinterpret_cast<double*>(begin), Free{whole});
        }
#endif
        Store store(static_cast<double*>(std::aligned_alloc(64, bytes)), Free{0});
        if (!store) throw std::bad_alloc();
        return store;
    }

    Store store_;
    std::size_t count_ = 0;
};

}  // namespace beadwave::simd
