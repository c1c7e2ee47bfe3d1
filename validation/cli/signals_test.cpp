// The signals with which terminals, users and batch systems end a run.

#include "held_run.hpp"
#include "program.hpp"

#include <chrono>
#include <cstdio>
#include <thread>

namespace beadwave::validation::signals_test {

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

TEST_CASE("a long run whose output is no terminal says once how long it takes") {
    const Folder folder;
    const Said said = shell(
        folder, "mkfifo said; '" BEADWAVE_PROGRAM "' run " + chain70 +
                    " --threads 1 --set time.end=20 --yes --ignore-disk-space -o long.h5 2> said & "
                    "p=$!; grep -m 1 ' in all to t = ' said; "
                    "kill -TERM $p; wait $p");
    CHECK_MESSAGE(said.out.starts_with("beadwave: "), said.out, said.err);
    CHECK_MESSAGE(said.out.find(" in all to t = 20 s; --log 60 ") != std::string::npos, said.out);
}

namespace {

/// A body on the ground; each joint but the first closes a loop.
std::string body_on_joints(int loops) {
    std::string text =
        "[time]\nend = 1\n[[body]]\nname = \"a\"\nmass = 1\ninertia = 1e-3\ncentre = [0, 0]\n";
    for (int i = 0; i <= loops; ++i)
        text += "[[joint]]\nkind = \"revolute\"\nbodies = [\"ground\", \"a\"]\npoint = [0, " +
                std::to_string(1e-3 * i) + "]\n";
    return text;
}

/// A swing: a rail that hangs on parallel bars. Each bar but the first closes a loop.
std::string swing(int loops) {
    std::string text =
        "[gravity]\nacceleration = [9.81, 0]\n[time]\nend = 0.012\ninterval = 1e-3\n"
        "[[body]]\nname = \"rail\"\nmass = 1\ninertia = 1\ncentre = [0.05, -0.1]\n";
    for (int i = 0; i <= loops; ++i) {
        const std::string name = "\"bar " + std::to_string(i) + "\"", x = std::to_string(0.01 * i);
        text += "[[body]]\nname = " + name + "\nmass = 0.01\ninertia = 1e-5\ncentre = [" + x +
                " , -0.05]\n";
        text += "[[joint]]\nkind = \"revolute\"\nbodies = [\"ground\", " + name + "]\npoint = [" +
                x + ", 0]\n[[joint]]\nkind = \"revolute\"\nbodies = [" + name +
                ", \"rail\"]\npoint = [" + x + ", -0.1]\n";
    }
    return text;
}

}  // namespace

TEST_CASE("the first signal ends a run within a solve of minutes") {
    for (const int signal : {SIGINT, SIGTERM}) {
        CAPTURE(signal);
        const Folder folder;
        write_file(folder / "loops.toml", body_on_joints(2000));
        const pid_t process = ::fork();
        if (process == 0) {
            if (::chdir(folder.path().c_str()) != 0) ::_exit(127);
            if (std::freopen("said", "w", stderr) == nullptr) ::_exit(127);
            ::execl(BEADWAVE_PROGRAM, BEADWAVE_PROGRAM, "run", "loops.toml", "--quiet", "-o",
                    "x.h5", nullptr);
            ::_exit(127);
        }
        int status = 0;
        while (!std::filesystem::exists(folder / "x.running.h5")) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            REQUIRE(::waitpid(process, &status, WNOHANG) == 0);
        }
        ::kill(process, signal);
        REQUIRE(::waitpid(process, &status, 0) == process);
        REQUIRE(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 1);
        const std::string said = read_file(folder / "said");  // after a warning of the joints
        CHECK_MESSAGE(
            said.ends_with("\nbeadwave: interrupted in the step that begins at t = 0 s of 1 s\n"),
            said);
        CHECK(said.find("moves only because") == std::string::npos);  // a structure
        CHECK(said.size() < 800);  // the warning names a few of the 2000
    }
}

TEST_CASE("a run that ends within a long solve loses only its step") {
    const Folder folder;
    write_file(folder / "loops.toml", swing(100));
    REQUIRE(shell(folder, "beadwave run loops.toml --quiet -o whole.h5").status == 0);
    const Said said = run_until(folder, "run loops.toml --quiet -o x.h5", "7", SIGTERM);
    CHECK(said.status == 1);
    CHECK_MESSAGE(said.err.find("\nbeadwave: interrupted in the step that begins at t = ") !=
                      std::string::npos,  // after a warning of the joints
                  said.err);
    CHECK_MESSAGE(
        said.err.find("; continue with: beadwave resume x.h5.checkpoint.h5\n") != std::string::npos,
        said.err);
    REQUIRE(shell(folder, "beadwave resume x.h5.checkpoint.h5 --quiet").status == 0);
    check_same_histories(folder, "whole.h5", "x.h5");
}

}  // namespace beadwave::validation::signals_test
