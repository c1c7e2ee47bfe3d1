// No data are lost when a history file cannot be created or written.
#include "beadwave/input_error.hpp"
#include "history_fixture.hpp"
#include "sanitised.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace beadwave::validation::history_file_failure_test {

using namespace history_fixture;
using beadwave::InputError;

namespace {

void create(const std::filesystem::path& path) {
    HistoryFile(path, chain_of(3), {}, false, a_run).close();
}

/// The message of the InputError after "<path>: ".
std::string refusal(const std::filesystem::path& path) {
    try {
        create(path);
    } catch (const InputError& error) {
        const std::string message = error.what(), prefix = path.string() + ": ";
        return message.starts_with(prefix) ? message.substr(prefix.size()) : "? " + message;
    }
    return "no error";
}

void write_text_file(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path) << text;
}

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// While an object exists, files cannot grow beyond `bytes`: like a full disk.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        rlimit limit = before_;
        limit.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  private:
    void (*handler_)(int);
    rlimit before_{};
};

/// Acts as a user without rights in folders of root, if the tests run as root.
class PlainUser {
  public:
    PlainUser() {
        if (was_root_) REQUIRE(::seteuid(65534) == 0);
    }
    ~PlainUser() {
        if (was_root_) CHECK(::seteuid(0) == 0);
    }
    PlainUser(const PlainUser&) = delete;
    PlainUser& operator=(const PlainUser&) = delete;

  private:
    bool was_root_ = ::geteuid() == 0;
};

}  // namespace

TEST_CASE("a missing folder is refused") {
    const TemporaryFolder folder;
    const std::filesystem::path missing = folder / "out";
    CHECK(refusal(missing / "x.h5") == "the folder " + missing.string() + " does not exist");
}

TEST_CASE("a file in place of the folder is refused") {
    const TemporaryFolder folder;
    write_text_file(folder / "out", "");
    CHECK(refusal(folder / "out/x.h5") == (folder / "out").string() + " is not a folder");
}

TEST_CASE("a folder in place of the file is refused") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "x.h5");
    CHECK(refusal(folder / "x.h5") == "is a folder, not a file");
    CHECK(refusal(folder / "x.h5/") == "is a folder, not a file");
}

TEST_CASE("a device is refused") {
    CHECK(refusal("/dev/null") == "is not a regular file");
}

TEST_CASE("a file that is not HDF5 is refused and kept") {
    const TemporaryFolder folder;
    write_text_file(folder / "x.toml", "title = \"mine\"");
    CHECK(refusal(folder / "x.toml") ==
          "exists and is not a history that beadwave wrote; refusing to overwrite it "
          "without --overwrite");
    CHECK(contents(folder / "x.toml") == "title = \"mine\"");
    CHECK(folder.file_count() == 1);
}

TEST_CASE("a folder that is not writable is refused") {
    const TemporaryFolder folder;
    const std::filesystem::path out = folder / "out";
    std::filesystem::create_directory(out);
    std::filesystem::permissions(folder / "", std::filesystem::perms(0555));
    std::filesystem::permissions(out, std::filesystem::perms(0555));
    {
        const PlainUser user;
        CHECK(refusal(out / "x.h5") ==
              "the folder " + out.string() + " is not writable (Permission denied)");
    }
    std::filesystem::permissions(folder / "", std::filesystem::perms(0755));
    std::filesystem::permissions(out, std::filesystem::perms(0755));
}

TEST_CASE("a write-protected result is refused and kept") {
    const TemporaryFolder folder;
    create(folder / "x.h5");
    const std::string before = contents(folder / "x.h5");
    std::filesystem::permissions(folder / "", std::filesystem::perms(0777));
    std::filesystem::permissions(folder / "x.h5", std::filesystem::perms(0444));
    {
        const PlainUser user;
        CHECK(refusal(folder / "x.h5") == "exists and is not writable (Permission denied)");
    }
    CHECK(contents(folder / "x.h5") == before);
}

