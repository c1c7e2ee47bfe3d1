#include "beadwave/laws/elastoplastic/guarded_ma_liu.hpp"
#include "beadwave/laws/ma_liu.hpp"
#include "laws/catalogue/elastoplastic_groups.hpp"
#include "laws/catalogue/families.hpp"
#include "laws/catalogue/parameters.hpp"
#include "laws/catalogue/printed_energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace beadwave::laws {
namespace {

AnyLaw make_ma_liu_law(const Contact& c, const Settings& s) {
    if (s.is("guard", "on")) return make_guarded_ma_liu(c, s.number("psi"), s.number("xi"));
    return make_ma_liu(c, s.number("psi"), s.number("xi"));
}

/// "psi = 3, xi = 13: from 1 to 2.76 delta_y, up to 1.5 % of the work".
std::string ma_liu_fault(double psi, double xi) {
    const EnergyFault fault =
        energy_fault(printed_curves(make_guarded_ma_liu(reference_pair(), psi, xi)));
    return fmt::format("psi = {:g}, xi = {:g}: {}, up to {:.2g} % of the work", psi, xi,
                       EnergyFault::text(fault.creates, 3), 100.0 * fault.most_created);
}

std::vector<Entry> ma_liu_entries() {
    return {{.name = "ma-liu",
             .aliases = {},
             .family = "elastoplastic",
             .equation = "Hertz below delta_y; delta (c1 + c2 ln(delta/delta_y)) + c3 up to "
                         "delta_p = xi^2 delta_y/2; then slope 2 pi R psi sigma_y; unloading and "
                         "reloading K_u (delta - delta_r)^(3/2)",
             .parameters = {psi_parameter(),
                            xi_parameter(),
                            {.name = "guard",
                             .unit = "-",
                             .meaning = "\"on\": unloading never returns more than loading took",
                             .words = {"off", "on"},
                             .standard_word = "off",
                             .number_allowed = false}},
             .separation = "zero force, at the residual overlap",
             .stored_energy = "(2/5) K_u (delta - delta_r)^(5/2)",
             .validity = {[] {
                 return fmt::format(
                     "rate-independent; the softer body yields. As printed, without guard, it "
                     "creates energy if the largest overlap is near yield ({}; {}). With guard the "
                     "recovered span is shortened there",
                     ma_liu_fault(2.84, 13.0), ma_liu_fault(3.0, 13.0));
             }},
             .source = "WangLiu2022 Eqs (1)-(8)",
             .needs_yield_stress = true,
             .make = make_ma_liu_law}};
}

}  // namespace

Parameter yield_factor_parameter(double standard) {
    return {.name = "yield_factor",
            .unit = "-",
            .meaning =
                "largest contact pressure at first yield, divided by the yield stress; 1.6 for "
                "spheres by von Mises; with 1 the papers' \"yield stress\" is that pressure",
            .lowest = 0.1,
            .highest = 10.0,
            .standard = standard};
}

std::vector<Entry> elastoplastic_entries() {
    std::vector<Entry> list;
    for (const auto group : {ma_liu_entries, sphere_plasticity_entries, sphere_fit_entries,
                             phenomenological_entries}) {
        std::ranges::move(group(), std::back_inserter(list));
    }
    return list;
}

}  // namespace beadwave::laws
