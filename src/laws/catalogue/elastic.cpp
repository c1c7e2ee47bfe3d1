#include "beadwave/laws/hertz.hpp"
#include "beadwave/laws/hooke.hpp"
#include "laws/catalogue/families.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"

namespace beadwave::laws {
namespace {

constexpr const char* ends_at_zero = "zero overlap, where the force is zero too";

AnyLaw make_hertz(const Contact& c, const Settings&) {
    return Hertz<double>{.stiffness = c.stiffness};
}

AnyLaw make_hooke(const Contact& c, const Settings& s) {
    return Hooke<double>{.stiffness = linear_stiffness(c, s)};
}

AnyLaw make_flat_on_flat(const Contact& c, const Settings& s) {
    return Hooke<double>{.stiffness = s.number("half_width") * effective_modulus(c, s) / 0.475};
}

}  // namespace

std::vector<Entry> elastic_entries() {
    return {
        {.name = "hertz",
         .aliases = {},
         .family = "elastic",
         .equation = "F = K delta^(3/2), K = (4/3) E sqrt(R)",
         .parameters = {},
         .separation = ends_at_zero,
         .stored_energy = "(2/5) K delta^(5/2): all of the work",
         .validity = "elastic spheres, overlap far below the radius",
         .source = "WangLiu2022 Eq. (1)",
         .make = make_hertz},
        {.name = "hooke",
         .aliases = {},
         .family = "elastic",
         .equation = "F = K delta",
         .parameters = {linear_stiffness_parameter(), stiffness_speed_parameter()},
         .separation = ends_at_zero,
         .stored_energy = "K delta^2 / 2: all of the work",
         .validity = "elastic. K belongs to one shape and one material, and is measured or "
                     "computed elsewhere. With \"hertz\" a collision at impact_speed is as deep as "
                     "Hertz's and 1.067 times as long",
         .source = "CorralReview Eq. (5.1)",
         .make = make_hooke},
        {.name = "flat-on-flat",
         .aliases = {},
         .family = "elastic",
         .equation = "F = K delta, K = a E/0.475: two flat squares of side 2 a",
         .parameters = {{.name = "half_width",
                         .unit = "m",
                         .meaning = "a: half the side of the square on which the faces touch",
                         .lowest = 0.0,
                         .lowest_allowed = false,
                         .example = 1e-3}},
         .separation = ends_at_zero,
         .stored_energy = "K delta^2 / 2: all of the work",
         .validity = "elastic; parallel faces, far smaller than the bodies, that meet all at once "
                     "under an even pressure. delta is the mean approach. The radii of the bodies "
                     "do not enter. The texts print no exponent of delta; the unit of K makes it 1",
         .source = "CorralReview Eq. (5.6); Skrinjar2018 Eq. (5)",
         .make = make_flat_on_flat}};
}

}  // namespace beadwave::laws
