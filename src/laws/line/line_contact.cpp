#include "beadwave/laws/line_contact.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::laws {
namespace {

LineContact line_contact(const Cylinder& a, const Cylinder& b, bool internal,
                         double radius_difference) {
    const bool flat = std::isinf(radius_difference);
    return {.internal = internal,
            .radius_difference = radius_difference,
            .radius = flat ? std::min(a.radius, b.radius) : a.radius * b.radius / radius_difference,
            .length = std::min(a.length, b.length),
            .modulus = effective_modulus(a.elasticity, b.elasticity),
            .mass = effective_mass(a.mass, b.mass)};
}

}  // namespace

LineContact external_line_contact(const Cylinder& a, const Cylinder& b) {
    return line_contact(a, b, false, a.radius + b.radius);
}

LineContact internal_line_contact(const Cylinder& pin, const Cylinder& hole) {
    return line_contact(pin, hole, true, hole.radius - pin.radius);
}

}  // namespace beadwave::laws