TEST_CASE("an earlier result is replaced, also through a symbolic link") {
    const TemporaryFolder folder;
    HistoryFile(folder / "x.h5", chain_of(3), {}, false, a_run).close();
    std::filesystem::create_symlink(folder / "x.h5", folder / "latest.h5");
    HistoryFile(folder / "latest.h5", chain_of(5), {}, false, a_run).close();
    CHECK(std::filesystem::is_symlink(folder / "latest.h5"));
    CHECK(shape(open(folder / "x.h5"), "/particles/beads/id") == Shape{5});
    CHECK(folder.file_count() == 2);
}

TEST_CASE("a history cannot be written twice at the same time, and the first is not disturbed") {
    const TemporaryFolder folder;
    HistoryFile first(folder / "x.h5", chain_of(3), {}, false, a_run);
    std::string message;
    try {
        create(folder / "x.h5");
    } catch (const std::runtime_error& error) {
        message = error.what();
    }
    CHECK(message == (folder / "x.h5").string() + ": another run is writing it, now as " +
                         (folder / "x.running.h5").string() + "; choose another name with -o");
    first.close();
    CHECK(shape(open(folder / "x.h5"), "/particles/beads/id") == Shape{3});
    CHECK(folder.file_count() == 1);
    create(folder / "x.h5");
}

TEST_CASE("an earlier result is unchanged until the new one is closed") {
    const TemporaryFolder folder;
    create(folder / "x.h5");
    const std::string before = contents(folder / "x.h5");
    HistoryFile history(folder / "x.h5", chain_of(5), {}, false, a_run);
    history.append_energy(0, 0.0, a_ledger(1.0, 2.0, 3.0));
    CHECK(contents(folder / "x.h5") == before);
    history.close();
    CHECK(shape(open(folder / "x.h5"), "/particles/beads/id") == Shape{5});
    CHECK(folder.file_count() == 1);
}

TEST_CASE(
    "the file of a killed process is replaced, even if it is not an HDF5 file yet, other files are "
    "not") {
    const TemporaryFolder folder;
    {
        HistoryFile history(folder / "x.h5", chain_of(5), {}, false, a_run);
        std::filesystem::copy_file(folder / "x.running.h5", folder / "y.running.h5");
    }
    create(folder / "y.h5");
    CHECK(shape(open(folder / "y.h5"), "/particles/beads/id") == Shape{3});
    write_text_file(folder / "z.running.h5", "");
    create(folder / "z.h5");
    CHECK(folder.file_count() == 3);
    write_text_file(folder / "mine.running.h5", "mine");
    CHECK_THROWS_AS(create(folder / "mine.h5"), InputError);
    CHECK(contents(folder / "mine.running.h5") == "mine");
    CHECK(folder.file_count() == 4);
}

TEST_CASE("a name reserved for growing histories is refused") {
    const TemporaryFolder folder;
    CHECK(refusal(folder / "x.running.h5") ==
          "names that end in .running.h5 are reserved for histories that are being written");
}

TEST_CASE("an earlier result is kept if the new one cannot be created") {
    const TemporaryFolder folder;
    create(folder / "x.h5");
    const std::string before = contents(folder / "x.h5");
    {
        const FileSizeLimit limit(2000);
        CHECK_THROWS_AS(create(folder / "x.h5"), std::runtime_error);
    }
    CHECK(contents(folder / "x.h5") == before);
    CHECK(folder.file_count() == 1);
}

