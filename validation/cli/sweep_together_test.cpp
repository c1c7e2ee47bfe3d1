// Runs of a sweep that step together, compared to the bit with the same runs alone.

#include "beadwave/running/run_error.hpp"
#include "dynamics/chain_lanes.hpp"
#include "jobs/read_job.hpp"
#include "program.hpp"
#include "same_bits.hpp"
#include "tasks/sweep.hpp"
#include "tasks/sweep_runs.hpp"
#include "thread_ranks.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::validation::sweep_together_test {

namespace {

/// Twenty steel beads, the first of which strikes the others. Keys of [time] and [law].
std::string short_chain(const std::string& time, const std::string& law) {
    return "[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\n"
           "yield_stress = 900e6\n"
           "[[segment]]\nbeads = 1\nradius = 2.38e-3\nmass = 0.45e-3\nmaterial = \"steel\"\n"
           "velocity = 1.77\n"
           "[[segment]]\nbeads = 19\nradius = 2.38e-3\nmass = 0.45e-3\nmaterial = \"steel\"\n"
           "[sensors]\nbeads = [15, 3, 8]\n"
           "[time]\nend = 1e-4\n" +
           time + "[law]\n" + law;
}

/// Makes the sweep, and each of its runs by itself. The number of runs that are done.
std::size_t check_rows(const std::string& scenario, const std::vector<std::string>& vary,
                       int threads = 1) {
    const Folder folder;
    const std::string path = (folder / "chain.toml").string();
    write_file(path, scenario);
    tasks::SweepProgressCallback callback;
    const tasks::Sweep sweep =
        tasks::sweep({.scenario = path, .vary = vary, .threads = threads}, callback);
    const io::SweepTable& table = sweep.table;
    const jobs::JobFile file(path, {});
    const std::size_t width = table.columns().width();
    std::size_t done = 0;
    for (std::size_t run = 0; run < table.plan().runs(); ++run) {
        CAPTURE(run);
        jobs::ProgressCallback quiet;
        try {
            const auto job = file.variant(table.plan().settings(run));
            const jobs::JobResult alone = job->run({.threads = 1}, quiet);
            REQUIRE(table.status(run) == io::SweepTable::Status::done);
            REQUIRE(alone.numbers.size() == width);
            CHECK(same_bits(table.numbers().subspan(run * width, width), alone.numbers));
            std::string warnings;
            for (const std::string& warning : alone.warnings)
                warnings += (warnings.empty() ? "" : "; ") + warning;
            CHECK(table.warnings(run) == warnings);
            ++done;
        } catch (const running::RunError& error) {
            CHECK(table.status(run) == io::SweepTable::Status::failed);
            CHECK(table.error(run) == error.what());
        }
    }
    return done;
}

const std::string given_step = "step = 2e-8\n";
const std::string ma_liu = "name = \"ma-liu\"\npsi = 2.84\nxi = 13\n";

std::vector<tasks::CheckedRun> checked_runs(const std::vector<std::string>& keys) {
    std::vector<tasks::CheckedRun> checked;
    for (const std::string& key : keys)
        checked.push_back(
            {.step = {}, .together_key = key, .most_together = dynamics::chains_at_once()});
    return checked;
}

}  // namespace

TEST_CASE("the rows of a sweep whose runs step together equal single runs to the bit") {
    SUBCASE("parameters of the law, and the speed of the striker") {
        CHECK(check_rows(short_chain(given_step, ma_liu),
                         {"law.psi=2.6:3.0:5", "segment.0.velocity=0.1,1.77,9"}) == 15);
    }
    SUBCASE("on two threads") {
        CHECK(check_rows(short_chain(given_step, ma_liu), {"law.psi=2.6:3.0:21"}, 2) == 21);
    }
    SUBCASE("with a law that dissipates by speed") {
        CHECK(check_rows(short_chain(given_step, "name = \"flores\"\nrestitution = 0.7\n"),
                         {"law.restitution=0.5:0.9:9"}) == 9);
    }
    SUBCASE("chosen steps: each run has its own number") {
        CHECK(check_rows(short_chain("", ma_liu), {"segment.0.velocity=0.5:2:7"}) == 7);
    }
    SUBCASE("chosen steps that are equal") {
        CHECK(check_rows(short_chain("", ma_liu), {"segment.1.gap=0,1e-9,1e-8,1e-7,1e-6"}) == 5);
    }
    SUBCASE("different lengths, laws and steps") {
        CHECK(check_rows(short_chain(given_step, ma_liu),
                         {"segment.1.beads=18,19", "time.step=2e-8,1e-8", "law.name=hertz,ma-liu",
                          "segment.0.velocity=1:2:4"}) == 32);
    }
    SUBCASE("chains that cannot step together") {
        CHECK(check_rows(short_chain(given_step + "sleep_speed = 1e-9\n", ma_liu),
                         {"law.psi=2.6:3.0:4"}) == 4);
    }
}

