// The journal of an unfinished sweep: any bytes, or any bytes after the first lines of the journal
// of this sweep (the first byte selects).
//
// The rows that are accepted must be the same when the journal is read again.
#include "io/tables/sweep_journal.hpp"
#include "io/tables/sweep_writers.hpp"
#include "real_files.hpp"
#include "target.hpp"

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace {

using namespace beadwave;

constexpr std::uint64_t scenario_sum = 7;

io::SweepTable empty_table() {
    return {io::SweepPlan({{"law.psi", {"2", "2.5", "3"}}, {"law.name", {"\"a,b\"", "'c\"d'"}}}),
            {.of_sensor = {{"peak_force", "N", "N"}},
             .sensors = {3, 9},
             .of_run = {{"steps", "", ""}}}};
}

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static const fuzz::Folder folder;
    static const std::filesystem::path table_name = folder / "t.h5", rows = folder / "t.h5.rows";
    static const std::string beginning = [] {
        io::SweepTable table = empty_table();
        io::SweepJournal journal(table_name, table, scenario_sum);
        return contents(rows);
    }();
    const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    std::ofstream(rows, std::ios::binary) << (data[0] % 4 == 0 ? "" : beginning) << bytes;
    fuzz::attempt([] {
        std::size_t found = 0, done = 0;
        {
            io::SweepTable table = empty_table();
            const io::SweepJournal journal(table_name, table, scenario_sum);
            found = journal.found();
            done = table.count(io::SweepTable::Status::done);
            if (done > found || done > table.plan().runs()) std::abort();
        }
        io::SweepTable table = empty_table();
        const io::SweepJournal journal(table_name, table, scenario_sum);
        if (journal.found() != found || table.count(io::SweepTable::Status::done) != done)
            std::abort();
    });
    return 0;
}
