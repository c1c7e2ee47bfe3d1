// What runs take of the machine's memory and threads, and what is said of it before.

#include "program.hpp"

using namespace beadwave::validation;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
constexpr bool own_memory = true;  // sanitizers take what no limit allows
#else
constexpr bool own_memory = false;
#endif

}  // namespace

TEST_CASE(
    "chains take the memory that their guard counts, and threads that do not fit are left out" *
    doctest::skip(own_memory)) {
    const Folder folder;
    const Said said =
        shell(folder, BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR
                                      "/validation/cli/check_memory.py' '" BEADWAVE_PROGRAM
                                      "' '" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'");
    CHECK_MESSAGE(said.status == 0, said.out, said.err);
}