TEST_CASE("a run that fails among runs that step together does not change the others") {
    CHECK(check_rows(short_chain(given_step, ma_liu), {"segment.0.velocity=1,1e200,2,1e201,3"}) ==
          3);
}

TEST_CASE("the rows of a sweep on several ranks are those on one") {
    const Folder folder;
    const std::string path = (folder / "chain.toml").string();
    write_file(path, short_chain(given_step, ma_liu));
    const tasks::SweepRequest request{.scenario = path,
                                      .vary = {"law.psi=2.6:3.0:21", "segment.0.velocity=1,1e200"},
                                      .threads = 1};
    tasks::SweepProgressCallback callback;
    const io::SweepTable alone = tasks::sweep(request, callback).table;
    for (const int count : {2, 3}) {
        CAPTURE(count);
        std::optional<io::SweepTable> shared;
        ThreadRanks::run(count, [&](ranks::Communicator& ranks) {
            tasks::SweepProgressCallback quiet;
            if (ranks.first())
                shared = tasks::sweep(request, quiet, ranks).table;
            else
                tasks::serve_sweep(request, quiet, ranks);
        });
        REQUIRE(shared);
        for (std::size_t run = 0; run < alone.plan().runs(); ++run) {
            CAPTURE(run);
            REQUIRE(shared->status(run) == alone.status(run));
            CHECK(shared->warnings(run) == alone.warnings(run));
            if (alone.status(run) == io::SweepTable::Status::done) {
                const std::size_t width = alone.columns().width();
                CHECK(same_bits(shared->numbers().subspan(run * width, width),
                                alone.numbers().subspan(run * width, width)));
            } else {
                CHECK(shared->error(run) == alone.error(run));
            }
        }
    }
}

TEST_CASE("runs with equal keys form batches, as many as a vector has lanes, for every thread") {
    const std::size_t lanes = dynamics::chains_at_once();
    REQUIRE(lanes >= 4);
    std::vector<std::string> keys(2 * lanes + 3, "a");
    keys[1] = "";
    keys[2] = keys[3] = "b";
    std::vector<std::size_t> runs;
    for (std::size_t i = 0; i < keys.size(); ++i)
        runs.push_back(i);
    const auto batches = tasks::batches_of(runs, checked_runs(keys), 1);
    std::vector<std::size_t> all, sizes;
    for (const auto& batch : batches) {
        sizes.push_back(batch.size());
        for (const std::size_t run : batch) {
            CHECK(keys[run] == keys[batch.front()]);
            all.push_back(run);
        }
    }
    std::ranges::sort(all);
    CHECK(all == runs);
    std::ranges::sort(sizes);
    CHECK(sizes == std::vector<std::size_t>{1, 1, 1, lanes, lanes});
    const auto sizes_of = [&](std::size_t count, std::size_t of_each, int on_threads) {
        std::vector<std::string> some;
        for (std::size_t i = 0; i < count; ++i)
            some.push_back(std::to_string(i / of_each));
        runs.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            runs[i] = i;
        std::vector<std::size_t> found;
        for (const auto& batch : tasks::batches_of(runs, checked_runs(some), on_threads))
            found.push_back(batch.size());
        std::ranges::sort(found);
        return found;
    };
    // No remainder that another round would have to make.
    CHECK(sizes_of(2 * lanes - 1, 2 * lanes, 2) == std::vector{lanes - 1, lanes});
    CHECK(sizes_of(lanes + lanes / 2 + 1, 2 * lanes, 1) ==
          std::vector{(lanes + lanes / 2 + 1) / 2,
                      lanes + lanes / 2 + 1 - (lanes + lanes / 2 + 1) / 2});
    // Several keys have work for all threads, though each of them has not.
    CHECK(sizes_of(4 * lanes, lanes, 3) == std::vector{lanes, lanes, lanes, lanes});
    // A run per thread, rather than a thread for all of them.
    runs.resize(keys.size());
    for (const auto& batch : tasks::batches_of(runs, checked_runs(keys), 64))
        CHECK(batch.size() == 1);
}

}  // namespace beadwave::validation::sweep_together_test
