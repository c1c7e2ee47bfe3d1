// A run that pauses at chosen steps, so that a test can act in the middle of the run. The test
// waits until the process stops itself (BEADWAVE_PAUSE_AT_STEP) and never for a fixed time.
#pragma once

#include "program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <utility>

namespace beadwave::validation {

class HeldRun {
  public:
    /// Starts `beadwave ARGUMENTS` in the folder and waits until it pauses at the first of `steps`
    /// (in ascending order, separated by commas). `before` is shell text in front of the command,
    /// such as "trap '' INT; ".
    HeldRun(const Folder& folder, const std::string& arguments, const std::string& steps,
            const std::string& before = "")
        : folder_(folder) {
        const std::string line = "cd '" + folder.path().string() + "' || exit; " + before +
                                 "export BEADWAVE_PAUSE_AT_STEP=" + steps +
                                 "; exec '" BEADWAVE_PROGRAM "' " + arguments +
                                 " >.held.out 2>.held.err";
        process_ = ::fork();
        if (process_ == 0) {
            ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
            ::_exit(127);
        }
        wait();
        REQUIRE_MESSAGE(held_, read_file(folder_ / ".held.err"));
    }
    ~HeldRun() {
        if (!ended_) send(SIGKILL), wait();
    }
    HeldRun(const HeldRun&) = delete;
    HeldRun& operator=(const HeldRun&) = delete;

    /// Sends a signal. SIGKILL takes effect immediately, other signals when the run continues.
    void send(int signal) const { ::kill(process_, signal); }

    /// Continues the run to its next pause or to its end. Returns whether it is paused again.
    bool next() {
        send(SIGCONT);
        wait();
        return held_;
    }

    /// Continues the run to its end. Returns its exit status, as a shell has it, and its output.
    Said end() {
        while (!ended_)
            next();
        const Said said{status_, read_file(folder_ / ".held.out"),
                        read_file(folder_ / ".held.err")};
        std::filesystem::remove(folder_ / ".held.out");
        std::filesystem::remove(folder_ / ".held.err");
        return said;
    }
    Said end_by(int signal) {
        send(signal);
        return end();
    }

  private:
    void wait() {
        int status = 0;
        REQUIRE(::waitpid(process_, &status, WUNTRACED) == process_);
        held_ = WIFSTOPPED(status);
        ended_ = !held_;
        if (ended_) status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

    const Folder& folder_;
    ::pid_t process_ = -1;
    bool held_ = false, ended_ = false;
    int status_ = -1;
};

/// A run that pauses at the step, while the shell command `meanwhile` is executed, and continues.
inline Said run_while(const Folder& folder, const std::string& arguments, const std::string& step,
                      const std::string& meanwhile) {
    HeldRun run(folder, arguments, step);
    REQUIRE(shell(folder, meanwhile).status == 0);
    return run.end();
}

/// A run that gets a signal at the step.
inline Said run_until(const Folder& folder, const std::string& arguments, const std::string& step,
                      int signal) {
    return HeldRun(folder, arguments, step).end_by(signal);
}

}  // namespace beadwave::validation
