// A CSV file of particles, in three and two dimensions.
#include "subjects/packing/particle_file.hpp"
#include "target.hpp"

#include <string>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace beadwave;
    const std::string text(reinterpret_cast<const char*>(data), size);
    for (const int dimension : {2, 3})
        fuzz::attempt(
            [&] { io::read_particles({.name = "particles.csv", .text = text}, dimension); });
    return 0;
}
