#include "families.hpp"
#include "parameters.hpp"

namespace beadwave::laws {
namespace {

AnyLaw make_ma_liu_law(const Contact& c, const Settings& s) {
    return make_ma_liu(c, s.number("psi"), s.number("xi"));
}

}  // namespace

std::vector<Entry> elastoplastic_entries() {
    return {{.name = "ma-liu",
             .aliases = {},
             .family = "elastoplastic",
             .equation = "Hertz below delta_y; delta (c1 + c2 ln(delta/delta_y)) + c3 up to "
                         "delta_p = xi^2 delta_y/2; then slope 2 pi R psi sigma_y; unloading and "
                         "reloading K_u (delta - delta_r)^(3/2)",
             .parameters = {psi_parameter(), xi_parameter()},
             .separation = "zero force, at the residual overlap",
             .stored_energy = "(2/5) K_u (delta - delta_r)^(5/2)",
             .validity = "rate-independent; the softer body yields",
             .source = "WangLiu2022 Eqs (1)-(8)",
             .needs_yield_stress = true,
             .make = make_ma_liu_law}};
}

}  // namespace beadwave::laws
