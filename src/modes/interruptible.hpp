// Long work that a caller may end.
#pragma once

#include "ranks/on_threads.hpp"

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <stdexcept>
#include <vector>

namespace beadwave::modes {

/// Called several times per second in the thread of the caller; true ends the work with
/// std::runtime_error. Null: never.
using Stop = std::function<bool()>;

inline void end_if(const Stop& stop) {
    if (stop && stop()) throw std::runtime_error("interrupted");
}

/// work(0), ..., work(count - 1) in `threads` threads. `work` may throw: the exception of the first
/// piece that threw is thrown.
template <class Work>
void for_each(std::size_t count, int threads, const Stop& stop, const Work& work) {
    std::vector<std::exception_ptr> errors(count);
    std::atomic<bool> ended = false;
    const auto guarded = [&](std::size_t piece) {
        if (ended) return;
        try {
            work(piece);
        } catch (...) {
            errors[piece] = std::current_exception();
            ended = true;
        }
    };
    bool stopped = false;
    ranks::for_each_on_threads(count, threads, guarded, [&](std::size_t) {
        if (!stopped && stop && stop()) ended = stopped = true;
    });
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
    if (stopped) throw std::runtime_error("interrupted");
}

}  // namespace beadwave::modes
