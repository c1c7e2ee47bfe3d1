// Pieces of work on several threads; each free thread gets the next piece.
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

namespace beadwave::ranks {

/// Calls work(0), work(1), ..., work(count - 1) in `threads` threads; they start in this order.
/// Meanwhile calls watch(number of completed pieces) in this thread about ten times per second. If
/// the system cannot start that many threads, uses fewer; if it can start none, uses this one.
/// `work` must not throw.
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

/// Calls work(0), ..., work(count - 1), which may throw, in `threads` threads. After an exception
/// no further piece starts; at the end the exception of the first piece that threw is thrown, with
/// any number of threads the same: the pieces before it have started before it.
template <class Work>
void for_each_on_threads(std::size_t count, int threads, const Work& work) {
    std::vector<std::exception_ptr> errors(count);
    std::atomic<bool> failed = false;
    const auto guarded = [&](std::size_t piece) {
        if (failed) return;
        try {
            work(piece);
        } catch (...) {
            errors[piece] = std::current_exception();
            failed = true;
        }
    };
    for_each_on_threads(count, threads, guarded, [](std::size_t) {});
    for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace beadwave::ranks
