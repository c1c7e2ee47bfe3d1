#include "laws/catalogue/hysteresis_factors.hpp"

#include "laws/catalogue/hysteresis_roots.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::laws {
namespace {

// clang-format off
double hunt_crossley(double e) { return 3.0 * (1.0 - e) / 2.0; }
double herbert_mcwhannell(double e) { return 6.0 * (1.0 - e) / ((2.0 * e - 1.0) * (2.0 * e - 1.0) + 3.0); }
double lee_wang(double e) { return 3.0 * (1.0 - e) / 4.0; }
double lankarani_nikravesh(double e) { return 3.0 * (1.0 - e * e) / 4.0; }
double gonthier(double e) { return (1.0 - e * e) / e; }
double zhiying_qishao(double e) { return 0.75 * (1.0 - e * e) * std::exp(2.0 * (1.0 - e)); }
double flores(double e) { return 8.0 * (1.0 - e) / (5.0 * e); }
double gharib_hurmuzlu(double e) { return 1.0 / e; }
double hu_guo(double e) { return 3.0 * (1.0 - e) / (2.0 * e); }
double hu(double e) { return -6.6626 * std::log(e) / (3.85238 + std::log(e)); }
double shen(double e) { return 3.0 * (1.0 - e) / (2.0 * std::pow(e, 0.89)); }
double carvalho_martins(double e) { return 3.0 * (1.0 - e) * (11.0 - e) / (2.0 * (1.0 + 9.0 * e)); }
double safaeifar_farshidianfar(double e) { return 5.0 * (1.0 - e) / (4.0 * e); }
double zhang(double e) { return 249.0 * (1.0 - e) / (6.0 + 160.0 * e); }
double zhao(double e) { return 4.0 * (1.0 - e) / (1.302 * e); }
// clang-format on

double zhang2020(double e) {
    return 3.0 * (1.0 - e) /
           (2.0 * e * (0.618 * std::exp(-3.25 * e) + 0.899 * std::exp(0.09025 * e)));
}

/// chi = d/e with d fitted by cubics, each up to and including its highest e.
double yu(double e) {
    struct Cubic {
        double highest, c3, c2, c1, c0;
    };
    constexpr Cubic cubics[] = {{0.25, 0.0, 0.0, 0.0, 1.0},
                                {0.4, 2.1663, -3.7216, 0.8724, 0.9409},
                                {0.6, 1.1664, -2.4893, 0.3625, 1.0117},
                                {0.8, 0.5048, -1.3255, -0.3236, 1.1472},
                                {1.0, 0.2256, -0.6663, -0.8437, 1.2844}};
    const auto* c =
        std::ranges::find_if(cubics, [e](const Cubic& cubic) { return e <= cubic.highest; });
    const double d = ((c->c3 * e + c->c2) * e + c->c1) * e + c->c0;
    return std::max(d, 0.0) / e;  // at e = 1 the last cubic leaves a rounding error
}

}  // namespace

