// Signals that end a program, such as Ctrl-C or the end of a job's time in a queue, as a flag that
// a run checks between blocks of steps.
#pragma once

namespace beadwave::cli {

/// While an object of this class exists, SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1 and SIGUSR2 do
/// not end the program but set a flag: runs end at the next block and write their results. A signal
/// that was ignored (nohup, background jobs of a shell) stays ignored. A second SIGINT, a second or
/// more after the first, ends the program at once, as a kill does.
class SignalGuard {
  public:
    SignalGuard();
    ~SignalGuard();
    SignalGuard(const SignalGuard&) = delete;
    SignalGuard& operator=(const SignalGuard&) = delete;
};

/// Whether a signal has arrived. Any thread may call this.
bool interrupted();

}  // namespace beadwave::cli
