// Memory and threads of runs, compared with the estimate of memory before a run.

#include "program.hpp"

using namespace beadwave::validation;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
constexpr bool own_memory = true;  // sanitizers need more memory than a limit allows
#else
constexpr bool own_memory = false;
#endif

}  // namespace

TEST_CASE("chains use the memory that is estimated, and threads that do not fit are not started" *
          doctest::skip(own_memory)) {
    const Folder folder;
    const Said said =
        shell(folder, BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR
                                      "/validation/cli/check_memory.py' '" BEADWAVE_PROGRAM
                                      "' '" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'");
    CHECK_MESSAGE(said.status == 0, said.out, said.err);
}
