#include "jobs/threads.hpp"

#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <latch>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace beadwave::jobs {

int wanted_threads(int asked, const ranks::Communicator& ranks) {
    return asked > 0 ? asked : std::max(1, omp_get_max_threads() / ranks.on_this_node());
}

int startable_threads(int wanted) {
    if (wanted <= 1) return 1;
    // Memory that must be left for the work when all threads exist: for this thread, and for each
    // other.
    constexpr std::size_t own_bytes = std::size_t{32} << 20,
                          bytes_per_thread = std::size_t{6} << 20;
    std::vector<std::unique_ptr<char[]>> headroom;
    std::latch all_tried(1);
    std::vector<std::jthread> others;
    try {
        headroom.reserve(static_cast<std::size_t>(wanted));
        others.reserve(static_cast<std::size_t>(wanted));
        headroom.emplace_back(new char[own_bytes]);
        while (static_cast<int>(others.size()) + 1 < wanted) {
            headroom.emplace_back(new char[bytes_per_thread]);
            others.emplace_back([&] { all_tried.wait(); });
        }
    } catch (const std::system_error&) {  // no more threads
    } catch (const std::bad_alloc&) {
    }
    const int started = static_cast<int>(others.size()) + 1;
    all_tried.count_down();
#ifdef M_ARENA_MAX
    // If memory is scarce, no separate allocator arenas for threads: each takes 64 MiB of
    // addresses.
    if (started < wanted) ::mallopt(M_ARENA_MAX, 1);
#endif
    return started;
}

int start_threads(int wanted, int worthwhile, ProgressCallback& callback) {
    if (wanted <= 0) wanted = std::min(omp_get_max_threads(), worthwhile);
    const int threads = startable_threads(wanted);
    if (threads < wanted) {
        callback.warn(
            fmt::format("only {} of {} threads can be started here (limits on memory or "
                        "processes); the results are the same",
                        threads, wanted));
    }
#pragma omp parallel num_threads(threads) if (threads > 1)
    {}
    return threads;
}

}  // namespace beadwave::jobs
