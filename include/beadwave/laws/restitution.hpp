// Coefficients of restitution of two yielding bodies as functions of the impact speed, without
// integrating the collision in time [WangReview2022 Table 4; WangLiu2022 Eqs (6)-(8)].
#pragma once

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/ma_liu_constants.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace beadwave::laws {

/// One impact, as the formulas need it.
struct Impact {
    Contact contact;                        ///< with a yield stress sigma_y and a radius
    double speed;                           ///< v [m/s]
    std::optional<double> poisson_ratio{};  ///< nu of the body that yields [-]
    std::optional<double> density{};        ///< rho of the body that yields [kg/m^3]
    double psi = 2.84;                      ///< of ma-liu [-]
    double xi = 13.0;                       ///< of ma-liu [-]
};

/// The speed at which the largest Hertz pressure reaches `pressure` [Pa]:
/// v_y = sqrt(pi^5 p^5 R^3 / (30 E^4 m)), which WangReview2022 rounds to 3.194 sqrt(p^5 R^3/(E^4
/// m)).
double yield_speed(const Contact& contact, double pressure);

namespace restitution {

// Every formula gives 1 below its own yield speed and is cut at 1; speeds above 0.

/// Chang-Ling. omega_c = (pi K sigma_y/(2 E))^2 R, K = 1.282 + 1.158 nu; W_c = (8/15) E sqrt(R)
/// omega_c^(5/2); omega_m from W_c + pi K sigma_y R omega_m (omega_m - omega_c) = m v^2/2, the
/// printed denominator; then e^2 = W_c z^q / (m v^2/2), z = 2 omega_m/omega_c - 1. The printed
/// numerator, (8/15) E sqrt(R) (omega_c omega_m (2 - omega_c/omega_m))^(3/2), lacks omega_c^(-1/2):
/// with it q = 3/2.
double chang_ling(const Impact& impact, double exponent = 1.5);

/// Thornton. q = v_y/v, p_y = 1.61 sigma_y:
/// e = sqrt(6 sqrt(3)/5) sqrt(1 - q^2/6) (q / (q + 2 sqrt(6/5 - q^2/5)))^(1/4).
double thornton(const Impact& impact);

/// Wu. x = v/v_y: e = 2.08 x^(-1/4), and 0.62 (x sigma_y/E)^(-1/2) from x = (0.62/2.08)^4
/// (E/sigma_y)^2 on. The text prints the power +0.156, with which e would grow with speed; with
/// -1/4 the two parts meet.
double wu(const Impact& impact);

/// Weir-Tallon. e = 3.1 (sigma_y/E)^(5/8) r^(3/8) (c0/v)^(1/4), c0 = sqrt(E/rho). The ratio r is
/// read as the effective radius over the radius of a ball with the effective mass: 1 for a ball on
/// a plane.
double weir_tallon(const Impact& impact);
double weir_tallon(const Impact& impact, double radius_ratio);

/// Jackson. x = v/v_c, where v_c reaches the pressure C sigma_y, C = 1.295 exp(0.736 nu):
/// e = 1 - 0.1 ln x ((x-1)/59)^0.156 up to x = 60, then 1 - 0.1 ln 60 - 0.1 ln(x/60) (x-60)^(2.36
/// sigma_y/E). The text does not say that V1 is x. No value above x = 1000, where the fit ends.
std::optional<double> jackson(const Impact& impact);

/// Ma-Liu far above v_p, where the contact becomes plastic: e = 0.81 E^(-1/3) R_p^(-1/6) k1^(5/12)
/// m^(-1/12) v^(-1/6), R_p/R = Hertz force over loading force at delta_p. Not cut at 1.
double ma_liu(const Impact& impact);

/// Ma-Liu exactly: delta_max from the work of loading = m v^2/2, then e^2 = stored energy there
/// over m v^2/2 [WangLiu2022 Eqs (6)-(8)].
double ma_liu_energy(const Impact& impact);

}  // namespace restitution

/// The work of loading to `overlap` [m] along the Ma-Liu curve [J]. WangLiu2022 Eq. (6) omits
/// c3 (delta_max - delta_y) in its middle case; the third case has such a term.
double ma_liu_loading_work(const MaLiuConstants& constants, double overlap);

struct RestitutionFormula {
    std::string_view name;
    std::string_view equation;
    std::string_view validity;
    std::string_view source;
    bool needs_poisson_ratio;
    bool needs_density;
    /// Nothing where the formula does not hold.
    std::optional<double> (*restitution)(const Impact&);
};

/// All formulas, in the order in which they are shown.
std::span<const RestitutionFormula> restitution_formulas();

/// Null if there is no formula of that name.
const RestitutionFormula* find_restitution_formula(std::string_view name);

/// The formula's restitution; nothing where it does not hold or a number it needs is not given.
std::optional<double> restitution_by(const RestitutionFormula&, const Impact&);

}  // namespace beadwave::laws
