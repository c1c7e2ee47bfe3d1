// What is checked before a result is written to a path.

#include "io/files/output_path.hpp"

#include "beadwave/input_error.hpp"
#include "program.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace beadwave::validation::output_path_test {

using beadwave::validation::Folder;
namespace io = beadwave::io;

namespace {

int times_asked = 0;  // a ResultKind holds a function, not an object

/// A file that is one, but whose first read fails.
bool fails_once(const std::filesystem::path&) {
    return ++times_asked > 1;
}

bool never(const std::filesystem::path&) {
    ++times_asked;
    return false;
}

}  // namespace

TEST_CASE("a read that fails for a moment does not make an earlier result a stranger's file") {
    const Folder folder;
    const std::filesystem::path file = folder / "run.h5";
    std::ofstream(file) << "any";
    times_asked = 0;
    CHECK_NOTHROW(io::check_output(file, {.name = "a history", .is_one = fails_once}));
    CHECK(times_asked == 2);
    CHECK_THROWS_WITH_AS(
        io::check_output(file, {.name = "a history", .is_one = never}),
        (file.string() + ": exists and is not a history; refusing to overwrite it without "
                         "--overwrite")
            .c_str(),
        beadwave::InputError);
}

TEST_CASE("a file that cannot be read is no file of another kind") {
    const std::filesystem::path unreadable = "/proc/self/mem";  // nothing is mapped at address 0
    CHECK_THROWS_WITH_AS(io::check_output(unreadable, {.name = "a history", .is_one = never}),
                         "/proc/self/mem: Input/output error", std::runtime_error);
}

}  // namespace beadwave::validation::output_path_test
