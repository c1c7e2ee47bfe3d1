#include "cli/signal_guard.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace beadwave::cli {
namespace {

std::atomic<bool> caught = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set no other object");

/// The signals with which a person, a closed terminal or a queue ends a program.
constexpr std::array ending_signals = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGUSR2};

void on_signal(int) {
    caught = true;
}

}  // namespace

SignalGuard::SignalGuard() {
    caught = false;
    for (const int signal : ending_signals) {
        if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
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