TEST_CASE("a full disk is reported, and the file is as last flushed") {
    const TemporaryFolder folder;
    create(folder / "empty.h5");
    const std::uintmax_t empty = std::filesystem::file_size(folder / "empty.h5");
    // Many limits: the disk is full in every kind of write.
    for (std::uintmax_t space = 8 * 1024; space < 400 * 1024; space += 7777) {
        CAPTURE(space);
        const std::filesystem::path path = folder / (std::to_string(space) + ".h5");
        const std::vector<std::int64_t> sensors = {0, 1, 2};
        const std::vector<double> sample = {1.0, 2.0, 3.0}, contacts = {0.0, 1.0, 2.0, 0.0};
        std::string message;
        {
            HistoryFile history(path, chain_of(3), sensors, true, a_run);
            const FileSizeLimit limit(empty + space);
            try {
                for (std::int64_t step = 0; step < 20000; ++step) {
                    history.append_sensors(step, 1e-7, sample, sample);
                    history.append_snapshot(step, 1e-7, sample, sample, contacts);
                    history.append_energy(step, 1e-7, a_ledger(1.0, 2.0, 3.0));
                }
            } catch (const std::runtime_error& error) {
                message = error.what();
            }
            CHECK_THROWS_AS(history.append_energy(0, 0.0, a_ledger(1.0, 2.0, 3.0)),
                            std::runtime_error);
        }
        CHECK(message.starts_with(path.string() + ": "));
        CHECK(message.ends_with(": File too large"));

        // In this process HDF5 still has the discarded file in memory; a copy shows the disk.
        std::filesystem::copy_file(path, folder / "copy.h5",
                                   std::filesystem::copy_options::overwrite_existing);
        CHECK(read<int>(open(folder / "copy.h5"), "/parameters/threads") == std::vector{4});
        CHECK(shape(open(folder / "copy.h5"), "/observables/sensor_force/value") == Shape{0, 3});
    }
}

TEST_CASE("with a full disk an earlier result is unchanged, and the new one is next to it") {
    const TemporaryFolder folder;
    create(folder / "x.h5");
    const std::string before = contents(folder / "x.h5");
    std::string message;
    {
        HistoryFile history(folder / "x.h5", chain_of(5), {}, false, a_run);
        const FileSizeLimit limit(std::filesystem::file_size(folder / "x.running.h5") + 10000);
        try {
            for (std::int64_t step = 0; step < 20000; ++step)
                history.append_energy(step, 1e-7, a_ledger(1.0, 2.0, 3.0));
        } catch (const std::runtime_error& error) {
            message = error.what();
        }
    }
    CHECK(message.ends_with(": File too large; " + (folder / "x.running.h5").string() +
                            " holds the history up to there"));
    CHECK(contents(folder / "x.h5") == before);
    std::filesystem::copy_file(folder / "x.running.h5", folder / "copy.h5");
    CHECK(shape(open(folder / "copy.h5"), "/particles/beads/id") == Shape{5});
}

TEST_CASE("close() reports a disk that is full at the last moment") {
    const TemporaryFolder folder;
    HistoryFile history(folder / "x.h5", chain_of(3), {}, false, a_run);
    history.append_energy(0, 0.0, a_ledger(1.0, 2.0, 3.0));
    const FileSizeLimit limit(std::filesystem::file_size(folder / "x.running.h5"));
    CHECK_THROWS_AS(history.close(), std::runtime_error);
}

TEST_CASE("a closed file accepts no samples") {
    const TemporaryFolder folder;
    HistoryFile history(folder / "x.h5", chain_of(3), {}, false, a_run);
    history.close();
    history.close();
    CHECK_THROWS_AS(history.append_energy(0, 0.0, a_ledger(1.0, 2.0, 3.0)), std::logic_error);
}

TEST_CASE("a run can replace the file of a process that was killed at any moment of its start") {
    const TemporaryFolder folder;
    const auto path = folder / "out.h5";
    const auto large = chain_of(20'000);  // columns are written before HDF5 writes any metadata
    for (int i = 0; i < 300; i += sanitised ? 5 : 1) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            try {
                const HistoryFile history(path, large, {}, true, a_run);
                ::pause();
            } catch (...) {
            }
            ::_exit(0);
        }
        ::usleep(static_cast<useconds_t>(20 * i));
        ::kill(child, SIGKILL);
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(WIFSIGNALED(status));  // each one was able to start
        CAPTURE(i);
        CHECK_NOTHROW(create(path));
    }
}

}  // namespace beadwave::validation::history_file_failure_test
