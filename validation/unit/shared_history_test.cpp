// What ranks write into the history themselves, items of streams and rows of a table, is what one
// process writes.

#include "history_fixture.hpp"
#include "io/durable/undo_log.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/shared_history_store.hpp"
#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace beadwave::validation::shared_history_test {
namespace {

using namespace history_fixture;

/// The rows of each sample on three ranks. A chunk has 1000 rows; a fill is asked for up to 65,536.
using Rows = std::vector<std::size_t>;
const std::vector<Rows> samples{{0, 0, 0},    {0, 3, 0},        {1, 0, 995}, {500, 501, 1000},
                                {0, 0, 2000}, {70'000, 1, 999}, {0, 0, 0},   {2500, 70'001, 3}};

/// What a process has at a sample: some of its rows.
struct Own {
    std::size_t sample = 0, first = 0, rows = 0;
    bool fails = false;
};

recording::Description description(const Own& own, ranks::Communicator* ranks) {
    const auto column = [&own](const std::string& name, std::size_t width, bool whole) {
        const auto fill = [&own, width](std::size_t first, std::span<double> out) {
            if (own.fails && first > 0) throw std::runtime_error("a fill fails");
            for (std::size_t i = 0; i < out.size(); ++i) {
                out[i] = 1e7 * static_cast<double>(own.sample) +
                         static_cast<double>((own.first + first) * width + i);
            }
        };
        return recording::Column{name, "", width, whole, fill};
    };
    const bool shared = ranks != nullptr;
    // Several samples are in a chunk, or several chunks are in a sample.
    const auto stream = [&](const std::string& path, std::size_t items) {
        const auto fill = [&own](std::size_t first, std::span<double> out) {
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = 1e7 * static_cast<double>(own.sample) + static_cast<double>(3 * first + i);
        };
        const auto rank = static_cast<std::size_t>(shared ? ranks->rank() : 0),
                   count = static_cast<std::size_t>(shared ? ranks->count() : 1),
                   begin = items * rank / count, end = items * (rank + 1) / count;
        return recording::Stream{.pace = recording::Pace::snapshots,
                                 .times = "",
                                 .channels = {{path, "m", {items, 3}, fill}},
                                 .shared = shared,
                                 .own = std::vector<recording::OwnItems>{{begin, end - begin}}};
    };
    return {.system = "packing",
            .bodies = "particles/all",
            .streams = {stream("particles/all/few", 7), stream("particles/all/many", 100'000)},
            .tables = {{.path = "observables/contacts",
                        .name = "contacts",
                        .pace = recording::Pace::snapshots,
                        .chunk = 1000,
                        .columns = {column("pair", 2, true), column("overlap", 1, false),
                                    column("number", 1, true), column("force", 3, false)},
                        .rows = [&own] { return own.rows; },
                        .shared = shared}},
            .ranks = ranks};
}

void append(recording::Store& store, std::size_t s) {
    store.sample(recording::Pace::snapshots, static_cast<std::int64_t>(10 * s),
                 1e-6 * static_cast<double>(s));
}

/// The rows of this rank, if the last one has those of all that do not exist.
Own own_of(std::size_t s, const ranks::Communicator& ranks) {
    const auto begin = samples[s].begin(), first = begin + ranks.rank();
    const auto end = ranks.rank() + 1 == ranks.count() ? samples[s].end() : first + 1;
    return {s, std::accumulate(begin, first, std::size_t{0}),
            std::accumulate(first, end, std::size_t{0})};
}

/// The history of one process; its first samples.
void write_alone(const std::filesystem::path& path, std::size_t end) {
    Own own;
    io::HistoryStore store(path, description(own, nullptr), a_run);
    for (std::size_t s = 0; s < end; ++s) {
        own = {s, 0, std::accumulate(samples[s].begin(), samples[s].end(), std::size_t{0})};
        append(store, s);
    }
    store.close();
}

void check_same(const std::filesystem::path& one, const std::filesystem::path& other,
                bool streams = true) {
    const hdf5::File found = open(one), expected = open(other);
    const std::string contacts = "/observables/contacts/", bodies = "/particles/all/";
    for (const std::string& path :
         {contacts + "step", contacts + "time", contacts + "row_splits", contacts + "pair",
          contacts + "overlap", contacts + "number", contacts + "force", bodies + "few/value",
          bodies + "many/value"}) {
        CAPTURE(path);
        if (!streams && path.starts_with(bodies)) continue;
        CHECK(shape(found, path) == shape(expected, path));
        CHECK((history_fixture::read<double>(found, path) ==
               history_fixture::read<double>(expected, path)));
    }
}

}  // namespace

TEST_CASE("ranks write their own items and rows, and another number of ranks continues") {
    const TemporaryFolder folder;
    const std::filesystem::path checkpoint = folder / "checkpoint";
    write_alone(folder / "alone.h5", samples.size());
    constexpr std::size_t captured = 4, killed = 6;
    io::CheckpointRecord record;
    ThreadRanks::run(3, [&](ranks::Communicator& ranks) {
        Own own;
        io::SharedHistoryStore store(folder / "x.h5", description(own, &ranks), a_run);
        for (std::size_t s = 0; s < samples.size(); ++s) {
            if (s == captured) {
                store.sync();
                if (ranks.first()) {
                    record = store.file()->capture();
                    const std::ofstream created(checkpoint);
                    store.file()->log_to(checkpoint, record);
                }
            }
            if (s == killed && ranks.first()) {
                store.file()->flush_if_due(std::chrono::steady_clock::time_point::max());
                std::filesystem::copy_file(folder / "x.running.h5", folder / "y.running.h5");
                std::filesystem::copy_file(checkpoint, folder / "copy");
            }
            own = own_of(s, ranks);
            append(store, s);
        }
        if (ranks.first()) store.file()->close();
    });
    check_same(folder / "x.h5", folder / "alone.h5");

    std::ifstream file(folder / "copy");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    io::AddedPages added = io::added_pages(text, record.token);
    CHECK(shape(hdf5::open_while_growing(folder / "y.running.h5"), "/observables/contacts/step") ==
          Shape{killed});
    const auto count = static_cast<std::int64_t>(added.pages.size());
    record.pages.merge(added.pages);
    const io::ResumePoint earlier{folder / "copy", folder / "y.h5", record, count, added.bytes};
    ThreadRanks::run(2, [&](ranks::Communicator& ranks) {
        Own own;
        io::SharedHistoryStore store(folder / "y.h5", description(own, &ranks), earlier);
        for (std::size_t s = captured; s < samples.size(); ++s) {
            own = own_of(s, ranks);
            append(store, s);
        }
        if (ranks.first()) store.file()->close();
    });
    check_same(folder / "y.h5", folder / "alone.h5");
}

TEST_CASE("if a rank cannot write its rows all throw, and the table keeps those before") {
    const TemporaryFolder folder;
    constexpr std::size_t end = 7;
    write_alone(folder / "alone.h5", end);
    std::atomic<int> failed = 0;
    ThreadRanks::run(3, [&](ranks::Communicator& ranks) {
        Own own;
        io::SharedHistoryStore store(folder / "x.h5", description(own, &ranks), a_run);
        for (std::size_t s = 0; s < end; ++s) {
            own = own_of(s, ranks);
            append(store, s);
        }
        own = own_of(end, ranks);
        own.fails = true;  // after 65,536 rows, which only the second rank has
        try {
            append(store, end);
        } catch (const std::runtime_error& error) {
            failed += std::string(error.what()) == "a fill fails";
        }
        if (ranks.first()) store.file()->close();
    });
    CHECK(failed == 3);
    check_same(folder / "x.h5", folder / "alone.h5", false);  // the streams came before the table
}

}  // namespace beadwave::validation::shared_history_test
