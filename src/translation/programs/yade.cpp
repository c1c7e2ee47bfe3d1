// YADE: Law2_ScGeom_MindlinPhys_Mindlin with Ip2_FrictMat_FrictMat_MindlinPhys, with a restitution
// (en) or a ratio of critical damping (betan). Without adhesion it cuts the normal force at 0.
#include "translation/model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace beadwave::translation {
namespace yade_models {

constexpr std::string_view manual =
    "YADE manual, Law2_ScGeom_MindlinPhys_Mindlin, Ip2_FrictMat_FrictMat_MindlinPhys";

double betan(const Numbers& n, const Touch& touch, double overlap, double speed) {
    const double tangent = 1.5 * n.stiffness * std::sqrt(overlap);
    return hertz_force(n.stiffness, overlap) +
           n.damping * 2.0 * std::sqrt(touch.mass * tangent) * speed;
}

/// betan of a restitution, for a force that is cut at 0 [Thornton et al. 2013, Eq. (B6)].
double thornton(double e) {
    constexpr double h[] = {-6.918798, -16.41105, 146.8049,  -796.4559, 2928.711,
                            -7206.864, 11494.29,  -11342.18, 6276.757,  -1489.915};
    if (e >= 1.0) return 0.0;
    double sum = 0.0;
    for (int i = 9; i >= 0; --i)
        sum = e * (h[i] + sum);
    return std::sqrt(1.0 / (1.0 - (1.0 + e) * (1.0 + e) * std::exp(sum)) - 1.0);
}

double en(const Numbers& n, const Touch& touch, double overlap, double speed) {
    return betan({n.stiffness, thornton(restitution_key(n))}, touch, overlap, speed);
}

std::vector<Key> keys(const Numbers& n, const Touch& touch, Key damping) {
    return {{"young", youngs_modulus(n, touch), "Pa", "of both materials"},
            {"poisson", touch.poisson_ratio, "-", "of both materials"},
            std::move(damping)};
}

std::string input(const Numbers& n, const Touch& touch, std::string_view name, double value) {
    return fmt::format(
        "O.materials.append(FrictMat(young={:.9g}, poisson={:.9g}, frictionAngle=0.0, "
        "density=...))\n"
        "Ip2_FrictMat_FrictMat_MindlinPhys({}=MatchMaker(algo='val', val={:.9g})), "
        "Law2_ScGeom_MindlinPhys_Mindlin()",
        youngs_modulus(n, touch), touch.poisson_ratio, name, value);
}

constexpr Model models[] = {
    {.name = "Law2_ScGeom_MindlinPhys_Mindlin, en",
     .formula = "max(0, K d^1.5 + 2 betan(en) sqrt(1.5 m K) d^(1/4) v), betan of Thornton (2013)",
     .source = manual,
     .force = en,
     .pulls = false,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping = of_order_one,
     .largest_damping = most_log_restitution,
     .keys =
         [](const Numbers& n, const Touch& touch) {
             return keys(n, touch, {"en", restitution_key(n), "-", "its restitution parameter"});
         },
     .input = [](const Numbers& n,
                 const Touch& touch) { return input(n, touch, "en", restitution_key(n)); },
     .remark =
         "Of versions whose manual names Thornton (2013). newtonIntegrator.damping must be 0."},
    {.name = "Law2_ScGeom_MindlinPhys_Mindlin, betan",
     .formula = "max(0, K d^1.5 + 2 betan sqrt(1.5 m K) d^(1/4) v)",
     .source = manual,
     .force = betan,
     .pulls = false,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping = of_order_one,
     .keys =
         [](const Numbers& n, const Touch& touch) {
             return keys(n, touch, {"betan", n.damping, "-", "fraction of the critical damping"});
         },
     .input = [](const Numbers& n,
                 const Touch& touch) { return input(n, touch, "betan", n.damping); },
     .remark = "newtonIntegrator.damping must be 0."},
    {.name = "Law2_ScGeom_MindlinPhys_Mindlin, en, earlier",
     .formula = "max(0, K d^1.5 + alpha(en) sqrt(m K) d^(1/4) v), alpha = -sqrt(5) ln en / "
                "sqrt(pi^2 + ln^2 en)",
     .source = manual,
     .force = tsuji_force,
     .pulls = false,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping = of_order_one,
     .largest_damping = most_log_restitution,
     .keys =
         [](const Numbers& n, const Touch& touch) {
             return keys(n, touch, {"en", restitution_key(n), "-", "its restitution parameter"});
         },
     .input = [](const Numbers& n,
                 const Touch& touch) { return input(n, touch, "en", restitution_key(n)); },
     .remark = "Of versions whose manual names Tsuji (1992): the force is cut at 0, so bodies part "
               "faster "
               "than en says. newtonIntegrator.damping must be 0."},
};

}  // namespace yade_models

extern const Program yade;
constexpr Program yade{.name = "yade", .title = "YADE", .models = yade_models::models};

}  // namespace beadwave::translation
