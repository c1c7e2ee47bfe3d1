// Reads the text of a packing's scenario, builds the packing and chooses the time step.
#include "packing_system/packing_simulation.hpp"
#include "subjects/packing/packing_reader.hpp"
#include "target.hpp"

#include <stdexcept>
#include <string>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace beadwave;
    fuzz::attempt([&] {
        std::string text(reinterpret_cast<const char*>(data), size);
        const packing::Scenario scenario =
            io::read_packing_text(std::move(text), "packing.toml").scenario;
        // Larger packings take time without testing more.
        if (scenario.particle_count() > 64) return;
        const packing::Packing packing = packing::build_packing(scenario);
        try {
            running::choose_time_step(scenario, packing);
        } catch (const std::runtime_error&) {
            return;  // wrong input, or a collision that never ends: such a run fails
        }
    });
    return 0;
}
