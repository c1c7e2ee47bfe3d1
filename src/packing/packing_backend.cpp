#include "packing/packing_backend.hpp"

namespace beadwave::packing {

std::vector<OwnParticle> PackingBackend::own() const {
    std::vector<OwnParticle> all;
    const NumberRange numbers = own_numbers();
    for (std::size_t i = numbers.begin; i < numbers.end; ++i) {
        const Motion now = motion(i);
        all.push_back(
            {static_cast<std::uint32_t>(i), around_.packing.position[i] + now.displacement, now});
    }
    return all;
}

}  // namespace beadwave::packing
