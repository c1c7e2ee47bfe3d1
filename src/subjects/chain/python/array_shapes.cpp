#include "subjects/chain/python/array_shapes.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>

namespace beadwave::python {

std::optional<ArrayShapes> shapes_of(const io::NamedNumbers& given) {
    const auto axes = given.find("semi_axes"), turned = given.find("orientation"),
               angle = given.find("angle");
    if (axes == given.end()) return std::nullopt;
    const std::size_t n = axes->second.size() / 3;
    if ((turned != given.end() && turned->second.size() != 4 * n) ||
        (angle != given.end() && angle->second.size() != n))
        throw InputError("orientation and angle: expected four numbers and one per bead");
    ArrayShapes shapes;
    for (std::size_t i = 0; i < n; ++i) {
        const double* const a = axes->second.data() + 3 * i;
        const double* const q = turned != given.end() ? turned->second.data() + 4 * i : nullptr;
        try {
            const auto bead = chain::ellipsoid_bead(
                {a[0], a[1], a[2]}, q != nullptr ? std::array<double, 4>{q[0], q[1], q[2], q[3]}
                                                 : std::array<double, 4>{1.0, 0.0, 0.0, 0.0});
            shapes.radius.push_back(bead.radius);
            shapes.shape.push_back(bead.shape);
        } catch (const ArgumentError& error) {
            throw InputError(fmt::format(
                "{} of bead {}: {}", q != nullptr ? "orientation" : "semi_axes", i, error.what()));
        }
        shapes.angle.push_back(angle != given.end() ? angle->second[i] : 0.0);
        if (!std::isfinite(shapes.angle.back()))
            throw InputError(
                fmt::format("angle of bead {}: is {}; expected a finite number, in rad", i,
                            shapes.angle.back()));
    }
    return shapes;
}

}  // namespace beadwave::python
