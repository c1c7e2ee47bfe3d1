#include "mechanism/deep_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace beadwave::mechanism {
namespace {

/// The smaller radius at a contact [m]; infinite: not known.
double smaller_radius(const Contact& contact) {
    constexpr double unknown = std::numeric_limits<double>::infinity();
    double radius = 0.0;
    if (const auto* journal = std::get_if<Journal>(&contact.geometry))
        radius = journal->bearing_radius - journal->clearance;
    else if (const auto* block = std::get_if<Prismatic>(&contact.geometry))
        radius = block->corner_radius;
    else if (const auto* point = std::get_if<PointLine>(&contact.geometry))
        radius = point->radius;
    else if (const auto* spheres = std::get_if<SphereSphere>(&contact.geometry))
        radius = std::min(spheres->radii[0], spheres->radii[1]);
    return radius > 0.0 ? radius : unknown;
}

}  // namespace

std::optional<std::string> deep_contact(const Mechanism& mechanism, const Result& result) {
    constexpr double large = 0.1;
    double deepest = large;
    std::optional<std::string> warning;
    for (std::size_t k = 0; k < result.contact_points.size(); ++k) {
        const ContactImpacts& point = result.contact_points[k];
        const Contact& contact = mechanism.contacts[point.contact];
        double depth =
            k < result.last.contact_points.size() ? result.last.contact_points[k].overlap : 0.0;
        for (const Impact& impact : point.impacts)
            depth = std::max(depth, impact.largest_overlap);
        const double radius = smaller_radius(contact);
        if (!(depth > deepest * radius)) continue;
        deepest = depth / radius;
        warning = fmt::format(
            "contact \"{}\": its bodies overlapped by {:.3g} m, {:.2g} of the radius; contact laws "
            "hold up to about a tenth of it; expected a stiffer contact (moduli are in Pa), or "
            "slower impacts",
            contact.name, depth, deepest);
    }
    return warning;
}

}  // namespace beadwave::mechanism
