// A packing's text: read, and the packing and time step found from it.
#include "io/scenario/packing_reader.hpp"
#include "running/packing_simulation.hpp"
#include "target.hpp"

#include <stdexcept>
#include <string>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace beadwave;
    fuzz::attempt([&] {
        std::string text(reinterpret_cast<const char*>(data), size);
        const packing::Scenario scenario =
            io::read_packing_text(std::move(text), "packing.toml").scenario;
        // Larger ones add no new case, only time.
        if (scenario.particle_count() > 64) return;
        const packing::Packing packing = packing::build_packing(scenario);
        try {
            running::choose_time_step(scenario, packing);
        } catch (const std::runtime_error&) {
            return;  // wrong, or a collision that never ends: a run that fails
        }
    });
    return 0;
}
