// Particles in LAMMPS's dump and data files, in three and two dimensions.
#include "subjects/packing/lammps_particles.hpp"
#include "target.hpp"

#include <string>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace beadwave;
    const io::NamedFile file{.name = "particles",
                             .text = std::string(reinterpret_cast<const char*>(data), size)};
    fuzz::attempt([&] { io::read_lammps_data(file); });
    for (const int dimension : {2, 3})
        fuzz::attempt([&] { io::read_lammps_dump(file, dimension); });
    return 0;
}
