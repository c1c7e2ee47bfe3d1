// A person's Ctrl-C, or a queue's wish that a job may end, as a question that a run asks between
// blocks of steps.
#pragma once

namespace beadwave::cli {

/// While one lives, SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1 and SIGUSR2 do not end the program
/// but are noted; runs end at the next block, with their results written. A signal that was ignored
/// (nohup, a shell's background jobs) stays ignored.
class SignalGuard {
  public:
    SignalGuard();
    ~SignalGuard();
    SignalGuard(const SignalGuard&) = delete;
    SignalGuard& operator=(const SignalGuard&) = delete;
};

/// Whether a signal came; any thread may ask.
bool interrupted();

}  // namespace beadwave::cli
