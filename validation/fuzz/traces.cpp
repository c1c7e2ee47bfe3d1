// Measured traces as CSV text; the first byte gives the number of sensors. Also for beads that a
// header may name.
#include "io/tables/measured_traces.hpp"
#include "memory_file.hpp"
#include "target.hpp"

#include <array>
#include <cstdint>
#include <span>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace beadwave;
    if (size == 0) return 0;
    static const fuzz::MemoryFile file;
    file.hold({data + 1, size - 1});
    const std::size_t sensors = 1 + data[0] % 4;
    fuzz::attempt([&] { io::read_measured_traces(file.path(), sensors); });
    constexpr std::array<std::int64_t, 4> beads{9, 16, 24, -1};
    fuzz::attempt([&] { io::read_measured_traces(file.path(), std::span(beads).first(sensors)); });
    return 0;
}
