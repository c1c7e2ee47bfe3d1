// The CSV text of a driven end's motion, and the motion made from it.
#include "beadwave/stepping/drive.hpp"

#include "target.hpp"

#include <string>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace beadwave;
    fuzz::attempt([&] {
        const auto drive = stepping::Drive::table(
            std::string(reinterpret_cast<const char*>(data), size), "piston.csv");
        for (const double time : {0.0, 1e-6, 0.5, 1e300}) {
            drive.displacement(time);
            drive.velocity(time);
        }
    });
    return 0;
}
