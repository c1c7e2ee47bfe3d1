// A history file while it grows, and what is left of it when its run ends early.
#include "history_fixture.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/history_follower.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <vector>

namespace beadwave::validation::growing_history_test {

using namespace history_fixture;
using beadwave::io::HistoryFollower;

namespace {

const std::vector<std::int64_t> two_sensors = {2, 0};

}  // namespace

TEST_CASE("a file destroyed without close() holds every sample") {
    const TemporaryFolder folder;
    {
        HistoryFile history(folder / "x.h5", chain_of(3), two_sensors, false, a_run);
        history.append_sensors(0, 0.0, std::vector{1.0, 2.0}, std::vector{3.0, 4.0});
    }
    CHECK(shape(open(folder / "x.h5"), "/observables/sensor_force/value") == Shape{1, 2});
}

TEST_CASE("threads can create their own histories at the same time") {
    const TemporaryFolder folder;
    constexpr int threads = 4, times = 50;
    std::atomic<int> failed{0};
    std::vector<std::jthread> at_work;
    for (int thread = 0; thread < threads; ++thread) {
        at_work.emplace_back([&folder, &failed, thread] {
            for (int i = 0; i < times; ++i) {
                try {
                    HistoryFile(folder / fmt::format("{}.h5", thread), chain_of(3), two_sensors,
                                true, a_run)
                        .close();
                } catch (const std::exception&) {
                    ++failed;
                }
            }
        });
    }
    at_work.clear();  // waits until each has ended
    CHECK(failed == 0);
    CHECK(folder.file_count() == threads);
}

TEST_CASE("a growing file is flushed every half second") {
    const TemporaryFolder folder;
    HistoryFile history(folder / "x.h5", chain_of(3), {}, false, a_run);
    // The test sets the time, so that the flushes are the same on a slow machine.
    const auto start = std::chrono::steady_clock::now();
    const auto half_a_second = std::chrono::milliseconds(510);
    // A copy is like the file of a killed process. From the file itself, HDF5 would share the
    // memory of the open file.
    const auto kinetic_in = [&](const std::string& name) {
        std::filesystem::copy_file(folder / "x.running.h5", folder / name);
        return read<double>(hdf5::open_while_growing(folder / name),
                            "/observables/kinetic_energy/value");
    };
    history.append_energy(0, 0.0, a_ledger(1.0, 2.0, 3.0));
    history.append_energy(1, 1e-7, a_ledger(4.0, 5.0, 6.0));
    history.flush_if_due(start + half_a_second);
    history.append_energy(2, 2e-7, a_ledger(7.0, 8.0, 9.0));
    history.flush_if_due(start + half_a_second);
    CHECK(kinetic_in("early.h5") == std::vector{1.0, 4.0});
    history.flush_if_due(start + 2 * half_a_second);
    CHECK(kinetic_in("late.h5") == std::vector{1.0, 4.0, 7.0});
}

TEST_CASE("the history of a killed run can be opened after its SWMR flag is cleared") {
    const TemporaryFolder folder;
    HistoryFile history(folder / "x.h5", chain_of(3), {}, false, a_run);
    std::filesystem::copy_file(folder / "x.running.h5", folder / "copy.h5");
    CHECK_THROWS_AS(open(folder / "copy.h5"), std::runtime_error);
    const int descriptor = ::open((folder / "copy.h5").c_str(), O_RDWR | O_CLOEXEC);
    hdf5::clear_swmr_flag(descriptor);
    ::close(descriptor);
    CHECK(shape(open(folder / "copy.h5"), "/particles/beads/id") == Shape{3});
}

TEST_CASE("progress of a growing, an orphaned and a closed history") {
    using State = HistoryFollower::State;
    const TemporaryFolder folder;
    beadwave::io::RunDescription run = a_run;
    run.steps = 40;
    HistoryFollower follower(folder / "x.h5");
    CHECK(follower.poll() == State::absent);
    {
        HistoryFile history(folder / "x.h5", chain_of(3), two_sensors, false, run);
        CHECK(follower.poll() == State::growing);
        history.append_sensors(10, 1e-7, std::vector{1.0, 5.0}, std::vector{0.0, 0.0});
        history.append_sensors(20, 2e-7, std::vector{4.0, 3.0}, std::vector{0.0, 0.0});
        history.append_energy(20, 2e-7, a_ledger(1.0, 2.0, 3.0));
        history.append_energy(40, 4e-7, a_ledger(4.0, 5.0, 6.0));
        std::filesystem::copy_file(folder / "x.running.h5", folder / "killed.running.h5");
    }
    CHECK(follower.poll() == State::closed);
    const auto progress = follower.progress();
    REQUIRE(progress);
    CHECK(progress->step == 40);
    CHECK(progress->steps == 40);
    CHECK(progress->time == 4e-7);
    REQUIRE(progress->peak);
    CHECK(progress->peak->force == 5.0);
    CHECK(progress->peak->bead == 0);
    CHECK(progress->peak->time == 1e-7);
    REQUIRE(progress->energy);
    CHECK(progress->energy->dissipated == 6.0);

    HistoryFollower killed(folder / "killed.h5");
    CHECK(killed.poll() == State::orphaned);
    CHECK_FALSE(killed.progress());
}

}  // namespace beadwave::validation::growing_history_test
