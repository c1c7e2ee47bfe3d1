#include "packing/packing_backend.hpp"

namespace beadwave::packing {

void PackingBackend::visit_velocities(
    const std::function<void(std::size_t number, const Vec3& velocity)>& visit) const {
    const NumberRange numbers = own_numbers();
    for (std::size_t i = numbers.begin; i < numbers.end; ++i)
        visit(i, motion(i).velocity);
}

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

std::vector<ContactSide> PackingBackend::own_sides() const {
    std::vector<ContactSide> sides;
    const NumberRange own = own_numbers();
    const auto add = [&](std::size_t particle, std::size_t other) {
        if (particle >= own.begin && particle < own.end)
            sides.push_back(
                {static_cast<std::uint32_t>(particle), static_cast<std::uint32_t>(other)});
    };
    for (const ContactState& c : contacts()) {
        add(c.first, c.second);
        if (c.second < around_.particles) add(c.second, c.first);
    }
    return sides;
}

}  // namespace beadwave::packing
