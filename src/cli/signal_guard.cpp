#include "cli/signal_guard.hpp"

#include <time.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>

namespace beadwave::cli {
namespace {

std::atomic<bool> caught = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set no other object");

/// The signals with which a person, a closed terminal or a queue ends a program.
constexpr std::array ending_signals = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGUSR2};

std::atomic<std::int64_t> first_interrupt = 0;  ///< when the first SIGINT came [ns]
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

/// The first SIGINT asks a run to end. A second one, a second later, ends the process at once: a
/// single step of a mechanism with thousands of closed loops can take a minute. What comes earlier
/// is the same request, which launchers deliver twice.
void on_interrupt(int) {
    constexpr std::int64_t second = 1'000'000'000;
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const std::int64_t time = now.tv_sec * second + now.tv_nsec;
    std::int64_t first = 0;
    if (!first_interrupt.compare_exchange_strong(first, time) && time - first > second) {
        std::signal(SIGINT, SIG_DFL);
        std::raise(SIGINT);
    }
    caught = true;
}

void on_signal(int) {
    caught = true;
}

}  // namespace

SignalGuard::SignalGuard() {
    caught = false;
    first_interrupt = 0;
    for (const int signal : ending_signals) {
        const auto handler = signal == SIGINT ? on_interrupt : on_signal;
        if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
    }
}

SignalGuard::~SignalGuard() {
    for (const int signal : ending_signals) {
        if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
    }
}

bool interrupted() {
    return caught.load(std::memory_order_relaxed);
}

}  // namespace beadwave::cli
