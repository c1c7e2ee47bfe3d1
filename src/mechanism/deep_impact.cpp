#include "mechanism/deep_impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace beadwave::mechanism {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

/// A radius that is missing is 0 in mechanisms; below 0 is that of a hollow [m].
double size_of(double radius) {
    return radius != 0.0 ? std::abs(radius) : none;
}

struct SizeOfShape {
    double operator()(const shapes::Circle& circle) const { return size_of(circle.radius); }
    double operator()(const shapes::Arc& arc) const { return size_of(arc.radius); }
    double operator()(const shapes::Ellipse& ellipse) const {
        return std::min(size_of(ellipse.semi_axes[0]), size_of(ellipse.semi_axes[1]));
    }
    template <class Other>
    double operator()(const Other&) const {
        return none;
    }
};

/// The smaller radius [m]; infinite: there is none.
struct SizeOfGeometry {
    double operator()(const Journal& j) const { return size_of(j.bearing_radius - j.clearance); }
    /// The radius of a corner stands for its stiffness alone.
    double operator()(const Prismatic&) const { return none; }
    double operator()(const PointLine& contact) const { return size_of(contact.radius); }
    double operator()(const SphereSphere& contact) const {
        return std::min(size_of(contact.radii[0]), size_of(contact.radii[1]));
    }
    double operator()(const Shapes& pair) const {
        return std::min(std::visit(SizeOfShape{}, pair.first),
                        std::visit(SizeOfShape{}, pair.second));
    }
};

}  // namespace

std::optional<std::string> deep_impact(const Mechanism& mechanism, const Result& result) {
    double largest = large_depth;
    const Impact* deepest = nullptr;
    const Contact* of = nullptr;
    for (const ContactImpacts& point : result.contact_points) {
        const Contact& contact = mechanism.contacts[point.contact];
        const double radius = std::visit(SizeOfGeometry{}, contact.geometry);
        for (const Impact& impact : point.impacts) {
            const double depth = impact.largest_overlap / radius;
            if (!(depth > largest)) continue;
            largest = depth;
            deepest = &impact;
            of = &contact;
        }
    }
    if (deepest == nullptr) return std::nullopt;
    return fmt::format(
        "contact \"{}\": its bodies overlapped by {:.3g} m in the impact from t = {:.6g} s on, "
        "{:.2f} times {}; contact laws hold for overlaps far below the radius, up to about {:g} of "
        "it; expected stiffer materials (youngs_modulus), lower speeds or smaller loads",
        of->name, deepest->largest_overlap, deepest->start, largest,
        std::holds_alternative<Journal>(of->geometry) ? "the radius of the pin"
                                                      : "the smaller radius",
        large_depth);
}

}  // namespace beadwave::mechanism
