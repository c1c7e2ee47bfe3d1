// A loop that threads repeat: each has the same items every time, so that what these need stays in
// its caches.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace beadwave::stepping {

class ThreadStretches {
  public:
    /// The items 0, 1, ... are cut into a stretch for each thread, of about the same weight.
    void cut(std::span<const std::int64_t> weight_of_item, int threads) {
        const auto count = static_cast<std::size_t>(std::max(threads, 1));
        std::int64_t all = 0, before = 0;
        for (const std::int64_t weight : weight_of_item)
            all += weight;
        cuts_.assign(1, 0);
        for (std::size_t item = 0; item < weight_of_item.size(); ++item) {
            // The middle of the item decides.
            const double share =
                (static_cast<double>(before) + 0.5 * static_cast<double>(weight_of_item[item])) /
                static_cast<double>(std::max<std::int64_t>(all, 1));
            while (cuts_.size() < count &&
                   share * static_cast<double>(count) > static_cast<double>(cuts_.size()))
                cuts_.push_back(static_cast<std::uint32_t>(item));
            before += weight_of_item[item];
        }
        cuts_.resize(count + 1, static_cast<std::uint32_t>(weight_of_item.size()));
        if (stretches_.size() != count) stretches_ = std::vector<Stretch>(count);
    }

    /// Before the threads begin.
    void begin() {
        for (std::size_t t = 0; t < stretches_.size(); ++t)
            stretches_[t].left.store(pack(cuts_[t], cuts_[t + 1]), std::memory_order_relaxed);
    }
    /// Calls work(item), on each thread for those of its stretch and then for the last ones that
    /// others have not begun. When all threads are back, all items are done; any number of them
    /// may take part.
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
    std::vector<std::uint32_t> cuts_{0};
    std::vector<Stretch> stretches_;
};

}  // namespace beadwave::stepping
