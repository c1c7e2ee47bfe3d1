#include "packing_system/packing_depth.hpp"

#include "packing/build/particle_shapes.hpp"
#include "packing/shaped/flat_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace beadwave::running {
namespace {

using packing::DeepContact;
using packing::Packing;

/// The size of a particle that the depth of a contact is relative to [m].
double size_of(const Packing& packing, std::size_t particle) {
    return packing::smallest_size(packing, particle);
}

/// Names the size of the smaller of the two bodies; at a wall, of the particle.
std::string size_name(const Packing& packing, const DeepContact& contact) {
    const bool second = contact.second < packing.particles() &&
                        size_of(packing, contact.second) < size_of(packing, contact.first);
    return fmt::format("the {} of particle {}",
                       !packing.has_shapes()    ? "radius"
                       : packing.clumps.empty() ? "smallest semi-axis"
                                                : "smallest radius",
                       second ? contact.second : contact.first);
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

std::string remedy_of(const Packing& packing, const DeepContact& contact) {
    return contact.step == 0    ? "expected places that are farther apart at the start"
           : packing.is_rigid() ? "expected a smaller time.step"
                                : remedy;
}

}  // namespace

std::string deep_contact(const Packing& packing, const DeepContact& contact, double time_step) {
    return fmt::format(
        "{} overlapped by {:.3g} m {}, {:.2f} times {}; contact laws hold "
        "for "
        "overlaps far below the radius, up to about {:g} of it; {}",
        names_of(packing, contact), contact.overlap, when(contact, time_step), contact.depth,
        size_name(packing, contact), packing::large_depth, remedy_of(packing, contact));
}

std::string too_deep(const Packing& packing, const DeepContact& contact, double time_step) {
    return fmt::format(
        "{} overlap by {:.3g} m {}, {:.2f} times {}, whose centre is then "
        "inside the other body, where no contact law holds; {}",
        names_of(packing, contact), contact.overlap, when(contact, time_step), contact.depth,
        size_name(packing, contact), remedy_of(packing, contact));
}

std::string uncertain_normals(std::int64_t count) {
    return fmt::format(
        "bodies overlapped by more than both their smallest radii of curvature, {} steps times "
        "contacts: the search for the direction in which they overlap least may have missed it; {}",
        count, remedy);
}

std::string flat_contacts(std::int64_t count) {
    return fmt::format(
        "{} contacts closed on flat places of superellipsoids, where no radius of curvature "
        "exists: their laws take at most {:g} times the largest reach of the smaller body for it; "
        "a law that needs none, such as \"hooke\" with a given stiffness, and linear friction hold "
        "there as they are",
        count, packing::largest_flat_radius);
}

}  // namespace beadwave::running
