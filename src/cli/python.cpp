#include "cli/python.hpp"

#include "beadwave/running/simulation.hpp"
#include "cli/signal_guard.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

extern char** environ;

namespace beadwave::cli {
namespace {

namespace fs = std::filesystem;

constexpr int library_missing = 3;  ///< exit status of the package; it then prints nothing

fs::path package_folder(const std::string& name) {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = program.parent_path() / BEADWAVE_DATA_FROM_PROGRAM / name;
    const fs::path source = fs::path(BEADWAVE_SOURCES) / name;
    for (const fs::path& folder : {installed, source}) {
        if (fs::is_regular_file(folder / "__main__.py", error)) return folder.lexically_normal();
    }
    throw running::RunError(
        fmt::format("the Python files of beadwave {} are missing: neither {} nor {} holds them; "
                    "install beadwave again (cmake --install)",
                    name, installed.lexically_normal().string(), source.string()));
}

/// Waits and returns the exit status. Ends the process after an interruption, so that Python prints
/// no traceback.
int wait_for(pid_t child) {
    int status = 0;
    bool ended_by_us = false;
    for (;;) {
        const pid_t done = ::waitpid(child, &status, WNOHANG);
        if (done == child) break;
        if (done < 0 && errno != EINTR)
            throw running::RunError("cannot wait for python3: its process is gone");
        if (interrupted() && !std::exchange(ended_by_us, true))
            ::kill(-child, SIGKILL);  // with its own child processes
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (ended_by_us) throw running::RunError("interrupted; nothing was written");
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    throw running::RunError(fmt::format("signal {} ended python3", WTERMSIG(status)));
}

/// Puts the child into a process group of its own, so that Ctrl-C reaches this program alone.
class OwnProcessGroup {
  public:
    OwnProcessGroup() {
        ::posix_spawnattr_init(&attributes_);
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    }
    ~OwnProcessGroup() { ::posix_spawnattr_destroy(&attributes_); }
    OwnProcessGroup(const OwnProcessGroup&) = delete;
    OwnProcessGroup& operator=(const OwnProcessGroup&) = delete;
    const posix_spawnattr_t* get() const { return &attributes_; }

  private:
    posix_spawnattr_t attributes_{};
};

/// True if `python` was started; `status` is then its exit status.
bool run(const std::string& python, const std::vector<std::string>& words, int& status) {
    std::vector<char*> argv;
    std::vector<std::string> copy = words;
    copy.insert(copy.begin(), python);
    for (std::string& word : copy)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t child = 0;
    const OwnProcessGroup group;
    if (::posix_spawnp(&child, python.c_str(), nullptr, group.get(), argv.data(), environ) != 0)
        return false;
    status = wait_for(child);
    return status != 127;
}

}  // namespace

int run_python_package(const std::string& folder, const std::vector<std::string>& arguments,
                       const std::string& libraries) {
    const std::string name = fs::path(folder).filename().string();
    std::vector<std::string> words{
        "-B", package_folder(folder).string()};  // -B: writes no files next to the package
    words.insert(words.end(), arguments.begin(), arguments.end());
    // Debian's packages belong to the python3 of the system, which need not be the first in PATH.
    bool found = false;
    for (const char* python : {"python3", "/usr/bin/python3"}) {
        int status = 0;
        if (!run(python, words, status)) continue;
        if (status != library_missing) return status;
        found = true;
    }
    throw running::RunError(
        fmt::format("{}; on Debian or Ubuntu: apt-get install {}{}",
                    found ? "no python3 here has the libraries that beadwave " + name + " needs"
                          : "beadwave " + name + " needs python3",
                    found ? "" : "python3 ", libraries));
}

}  // namespace beadwave::cli
