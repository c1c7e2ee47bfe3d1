// The text of a scenario, and the chain and time step found from it.
#include "scenario_use.hpp"
#include "subjects/chain/chain_reader.hpp"
#include "target.hpp"

#include <string>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace beadwave;
    fuzz::attempt([&] {
        std::string text(reinterpret_cast<const char*>(data), size);
        fuzz::use_scenario(io::read_scenario_text(std::move(text), "chain.toml").scenario);
    });
    return 0;
}
