// LAMMPS: pair_style gran/hertz/history and pair_style granular, as its manual describes them. The
// forces of its normal models, with their dampings; a = sqrt(R d) is its contact radius.
#include "translation/model.hpp"

#include <fmt/format.h>

#include <cmath>

namespace beadwave::translation {
namespace lammps_models {

constexpr std::string_view manual = "LAMMPS manual, pair_style granular, pair_style gran";

double contact_radius(const Touch& touch, double overlap) {
    return std::sqrt(touch.radius * overlap);
}

double viscoelastic(const Numbers& n, const Touch& touch, double overlap, double speed) {
    return hertz_force(n.stiffness, overlap) +
           n.damping * touch.mass * contact_radius(touch, overlap) * speed;
}

double mass_velocity(const Numbers& n, const Touch& touch, double overlap, double speed) {
    return hertz_force(n.stiffness, overlap) + n.damping * touch.mass * speed;
}

double velocity(const Numbers& n, const Touch& /*touch*/, double overlap, double speed) {
    return hertz_force(n.stiffness, overlap) + n.damping * speed;
}

double hooke(const Numbers& n, const Touch& touch, double overlap, double speed) {
    return n.stiffness * overlap + n.damping * touch.mass * speed;
}

/// The polynomial of Marshall (2009) for the damping alpha of a restitution e.
double marshall(double e) {
    return 1.2728 +
           e * (-4.2783 + e * (11.087 + e * (-22.348 + e * (27.467 + e * (-18.022 + e * 4.8218)))));
}

template <bool with_factor>
double tsuji(const Numbers& n, const Touch& touch, double overlap, double speed) {
    const double alpha = marshall(restitution_key(n)) * (with_factor ? std::sqrt(2.0) : 1.0);
    return hertz_force(n.stiffness, overlap) +
           alpha * std::sqrt(touch.mass * n.stiffness) * std::pow(overlap, 0.25) * speed;
}

double hertz_coefficient(const Numbers& n, const Touch& touch) {
    return n.stiffness / std::sqrt(touch.radius);
}

Key stiffness_key(const Numbers& n, const Touch& touch) {
    return {"kn", hertz_coefficient(n, touch), "Pa",
            "normal stiffness, 4/3 of the effective modulus"};
}

std::string granular(const Numbers& n, const Touch& touch, double damping, std::string_view name) {
    return fmt::format(
        "pair_style granular\npair_coeff * * hertz {:.9g} {:.9g} tangential linear_nohistory 0.0 "
        "0.0 damping {}",
        hertz_coefficient(n, touch), damping, name);
}

std::vector<Key> viscoelastic_keys(const Numbers& n, const Touch& touch) {
    return {stiffness_key(n, touch),
            {"gamma_n", n.damping, "1/(m s)", "normal damping, of the effective mass"}};
}

std::vector<Key> mass_velocity_keys(const Numbers& n, const Touch& touch) {
    return {stiffness_key(n, touch),
            {"eta_n0", n.damping, "1/s", "normal damping, of the effective mass"}};
}

std::vector<Key> velocity_keys(const Numbers& n, const Touch& touch) {
    return {stiffness_key(n, touch), {"eta_n0", n.damping, "N s/m", "normal damping"}};
}

std::vector<Key> restitution_keys(const Numbers& n, const Touch& touch) {
    return {stiffness_key(n, touch),
            {"e", restitution_key(n), "-", "its coefficient of restitution"}};
}

std::vector<Key> hooke_keys(const Numbers& n, const Touch& /*touch*/) {
    return {{"kn", n.stiffness, "N/m", "normal stiffness"},
            {"gamma_n", n.damping, "1/s", "normal damping, of the effective mass"}};
}

constexpr Model models[] = {
    {.name = "granular hertz, damping coeff_restitution",
     .formula =
         "K d^1.5 + alpha(e) sqrt(m K) d^(1/4) v, alpha = -sqrt(5) ln e / sqrt(pi^2 + ln^2 e)",
     .source = manual,
     .force = tsuji_force,
     .pulls = true,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping = of_order_one,
     .largest_damping = most_log_restitution,
     .keys = restitution_keys,
     .input =
         [](const Numbers& n, const Touch& touch) {
             return granular(n, touch, restitution_key(n), "coeff_restitution");
         },
     .remark = "Versions of 2024 and later have this damping."},
    {.name = "gran/hertz/history",
     .formula = "K d^1.5 + gamma_n m sqrt(R d) v; the same: granular hertz, damping viscoelastic",
     .source = manual,
     .force = viscoelastic,
     .pulls = true,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping =
         [](const Touch& t) { return 1.0 / (t.time * std::sqrt(t.radius * t.overlap)); },
     .keys = viscoelastic_keys,
     .input =
         [](const Numbers& n, const Touch& touch) {
             return fmt::format(
                 "pair_style gran/hertz/history {:.9g} NULL {:.9g} 0.0 0.0 0\n"
                 "pair_coeff * *",
                 hertz_coefficient(n, touch), n.damping);
         }},
    {.name = "granular hertz, damping mass_velocity",
     .formula = "K d^1.5 + eta_n0 m v",
     .source = manual,
     .force = mass_velocity,
     .pulls = true,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping = per_duration,
     .keys = mass_velocity_keys,
     .input = [](const Numbers& n,
                 const Touch& touch) { return granular(n, touch, n.damping, "mass_velocity"); }},
    {.name = "granular hertz, damping velocity",
     .formula = "K d^1.5 + eta_n0 v",
     .source = manual,
     .force = velocity,
     .pulls = true,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping = [](const Touch& touch) { return touch.mass / touch.time; },
     .keys = velocity_keys,
     .input = [](const Numbers& n,
                 const Touch& touch) { return granular(n, touch, n.damping, "velocity"); }},
    {.name = "granular hertz, damping tsuji",
     .formula = "K d^1.5 + sqrt(2) p(e) sqrt(m K) d^(1/4) v, p the polynomial of Marshall (2009)",
     .source = manual,
     .force = tsuji<true>,
     .pulls = true,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping = of_order_one,
     .largest_damping = most_log_restitution,
     .keys = restitution_keys,
     .input = [](const Numbers& n,
                 const Touch& touch) { return granular(n, touch, restitution_key(n), "tsuji"); },
     .remark =
         "Of versions whose manual has the factor sqrt(2); the next model is that of others."},
    {.name = "granular hertz, damping tsuji, without the factor sqrt(2)",
     .formula = "K d^1.5 + p(e) sqrt(m K) d^(1/4) v, p the polynomial of Marshall (2009)",
     .source = manual,
     .force = tsuji<false>,
     .pulls = true,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping = of_order_one,
     .largest_damping = most_log_restitution,
     .keys = restitution_keys,
     .input = [](const Numbers& n,
                 const Touch& touch) { return granular(n, touch, restitution_key(n), "tsuji"); },
     .remark = "Of versions whose manual lacks the factor sqrt(2): they return more than e."},
    {.name = "gran/hooke/history",
     .formula = "kn d + gamma_n m v",
     .source = manual,
     .force = hooke,
     .pulls = true,
     .hertzian = false,
     .first_stiffness = spring_of_duration,
     .strong_damping = per_duration,
     .keys = hooke_keys,
     .input =
         [](const Numbers& n, const Touch& /*touch*/) {
             return fmt::format(
                 "pair_style gran/hooke/history {:.9g} NULL {:.9g} 0.0 0.0 0\n"
                 "pair_coeff * *",
                 n.stiffness, n.damping);
         }},
};

}  // namespace lammps_models

extern const Program lammps;
constexpr Program lammps{.name = "lammps", .title = "LAMMPS", .models = lammps_models::models};

}  // namespace beadwave::translation
