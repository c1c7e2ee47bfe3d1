// A loop that threads repeat: each has the same items every time, so that what these need stays in
// its caches.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace beadwave::stepping {

class ThreadStretches {
  public:
    /// The first item of each thread, and at the end the number of all; there may be fewer
    /// stretches than threads. Empty: there are no items.
    void cut(std::vector<std::size_t> cuts) {
        cuts_ = std::move(cuts);
        const std::size_t count = cuts_.empty() ? 0 : cuts_.size() - 1;
        if (stretches_.size() != count) stretches_ = std::vector<Stretch>(count);
    }

    /// Before the threads begin.
    void begin() {
        for (std::size_t t = 0; t < stretches_.size(); ++t)
            stretches_[t].left.store(pack(static_cast<std::uint32_t>(cuts_[t]),
                                          static_cast<std::uint32_t>(cuts_[t + 1])),
                                     std::memory_order_relaxed);
    }
    /// Calls work(item), on each thread for those of its stretch, if it has one, and then for the
    /// last ones that others have not begun. When all threads are back, all items are done; any
    /// number of them may take part.
    template <class Work>
    void each(int thread, const Work& work) {
        const std::size_t count = stretches_.size(),
                          own = static_cast<std::size_t>(thread) % std::max<std::size_t>(count, 1);
        for (std::size_t k = 0; k < count; ++k) {
            Stretch& stretch = stretches_[(own + k) % count];
            while (const std::optional<std::uint32_t> item = stretch.take(k == 0))
                work(*item);
        }
    }

  private:
    static std::uint64_t pack(std::uint32_t begin, std::uint32_t end) {
        return std::uint64_t{begin} << 32 | end;
    }
    struct alignas(64) Stretch {
        std::atomic<std::uint64_t> left{0};  // the first item and the end

        /// The first item that is left, or the last one.
        std::optional<std::uint32_t> take(bool first) {
            std::uint64_t now = left.load(std::memory_order_relaxed);
            while (true) {
                const auto begin = static_cast<std::uint32_t>(now >> 32),
                           end = static_cast<std::uint32_t>(now);
                if (begin >= end) return std::nullopt;
                const std::uint64_t then = first ? pack(begin + 1, end) : pack(begin, end - 1);
                if (left.compare_exchange_weak(now, then, std::memory_order_relaxed))
                    return first ? begin : end - 1;
            }
        }
    };
    std::vector<std::size_t> cuts_;
    std::vector<Stretch> stretches_;
};

}  // namespace beadwave::stepping
