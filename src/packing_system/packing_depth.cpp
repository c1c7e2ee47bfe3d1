#include "packing_system/packing_depth.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace beadwave::running {
namespace {

using packing::DeepContact;
using packing::Packing;

/// Of the two the one with the smaller radius; at a wall, the particle.
std::size_t smaller_of(const Packing& packing, const DeepContact& contact) {
    const bool second = contact.second < packing.particles() &&
                        packing.radius[contact.second] < packing.radius[contact.first];
    return second ? contact.second : contact.first;
}

/// "particles 0 and 1" or "particle 0 and wall 1".
std::string names_of(const Packing& packing, const DeepContact& contact) {
    if (contact.second < packing.particles())
        return fmt::format("particles {} and {}", contact.first, contact.second);
    return fmt::format("particle {} and wall {}", contact.first,
                       contact.second - packing.particles());
}

std::string when(const DeepContact& contact, double time_step) {
    return fmt::format("at step {} (t = {:.6g} s)", contact.step,
                       static_cast<double>(contact.step) * time_step);
}

constexpr const char* remedy =
    "expected stiffer materials (youngs_modulus), lower speeds or smaller loads";

}  // namespace

std::string deep_contact(const Packing& packing, const DeepContact& contact, double time_step) {
    return fmt::format(
        "{} overlapped by {:.3g} m {}, {:.2f} times the radius of particle {}; contact laws hold "
        "for "
        "overlaps far below the radius, up to about {:g} of it; {}",
        names_of(packing, contact), contact.overlap, when(contact, time_step), contact.depth,
        smaller_of(packing, contact), packing::large_depth, remedy);
}

std::string too_deep(const Packing& packing, const DeepContact& contact, double time_step) {
    return fmt::format(
        "{} overlap by {:.3g} m {}, {:.2f} times the radius of particle {}, whose centre is then "
        "inside the other body, where no contact law holds; {}",
        names_of(packing, contact), contact.overlap, when(contact, time_step), contact.depth,
        smaller_of(packing, contact), remedy);
}

}  // namespace beadwave::running
