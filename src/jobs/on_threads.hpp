// Pieces of work spread over threads, each piece to the next thread that is free.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace beadwave::jobs {

/// Calls work(0), work(1), ..., work(count - 1), begun in this order, in `threads` threads, and
/// meanwhile watch(pieces done) about ten times a second in this one. Where the system has no room
/// for so many threads, in fewer; without any, in this one. `work` must not throw.
template <class Work, class Watch>
void for_each_on_threads(std::size_t count, int threads, const Work& work, const Watch& watch) {
    std::atomic<std::size_t> next = 0, done = 0;
    std::mutex mutex;
    std::condition_variable finished;
    const auto take = [&] {
        for (std::size_t piece = next++; piece < count; piece = next++) {
            work(piece);
            if (++done < count) continue;
            const std::lock_guard lock(mutex);
            finished.notify_one();
        }
    };
    std::vector<std::jthread> team;
    const std::size_t size = std::min(count, static_cast<std::size_t>(threads));
    try {
        team.reserve(size);
        for (std::size_t i = 0; i < size; ++i)
            team.emplace_back(take);
    } catch (const std::system_error&) {
        if (team.empty()) take();
    }
    std::unique_lock lock(mutex);
    while (!finished.wait_for(lock, std::chrono::milliseconds(100), [&] { return done == count; }))
        watch(done.load());
}

/// The same of `work` that may throw, with nothing to watch: all pieces are tried, then the
/// exception of the first that threw is thrown.
template <class Work>
void for_each_on_threads(std::size_t count, int threads, const Work& work) {
    std::vector<std::exception_ptr> errors(count);
    const auto guarded = [&](std::size_t piece) {
        try {
            work(piece);
        } catch (...) {
            errors[piece] = std::current_exception();
        }
    };
    for_each_on_threads(count, threads, guarded, [](std::size_t) {});
    for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace beadwave::jobs
