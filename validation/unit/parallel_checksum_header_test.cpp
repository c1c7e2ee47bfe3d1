// The checksum header of a checkpoint that several ranks have written.

#include "io/durable/checksum_header.hpp"
#include "program.hpp"
#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <atomic>

namespace beadwave::validation::parallel_checksum_header_test {

TEST_CASE("no header is written if one rank cannot read its part of the checkpoint back") {
    const Folder folder;
    const std::string bytes(io::checksum_header_bytes + 1000, '\0');
    write_file(folder / "whole", bytes);
    write_file(folder / "cut", bytes.substr(0, io::checksum_header_bytes + 500));
    std::atomic<int> refused = 0;
    ThreadRanks::run(3, [&](ranks::Communicator& ranks) {
        // One block, read by the last rank.
        const char* const file = ranks.rank() == 2 ? "cut" : "whole";
        try {
            io::write_checksum_header(folder / file, &ranks);
        } catch (const std::runtime_error& error) {
            refused += std::string(error.what()) == "cannot be read back";
        }
    });
    CHECK(refused == 3);
    CHECK(read_file(folder / "whole") == bytes);

    ThreadRanks::run(3, [&](ranks::Communicator& ranks) {
        io::write_checksum_header(folder / "whole", &ranks);
    });
    CHECK(io::check_checksum_header(folder / "whole") == bytes.size());
}

}  // namespace beadwave::validation::parallel_checksum_header_test
