#include "laws/listed_laws.hpp"

namespace beadwave::laws {
namespace {

constexpr const char *in_packings = "packings", *in_mechanisms = "mechanisms",
                     *in_both = "packings, mechanisms";

constexpr ListedLaw friction_law_entries[] = {
    {"linear", in_both,
     "f = k s + c v, k: stiffness, c: damping, s: displacement along the contact since it closed; "
     "|f| <= mu N, and beyond the limit the contact slides",
     "Cundall and Strack 1979, Geotechnique 29, 47-65"},
    {"mindlin", in_packings,
     "df = 8 G* sqrt(R delta) ds, reduced with this stiffness where the contact opens; |f| <= mu N",
     "Mindlin 1949, J. Appl. Mech. 16, 259-268; Thornton and Randall 1988"},
    {"mindlin-displacement", in_packings,
     "f = 8 G* sqrt(R delta) s; |f| <= mu N; cycles of pressing and shearing can create energy",
     "gran/hertz/history of LAMMPS"},
    {"ambrosio", in_mechanisms,
     "f = mu(v) N against the slip, times a factor: 0 up to slip_tolerance, 1 from full_slip_speed "
     "on, linear between",
     "Ambrosio 2003, NATO Science Series II 103"},
    {"modified-coulomb", in_mechanisms,
     "f = mu(v) N against the slip: mu(0) = 0, mu(stiction_speed) = mu_s, mu from dynamic_speed "
     "on, "
     "cubics x^2 (3 - 2 x) between",
     "MSC Adams, which WangLiu2022 cites for its Fig. 9"},
    {"coulomb", in_both,
     "under the contact laws impulse and rigid: no slip while |f| <= mu_s N holds the bodies, "
     "otherwise "
     "f = mu(v) N against the slip; impacts have mu",
     "CorralReview section 3.1; Pfeiffer and Glocker 1996"}};

constexpr ListedLaw friction_number_entries[] = {
    {"static_coefficient", in_both,
     "mu_s: a contact that sticks holds up to mu_s N, one that slides has mu N, with mu the "
     "coefficient, until it stops",
     "Coulomb 1785"},
    {"stribeck_speed", in_both,
     "v_s: at the slip speed v the coefficient is mu + (mu_s - mu) exp(-(v/v_s)^d), "
     "d: stribeck_exponent",
     "Stribeck 1902; Tustin 1947 (d = 1); Bo and Pavelescu 1982"},
    {"viscous_coefficient", in_both,
     "c: the coefficient grows by c v; the force is c N v, where sources have F_v v",
     "Armstrong-Helouvry et al. 1994, Automatica 30, 1083-1138, Eq. 5"},
    {"damping", in_both,
     "c of a dashpot c v beside the tangential spring; in packings the limit is that of their sum",
     "Cundall and Strack 1979"},
    {"damping_ratio", in_packings,
     "c = 2 ratio sqrt(k m), k = 8 G* sqrt(R delta), beside Mindlin's springs", "betas of YADE"},
    {"damping_factor", in_packings,
     "c = factor 2 sqrt(5/6) beta sqrt(k m), beta = -ln e / sqrt(pi^2 + ln^2 e), likewise; e is "
     "that "
     "of the normal law",
     "Tsuji, Tanaka and Ishida 1992, Powder Technology 71, 239-250; Antypov and Elliott 2011; with "
     "factor 1 LIGGGHTS and EDEM"},
    {"normal_damping_factor", in_packings,
     "c = factor times the coefficient of the normal dashpot, under the law tsuji, likewise",
     "xgammat of LAMMPS"}};

constexpr ListedLaw rigid_law_entries[] = {
    {"impulse", in_mechanisms,
     "bodies that meet part at once: an impulse with a coefficient of restitution, and friction "
     "within the cone of Coulomb (docs/MECHANISMS.md)",
     "Poursina2020 section 6; CorralReview section 3; Pfeiffer and Glocker 1996"},
    {"rigid", in_packings,
     "no overlap: 0 <= force, 0 <= gap, force gap = 0, |f| <= mu N, solved for all contacts of a "
     "time step together (docs/RIGID.md)",
     "Moreau 1988; Jean 1999, Comput. Methods Appl. Mech. Eng. 177, 235-257"}};

}  // namespace

std::span<const ListedLaw> friction_laws() {
    return friction_law_entries;
}

std::span<const ListedLaw> friction_numbers() {
    return friction_number_entries;
}

std::span<const ListedLaw> rigid_laws() {
    return rigid_law_entries;
}

std::array<std::span<const ListedLaw>, 3> listed_laws() {
    return {friction_laws(), friction_numbers(), rigid_laws()};
}

const ListedLaw* find_listed(std::string_view name) {
    for (const auto& entries : listed_laws()) {
        for (const ListedLaw& entry : entries)
            if (entry.name == name) return &entry;
    }
    return nullptr;
}

}  // namespace beadwave::laws
