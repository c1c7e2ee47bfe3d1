// Measured traces as CSV text; the first byte says of how many sensors.
#include "io/tables/measured_traces.hpp"
#include "memory_file.hpp"
#include "target.hpp"

#include <string>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace beadwave;
    if (size == 0) return 0;
    static const fuzz::MemoryFile file;
    file.hold({data + 1, size - 1});
    fuzz::attempt([&] { io::read_measured_traces(file.path(), 1 + data[0] % 4); });
    return 0;
}
