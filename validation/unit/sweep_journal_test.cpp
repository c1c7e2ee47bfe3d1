// The journal of a sweep, when several sweeps want it.
#include "io/tables/sweep_journal.hpp"

#include "history_fixture.hpp"
#include "io/tables/sweep_table.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace beadwave::validation::sweep_journal_test {

TEST_CASE("sweeps of one name at the same time: one has the journal, the others are told so") {
    const history_fixture::TemporaryFolder folder;
    const std::filesystem::path name = folder / "t.h5";
    constexpr int sweeps = 300;
    std::atomic<int> owners = 0, done = 0, refused = 0;
    std::vector<std::string> errors(3);
    const auto repeat = [&](std::string& error) {
        for (int k = 0; k < sweeps && error.empty(); ++k) {
            io::SweepTable table(io::SweepPlan({{"law.psi", {"2", "3"}}}),
                                 {.of_sensor = {}, .sensors = {}, .of_run = {{"steps", "", ""}}});
            try {
                // As a sweep: it removes its journal, and then another one may have it.
                io::SweepJournal journal(name, table, 7);
                if (++owners != 1) error = "two sweeps write one journal";
                if (journal.found() != 0) error = "a finished sweep left rows";
                table.set_done(0, std::vector<double>{1.0}, {});
                journal.add(0);
                if (!journal.write_error().empty()) error = journal.write_error();
                --owners;
                journal.remove();
                ++done;
            } catch (const std::runtime_error& caught) {
                if (caught.what() !=
                    name.string() + ": another sweep is writing it; choose another name with -o")
                    error = caught.what();
                ++refused;
            }
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::string& error : errors)
            threads.emplace_back([&] { repeat(error); });
    }
    for (const std::string& error : errors)
        CHECK(error.empty());
    CHECK(done > 0);
    CHECK(done + refused == 3 * sweeps);
    CHECK_FALSE(std::filesystem::exists(folder / "t.h5.rows"));
}

}  // namespace beadwave::validation::sweep_journal_test
