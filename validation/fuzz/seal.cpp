// Any bytes as a checkpoint: all of it up to the checksum, which no input but a checkpoint passes.
#include "io/checkpoint/checkpoint_file.hpp"
#include "io/checkpoint/checkpoint_seal.hpp"
#include "memory_file.hpp"
#include "target.hpp"

#include <string>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace beadwave;
    static const fuzz::MemoryFile file;
    file.hold({data, size});
    fuzz::attempt([] { io::CheckpointFile checkpoint(file.path()); });
    io::begins_as_checkpoint(file.path());
    return 0;
}
