// A person's Ctrl-C, as a question that a run asks between blocks of steps.
#pragma once

namespace beadwave::cli {

/// While one lives, SIGINT and SIGTERM do not end the program but are noted; runs end at the next
/// block, with their results written.
class SignalGuard {
  public:
    SignalGuard();
    ~SignalGuard();
    SignalGuard(const SignalGuard&) = delete;
    SignalGuard& operator=(const SignalGuard&) = delete;
};

/// Whether the signal came; any thread may ask.
bool interrupted();

}  // namespace beadwave::cli
