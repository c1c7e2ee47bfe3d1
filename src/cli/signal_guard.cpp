#include "cli/signal_guard.hpp"

#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>

namespace beadwave::cli {
namespace {

std::atomic<bool> caught = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set no other object");

/// The signals with which a person, a closed terminal or a queue ends a program.
constexpr std::array ending_signals = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGUSR2};

std::atomic<std::int64_t> first_interrupt = 0;  ///< when the first SIGINT came [ns]
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

/// What end_at_once() was given; null: signals set the flag.
std::atomic<const char*> last_words = nullptr;
static_assert(std::atomic<const char*>::is_always_lock_free);

void end_now(const char* words) {
    const ssize_t written = ::write(STDERR_FILENO, words, std::strlen(words));
    (void)written;  // there is no one else to tell
    ::_exit(1);
}

void on_signal(int) {
    caught = true;
    if (const char* const words = last_words) end_now(words);
}

/// The first SIGINT asks a run to end. A second one, a second later, ends the process at once: a
/// sample of a mechanism can take a minute. What comes earlier is the same request, which launchers
/// deliver twice.
void on_interrupt(int number) {
    constexpr std::int64_t second = 1'000'000'000;
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const std::int64_t time = now.tv_sec * second + now.tv_nsec;
    std::int64_t first = 0;
    if (!first_interrupt.compare_exchange_strong(first, time) && time - first > second) {
        std::signal(SIGINT, SIG_DFL);
        std::raise(SIGINT);
    }
    on_signal(number);
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
    end_when_asked();
    for (const int signal : ending_signals) {
        if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
    }
}

bool interrupted() {
    return caught.load(std::memory_order_relaxed);
}

void end_at_once(const std::string& words) {
    static std::string kept;
    end_when_asked();
    kept = words;
    last_words = kept.c_str();
    if (caught) end_now(kept.c_str());
}

void end_when_asked() {
    last_words = nullptr;
}

}  // namespace beadwave::cli
