// The seal of a checkpoint that several ranks have written.

#include "io/checkpoint/checkpoint_seal.hpp"
#include "program.hpp"
#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <atomic>

using namespace beadwave;
using namespace beadwave::validation;

TEST_CASE("a rank that cannot read all of a checkpoint back keeps all from sealing it") {
    const Folder folder;
    const std::string bytes(io::seal_bytes + 1000, '\0');
    write_file(folder / "whole", bytes);
    write_file(folder / "cut", bytes.substr(0, io::seal_bytes + 500));
    std::atomic<int> refused = 0;
    ThreadRanks::run(3, [&](ranks::Ranks& ranks) {
        // One block, which the last rank reads.
        const char* const file = ranks.rank() == 2 ? "cut" : "whole";
        try {
            io::seal(folder / file, &ranks);
        } catch (const std::runtime_error& error) {
            refused += std::string(error.what()) == "cannot be read back";
        }
    });
    CHECK(refused == 3);
    CHECK(read_file(folder / "whole") == bytes);

    ThreadRanks::run(3, [&](ranks::Ranks& ranks) { io::seal(folder / "whole", &ranks); });
    CHECK(io::check_seal(folder / "whole") == bytes.size());
}
