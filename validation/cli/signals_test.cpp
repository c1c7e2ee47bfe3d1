// The signals with which terminals, users and batch systems end a run.

#include "held_run.hpp"
#include "program.hpp"

#include <chrono>
#include <thread>

using namespace beadwave::validation;

namespace {

const std::string chain70 = "'" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'";
/// A run that gets a signal in its middle. `before` is shell text in front of it.
Said signalled(const Folder& folder, int signal, const std::string& before = "") {
    return HeldRun(folder, "run " + chain70 + " --quiet --threads 1 -o cut.h5", "30000", before)
        .end_by(signal);
}

}  // namespace

TEST_CASE("every signal that ends a run leaves a checkpoint from which the run can continue") {
    for (const int signal : {SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGUSR2}) {
        CAPTURE(signal);
        const Folder folder;
        const Said said = signalled(folder, signal);
        CHECK(said.status == 1);
        CHECK_MESSAGE(said.err.find("continue with: beadwave resume cut.h5.checkpoint.h5\n") !=
                          std::string::npos,
                      said.err);
        CHECK(shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet").status == 0);
    }
}

TEST_CASE("a signal that is ignored at the start of a run stays ignored") {
    for (const auto& [signal, name] :
         {std::pair(SIGINT, "INT"), {SIGHUP, "HUP"}, {SIGTERM, "TERM"}, {SIGUSR1, "USR1"}}) {
        CAPTURE(name);
        const Folder folder;
        const Said said = signalled(folder, signal, std::string("trap '' ") + name + "; ");
        CHECK_MESSAGE(said.status == 0, said.err);
    }
}

TEST_CASE("a signal ends a command that is waiting for its input immediately") {
    const Folder folder;
    for (const std::string& command :
         {"compare " + chain70 + " --laws hertz --measured pipe.csv",
          "fit " + chain70 + " --measured pipe.csv --bounds law.psi=2:4"}) {
        CAPTURE(command);
        // The shell can open the pipe once the command reads from it, and does not close it.
        const Said said =
            shell(folder, "[ -p pipe.csv ] || mkfifo pipe.csv; '" BEADWAVE_PROGRAM "' " + command +
                              " & p=$!; exec 9>pipe.csv; kill -TERM $p; wait $p");
        CHECK(said.status == 128 + SIGTERM);
    }
}

TEST_CASE("a second Ctrl-C ends a run that is within a step of many seconds, as a kill does") {
    const Folder folder;
    // Each joint but the first closes a loop: one step solves thousands of equations.
    std::string text =
        "[time]\nend = 1\n[[body]]\nname = \"a\"\nmass = 1\ninertia = 1e-3\ncentre = [0, 0]\n";
    for (int i = 0; i < 2000; ++i)
        text += "[[joint]]\nkind = \"revolute\"\nbodies = [\"ground\", \"a\"]\npoint = [0, " +
                std::to_string(1e-3 * i) + "]\n";
    write_file(folder / "loops.toml", text);
    const pid_t process = ::fork();
    if (process == 0) {
        if (::chdir(folder.path().c_str()) != 0) ::_exit(127);
        ::execl(BEADWAVE_PROGRAM, BEADWAVE_PROGRAM, "run", "loops.toml", "--quiet", "-o", "x.h5",
                nullptr);
        ::_exit(127);
    }
    int status = 0;
    const auto is_running = [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return ::waitpid(process, &status, WNOHANG) == 0;
    };
    while (!std::filesystem::exists(folder / "x.running.h5"))
        REQUIRE(is_running());
    while (is_running())
        ::kill(process, SIGINT);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGINT);
    CHECK(std::filesystem::exists(folder / "x.running.h5"));
}
