#include "cli/signal_guard.hpp"

#include <atomic>
#include <csignal>

namespace beadwave::cli {
namespace {

std::atomic<bool> caught = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set nothing else");

}  // namespace

SignalGuard::SignalGuard() {
    caught = false;
    for (const int signal : {SIGINT, SIGTERM})
        std::signal(signal, [](int) { caught = true; });
}

SignalGuard::~SignalGuard() {
    for (const int signal : {SIGINT, SIGTERM})
        std::signal(signal, SIG_DFL);
}

bool interrupted() {
    return caught.load(std::memory_order_relaxed);
}

}  // namespace beadwave::cli