std::span<const HysteresisFactor> hysteresis_factors() {
    static const HysteresisFactor rows[] = {
        {.name = "hunt-crossley",
         .aliases = {"marhefka-orin"},
         .chi = hunt_crossley,
         .formula = "3 (1 - e) / 2",
         .source = "WangReview2022 Table 1; Skrinjar2018 Table 1; CorralReview Eqs (5.11), (5.12)"},
        {.name = "herbert-mcwhannell",
         .aliases = {},
         .chi = herbert_mcwhannell,
         .formula = "6 (1 - e) / ((2 e - 1)^2 + 3)",
         .source = "WangReview2022 Table 1; Skrinjar2018 Table 1; CorralReview Eq. (5.19)"},
        {.name = "lee-wang",
         .aliases = {},
         .chi = lee_wang,
         .formula = "3 (1 - e) / 4",
         .remark = "near e = 1 it has half the slope needed",
         .source = "WangReview2022 Table 1; Skrinjar2018 Table 1; CorralReview Eq. (5.35)"},
        {.name = "lankarani-nikravesh",
         .aliases = {},
         .chi = lankarani_nikravesh,
         .formula = "3 (1 - e^2) / 4",
         .remark = "its authors require impact speeds below 1e-5 sqrt(E/density)",
         .source = "WangReview2022 Table 1; Skrinjar2018 Table 1; CorralReview Eq. (5.43)"},
        {.name = "gonthier",
         .aliases = {},
         .chi = gonthier,
         .formula = "(1 - e^2) / e",
         .remark = "the explicit approximation; zhang-sharf is the root itself",
         .source = "WangReview2022 Table 1; Skrinjar2018 Eqs (20)-(23); CorralReview Eq. (5.26)"},
        {.name = "zhang-sharf",
         .aliases = {"gonthier-exact"},
         .chi = zhang_sharf_factor,
         .formula = "d/e with (1 + d/e) / (1 - d) = exp(d (1 + 1/e))",
         .source = "Poursina2020 Eqs (18), (19); CorralReview Eqs (5.23)-(5.25)"},
        {.name = "zhiying-qishao",
         .aliases = {},
         .chi = zhiying_qishao,
         .formula = "(3/4) (1 - e^2) exp(2 (1 - e))",
         .source = "WangReview2022 Table 1; Skrinjar2018 Eqs (24), (25); CorralReview Eq. (5.56)"},
        {.name = "flores",
         .aliases = {"ye"},
         .chi = flores,
         .formula = "8 (1 - e) / (5 e)",
         .source = "WangReview2022 Table 1; Skrinjar2018 Eqs (27), (28); CorralReview Eq. (5.61)"},
        {.name = "gharib-hurmuzlu",
         .aliases = {},
         .chi = gharib_hurmuzlu,
         .formula = "1 / e",
         .remark = "for small e only: not elastic at e = 1, where it returns 0.594",
         .source = "WangReview2022 Table 1; Skrinjar2018 Table 1; CorralReview Eq. (5.57)"},
        {.name = "hu-guo",
         .aliases = {},
         .chi = hu_guo,
         .formula = "3 (1 - e) / (2 e)",
         .source = "WangReview2022 Table 1; Skrinjar2018 Eqs (29), (30); CorralReview Eq. (5.63)"},
        {.name = "hu",
         .aliases = {},
         .chi = hu,
         .formula = "-6.6626 ln e / (3.85238 + ln e)",
         .least_restitution = 0.02123,
         .remark = "singular at e = exp(-3.85238) = 0.02123 and negative below",
         .source = "WangReview2022 Table 1"},
        {.name = "shen",
         .aliases = {},
         .chi = shen,
         .formula = "3 (1 - e) / (2 e^0.89)",
         .source = "WangReview2022 Table 1"},
        {.name = "carvalho-martins",
         .aliases = {},
         .chi = carvalho_martins,
         .formula = "3 (1 - e) (11 - e) / (2 (1 + 9 e))",
         .source = "WangReview2022 Table 1"},
        {.name = "safaeifar-farshidianfar",
         .aliases = {},
         .chi = safaeifar_farshidianfar,
         .formula = "5 (1 - e) / (4 e)",
         .source = "WangReview2022 Table 1; CorralReview Eq. (5.66)"},
        {.name = "zhang2020",
         .aliases = {},
         .chi = zhang2020,
         .formula = "3 (1 - e) / (2 e (0.618 exp(-3.25 e) + 0.899 exp(0.09025 e)))",
         .source = "WangReview2022 Table 1"},
        {.name = "zhang",
         .aliases = {},
         .chi = zhang,
         .formula = "249 (1 - e) / (6 + 160 e)",
         .source = "CorralReview Eq. (5.64)"},
        {.name = "zhao",
         .aliases = {},
         .chi = zhao,
         .formula = "4 (1 - e) / (1.302 e)",
         .remark = "as printed: near e = 1 twice the damping needed. Its source also has a "
                   "friction term, which the text does not give and the program omits",
         .source = "WangReview2022 Table 1"},
        {.name = "yu",
         .aliases = {},
         .chi = yu,
         .formula = "d/e with d = 1 up to e = 0.25, then four cubics in e",
         .remark = "jumps at e = 0.25",
         .source = "CorralReview Eqs (5.33), (5.34)"},
        {.name = "khatiwada",
         .aliases = {},
         .chi = khatiwada_factor,
         .formula = "1/q with 1 + e = q ln[(q + 1) / (q - e)], q > e",
         .source = "CorralReview Eq. (5.31)"},
    };
    return rows;
}

}  // namespace beadwave::laws
