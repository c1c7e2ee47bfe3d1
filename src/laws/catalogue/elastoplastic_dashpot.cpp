#include "beadwave/laws/ma_liu_constants.hpp"
#include "beadwave/laws/wang_liu.hpp"
#include "laws/catalogue/families.hpp"
#include "laws/catalogue/parameters.hpp"

namespace beadwave::laws {
namespace {

template <ImpactSpeed kind>
WangLiu<double, kind> wang_liu(const Contact& c, const Settings& s, double impact_speed,
                               double floor) {
    const MaLiuConstants ma_liu(c, s.number("psi"), s.number("xi"));
    const double e = s.number("restitution");
    const double stiffness = (ma_liu.force_plastic - ma_liu.force_yield) /
                             (ma_liu.overlap_plastic - ma_liu.overlap_yield);
    const bool printed = s.is("transition", "printed");
    return {.stiffness = c.stiffness,
            .overlap_yield = ma_liu.overlap_yield,
            .plastic_stiffness = stiffness,
            .force_offset = printed ? 0.0 : ma_liu.force_yield - stiffness * ma_liu.overlap_yield,
            .elastic_damping = 8.0 * (1.0 - e) / (5.0 * e) / impact_speed,
            .elastoplastic_damping = 3.0 * (1.0 - e) / (2.0 * e) / impact_speed,
            .min_impact_speed = floor,
            .lowest_force = lowest_force(s)};
}

AnyLaw make_wang_liu(const Contact& c, const Settings& s) {
    if (s.is("impact_speed", "per-contact")) {
        return wang_liu<ImpactSpeed::per_contact>(c, s, 1.0, s.number("min_impact_speed"));
    }
    return wang_liu<ImpactSpeed::uniform>(c, s, s.number("impact_speed"), 0.0);
}

}  // namespace

std::vector<Entry> elastoplastic_dashpot_entries() {
    std::vector<Parameter> parameters = dashpot_parameters();
    parameters.push_back(psi_parameter());
    parameters.push_back(xi_parameter());
    parameters.push_back({.name = "transition",
                          .unit = "-",
                          .meaning =
                              "spring above delta_y: K_p delta as printed (the force jumps), or "
                              "F_y + K_p (delta - delta_y)",
                          .words = {"printed", "continuous"},
                          .standard_word = "printed",
                          .number_allowed = false});
    return {
        {.name = "wang-liu",
         .aliases = {},
         .family = "elastoplastic dashpot",
         .equation = "flores below delta_y; above it F = K_p delta (1 + 3 (1-e)/(2 e) "
                     "delta_dot/delta_dot_0), K_p = (F_p - F_y)/(delta_p - delta_y) of ma-liu",
         .parameters = parameters,
         .separation = "zero force or zero overlap, which coincide unless bodies are pulled apart",
         .stored_energy = "the integral of the elastic part",
         .validity = "e and the impact speed belong to one collision. With transition = "
                     "\"printed\" the force jumps at delta_y, and waves in a chain are higher and "
                     "faster than those of ma-liu (docs/DASHPOT_OR_ELASTOPLASTIC.md)",
         .source = "WangLiu2022 Eq. (18), section 5.2",
         .needs_yield_stress = true,
         .make = make_wang_liu,
         .step_order = {.order = 1.0,
                        .remark = "the force jumps at delta_y; with transition = \"continuous\" "
                                  "only the damping jumps, and the order is 1.3 with a thousand "
                                  "steps per contact and 1 with many more"}}};
}

}  // namespace beadwave::laws
