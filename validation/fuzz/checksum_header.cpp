// Any bytes as a checkpoint: the checks up to the checksum, which only a real checkpoint passes.
#include "io/durable/checksum_header.hpp"

#include "io/checkpoint/checkpoint_file.hpp"
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
