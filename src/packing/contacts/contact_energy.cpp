#include "packing/contacts/contact_energy.hpp"

#include <cmath>
#include <variant>

namespace beadwave::packing {

ContactEnergy contact_energy(const PairLaw& law, double overlap, const MemoryOfLaws& memory,
                             const Vec3& branch) {
    ContactEnergy energy{
        .normal = law.normal.stored_energy(overlap, memory.normal),
        .sliding = std::visit(
            [&](const auto& slider) { return slider.stored_energy(overlap, memory.sliding); },
            law.slider),
        .rolling = law.rolling.stored_energy(overlap, memory.rolling)};
    if (energy.rolling == 0.0) return energy;
    const Vec3 normal = branch * (1.0 / std::sqrt(dot(branch, branch)));
    energy.twisting = law.rolling.stored_energy(overlap, twisting_part(memory.rolling, normal));
    energy.rolling -= energy.twisting;
    return energy;
}

}  // namespace beadwave::packing
