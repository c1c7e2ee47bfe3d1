#include "laws/tangential/friction_list.hpp"

namespace beadwave::laws {
namespace {

constexpr const char *packings = "packings", *mechanisms = "mechanisms",
                     *both = "packings, mechanisms";

constexpr FrictionEntry laws[] = {
    {"linear", both,
     "f = k s + c v, k: stiffness, c: damping, s: displacement along the contact since it closed; "
     "|f| <= mu N, and beyond the limit the contact slides",
     "Cundall and Strack 1979, Geotechnique 29, 47-65"},
    {"mindlin", packings,
     "df = 8 G* sqrt(R delta) ds, reduced with this stiffness where the contact opens; |f| <= mu N",
     "Mindlin 1949, J. Appl. Mech. 16, 259-268; Thornton and Randall 1988"},
    {"mindlin-displacement", packings,
     "f = 8 G* sqrt(R delta) s; |f| <= mu N; cycles of pressing and shearing can create energy",
     "gran/hertz/history of LAMMPS"},
    {"ambrosio", mechanisms,
     "f = mu(v) N against the slip, times a factor: 0 up to slip_tolerance, 1 from full_slip_speed "
     "on, linear between",
     "Ambrosio 2003, NATO Science Series II 103"},
    {"modified-coulomb", mechanisms,
     "f = mu(v) N against the slip: mu(0) = 0, mu(stiction_speed) = mu_s, mu from dynamic_speed on, "
     "cubics x^2 (3 - 2 x) between",
     "MSC Adams, which WangLiu2022 cites for its Fig. 9"},
    {"coulomb", mechanisms,
     "under the contact law impulse: no slip while |f| <= mu_s N holds the bodies, otherwise "
     "f = mu(v) N against the slip; impacts have mu",
     "CorralReview section 3.1; Pfeiffer and Glocker 1996"}};

constexpr FrictionEntry numbers[] = {
    {"static_coefficient", both,
     "mu_s: a contact that sticks holds up to mu_s N, one that slides has mu N, with mu the "
     "coefficient, until it stops",
     "Coulomb 1785"},
    {"stribeck_speed", both,
     "v_s: at the slip speed v the coefficient is mu + (mu_s - mu) exp(-(v/v_s)^d), "
     "d: stribeck_exponent",
     "Stribeck 1902; Tustin 1947 (d = 1); Bo and Pavelescu 1982"},
    {"viscous_coefficient", both,
     "c: the coefficient grows by c v; the force is c N v, where sources have F_v v",
     "Armstrong-Helouvry, Dupont and Canudas de Wit 1994, Automatica 30, 1083-1138, Eq. 5"},
    {"damping", both,
     "c of a dashpot c v beside the tangential spring; in packings the limit is that of their sum",
     "Cundall and Strack 1979"},
    {"damping_ratio", packings,
     "c = 2 ratio sqrt(k m), k = 8 G* sqrt(R delta), beside Mindlin's springs",
     "betas of YADE"},
    {"damping_factor", packings,
     "c = factor 2 sqrt(5/6) beta sqrt(k m), beta = -ln e / sqrt(pi^2 + ln^2 e), likewise; e is that "
     "of the normal law",
     "Tsuji, Tanaka and Ishida 1992, Powder Technology 71, 239-250; Antypov and Elliott 2011; with "
     "factor 1 LIGGGHTS and EDEM"},
    {"normal_damping_factor", packings,
     "c = factor times the coefficient of the normal dashpot, under the law tsuji, likewise",
     "xgammat of LAMMPS"}};

}  // namespace

std::span<const FrictionEntry> friction_laws() {
    return laws;
}

std::span<const FrictionEntry> friction_numbers() {
    return numbers;
}

}  // namespace beadwave::laws
