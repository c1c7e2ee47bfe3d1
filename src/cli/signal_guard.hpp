// Signals that end a program, such as Ctrl-C or the end of a job's time in a queue, as a flag that
// a run checks between blocks of steps.
#pragma once

#include <string>

namespace beadwave::cli {

/// While an object of this class exists, SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1 and SIGUSR2 do
/// not end the program but set a flag: runs end at the next block and write their results. A signal
/// that was ignored (nohup, background jobs of a shell) stays ignored. A second SIGINT, a second or
/// more after the first, ends the program at once, as a kill does; see also end_at_once().
class SignalGuard {
  public:
    SignalGuard();
    ~SignalGuard();
    SignalGuard(const SignalGuard&) = delete;
    SignalGuard& operator=(const SignalGuard&) = delete;
};

/// Whether a signal has arrived. Any thread may call this.
bool interrupted();

/// From now on a signal, also one that has arrived already, ends the process at once, with status 1
/// and this text on standard error: where nothing would ask interrupted() for minutes, and the disk
/// holds what is needed to continue.
void end_at_once(const std::string& last_words);
/// From now on signals set the flag again.
void end_when_asked();

}  // namespace beadwave::cli
