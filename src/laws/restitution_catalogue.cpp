#include "beadwave/laws/restitution.hpp"

#include <algorithm>

namespace beadwave::laws {
namespace {

std::optional<double> chang_ling(const Impact& i) {
    return restitution::chang_ling(i);
}
std::optional<double> thornton(const Impact& i) {
    return restitution::thornton(i);
}
std::optional<double> wu(const Impact& i) {
    return restitution::wu(i);
}
std::optional<double> weir_tallon(const Impact& i) {
    return restitution::weir_tallon(i);
}
std::optional<double> ma_liu(const Impact& i) {
    return std::min(1.0, restitution::ma_liu(i));
}
std::optional<double> ma_liu_energy(const Impact& i) {
    return restitution::ma_liu_energy(i);
}

constexpr RestitutionFormula formulas[] = {
    {.name = "chang-ling",
     .equation = "e^2 = W_c (2 omega_m/omega_c - 1)^(3/2)/(m v^2/2)",
     .validity = "any speed; the program adds omega_c^(-1/2), which is missing in print",
     .source = "WangReview2022 Table 4",
     .needs_poisson_ratio = true,
     .needs_density = false,
     .restitution = chang_ling},
    {.name = "thornton",
     .equation =
         "e = sqrt(6 sqrt(3)/5) sqrt(1 - q^2/6) (q/(q + 2 sqrt(6/5 - q^2/5)))^(1/4), q = v_y/v",
     .validity = "any speed; v_y at the Hertz pressure 1.61 sigma_y",
     .source = "WangReview2022 Table 4",
     .needs_poisson_ratio = false,
     .needs_density = false,
     .restitution = thornton},
    {.name = "wu",
     .equation = "e = 2.08 (v/v_y)^(-1/4), then 0.62 (v sigma_y/(v_y E))^(-1/2)",
     .validity = "well above v_y, on a half-space; the printed power 0.156 is -1/4",
     .source = "WangReview2022 Table 4",
     .needs_poisson_ratio = false,
     .needs_density = false,
     .restitution = wu},
    {.name = "weir-tallon",
     .equation = "e = 3.1 (sigma_y/E)^(5/8) (R/R_m)^(3/8) (c0/v)^(1/4), c0 = sqrt(E/rho)",
     .validity =
         "well above v_y. The text gives no value of R1/R, with R1 the \"contact radius after "
         "contact\"; the program takes R/R_m, with R_m the radius of a ball of the effective mass. "
         "The text does not distinguish E* and the E of c0; both are the effective modulus here",
     .source = "WangReview2022 Table 4",
     .needs_poisson_ratio = false,
     .needs_density = true,
     .restitution = weir_tallon},
    {.name = "jackson",
     .equation = "e = 1 - 0.1 ln x ((x - 1)/59)^0.156, x = v/v_c up to 60; another branch to 1000",
     .validity = "v below 1000 v_c; v_c at the Hertz pressure 1.295 exp(0.736 nu) sigma_y",
     .source = "WangReview2022 Table 4",
     .needs_poisson_ratio = true,
     .needs_density = false,
     .restitution = restitution::jackson},
    {.name = "ma-liu",
     .equation = "e = 0.81 E^(-1/3) R_p^(-1/6) k1^(5/12) m^(-1/12) v^(-1/6)",
     .validity = "well above the speed at which the contact becomes plastic; below it the result "
                 "is too high",
     .source = "WangReview2022 Table 4",
     .needs_poisson_ratio = false,
     .needs_density = false,
     .restitution = ma_liu},
    {.name = "ma-liu-energy",
     .equation = "e^2 = W(delta_max)/U(delta_max), U = m v^2/2",
     .validity = "any speed: the law ma-liu without integration in time",
     .source = "WangLiu2022 Eqs (6)-(8)",
     .needs_poisson_ratio = false,
     .needs_density = false,
     .restitution = ma_liu_energy},
};

}  // namespace

std::span<const RestitutionFormula> restitution_formulas() {
    return formulas;
}

const RestitutionFormula* find_restitution_formula(std::string_view name) {
    const auto* found = std::ranges::find(formulas, name, &RestitutionFormula::name);
    return found == std::ranges::end(formulas) ? nullptr : found;
}

std::optional<double> restitution_by(const RestitutionFormula& formula, const Impact& impact) {
    const Contact& c = impact.contact;
    const bool enough = c.yield_stress > 0.0 && c.radius > 0.0 && c.modulus > 0.0;
    if (!enough || (formula.needs_poisson_ratio && !impact.poisson_ratio) ||
        (formula.needs_density && !impact.density)) {
        return std::nullopt;
    }
    return formula.restitution(impact);
}

}  // namespace beadwave::laws
