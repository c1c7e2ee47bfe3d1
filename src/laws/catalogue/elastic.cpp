#include "families.hpp"

namespace beadwave::laws {
namespace {

AnyLaw make_hertz(const Contact& c, const Settings&) {
    return Hertz<double>{.stiffness = c.stiffness};
}

}  // namespace

std::vector<Entry> elastic_entries() {
    return {{.name = "hertz",
             .aliases = {},
             .family = "elastic",
             .equation = "F = K delta^(3/2), K = (4/3) E sqrt(R)",
             .parameters = {},
             .separation = "zero overlap, where the force is zero too",
             .stored_energy = "(2/5) K delta^(5/2): all of the work",
             .validity = "elastic spheres, overlap far below the radius",
             .source = "WangLiu2022 Eq. (1)",
             .make = make_hertz}};
}

}  // namespace beadwave::laws
