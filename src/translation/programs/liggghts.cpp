// LIGGGHTS: model hertz and model hooke with coefficientRestitution, as its manual describes them.
#include "translation/model.hpp"

#include <fmt/format.h>

#include <cmath>

namespace beadwave::translation {
namespace liggghts_models {

constexpr std::string_view manual = "LIGGGHTS manual, gran model hertz, gran model hooke";

/// The spring of model hooke [N/m]: that which stores the energy of the characteristic speed at the
/// overlap of the Hertz contact.
double hooke_spring(const Numbers& n, const Touch& touch) {
    const double k = 16.0 / 15.0 * std::sqrt(touch.radius) * effective_modulus(n, touch);
    return k * std::pow(touch.mass * touch.speed * touch.speed / k, 0.2);
}

double hooke(const Numbers& n, const Touch& touch, double overlap, double speed) {
    const double k = hooke_spring(n, touch);
    return k * overlap + linear_dashpot(k, touch.mass, n.damping) * speed;
}

std::vector<Key> keys(const Numbers& n, const Touch& touch) {
    return {{"youngsModulus", youngs_modulus(n, touch), "Pa", "of both bodies"},
            {"poissonsRatio", touch.poisson_ratio, "-", "of both bodies"},
            {"coefficientRestitution", restitution_key(n), "-", "of the pair"}};
}

std::vector<Key> hooke_keys(const Numbers& n, const Touch& touch) {
    std::vector<Key> all = keys(n, touch);
    all.push_back({"characteristicVelocity", touch.speed, "m/s", "the middle of the range"});
    return all;
}

std::string properties(const Numbers& n, const Touch& touch) {
    return fmt::format(
        "fix m1 all property/global youngsModulus peratomtype {:.9g}\n"
        "fix m2 all property/global poissonsRatio peratomtype {:.9g}\n"
        "fix m3 all property/global coefficientRestitution peratomtypepair 1 {:.9g}",
        youngs_modulus(n, touch), touch.poisson_ratio, restitution_key(n));
}

template <bool limited>
std::string hertz_input(const Numbers& n, const Touch& touch) {
    return fmt::format("pair_style gran model hertz tangential off{}\npair_coeff * *\n{}",
                       limited ? " limitForce on" : "", properties(n, touch));
}

constexpr std::string_view hertz_formula =
    "K d^1.5 + alpha(e) sqrt(m K) d^(1/4) v, alpha = -sqrt(5) ln e / sqrt(pi^2 + ln^2 e)";

constexpr Model models[] = {
    {.name = "model hertz",
     .formula = hertz_formula,
     .source = manual,
     .force = tsuji_force,
     .pulls = true,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping = of_order_one,
     .largest_damping = most_log_restitution,
     .keys = keys,
     .input = hertz_input<false>},
    {.name = "model hertz, limitForce on",
     .formula = "the same, cut at 0",
     .source = manual,
     .force = tsuji_force,
     .pulls = false,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping = of_order_one,
     .largest_damping = most_log_restitution,
     .keys = keys,
     .input = hertz_input<true>,
     .remark = "Where the force is cut, bodies part faster than coefficientRestitution says."},
    {.name = "model hooke",
     .formula = "k d + 2 zeta(e) sqrt(m k) v, k = k0 (m V^2/k0)^(1/5), k0 = (16/15) E sqrt(R)",
     .source = manual,
     .force = hooke,
     .pulls = true,
     .hertzian = false,
     .first_stiffness =
         [](const Touch& t) {
             // K of the Hertz contact that stops the bodies at the overlap of the law.
             return 1.25 * t.mass * t.speed * t.speed / std::pow(t.overlap, 2.5);
         },
     .strong_damping = of_order_one,
     .largest_damping = most_log_restitution,
     .keys = hooke_keys,
     .input =
         [](const Numbers& n, const Touch& touch) {
             return fmt::format(
                 "pair_style gran model hooke tangential off\npair_coeff * *\n{}\n"
                 "fix m4 all property/global characteristicVelocity scalar {:.9g}",
                 properties(n, touch), touch.speed);
         }},
};

}  // namespace liggghts_models

extern const Program liggghts;
constexpr Program liggghts{
    .name = "liggghts", .title = "LIGGGHTS", .models = liggghts_models::models};

}  // namespace beadwave::translation
