// Chrono: smooth contacts (SMC) with material properties: Hertz, Flores, Hooke. It cuts the normal
// force at 0.
#include "translation/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::translation {
namespace chrono_models {

constexpr std::string_view manual = "Chrono documentation, ChSystemSMC, ChContactSMC";

double hooke(const Numbers& n, const Touch& touch, double overlap, double speed) {
    const double k0 = 16.0 / 15.0 * std::sqrt(touch.radius) * effective_modulus(n, touch);
    const double k = k0 * std::pow(touch.mass * touch.speed * touch.speed / k0, 0.2);
    return k * overlap + linear_dashpot(k, touch.mass, n.damping) * speed;
}

double flores(const Numbers& n, const Touch& touch, double overlap, double speed) {
    const double e = restitution_key(n);
    return hertz_force(n.stiffness, overlap) *
           (1.0 + 8.0 * (1.0 - e) / (5.0 * e) * speed / touch.speed);
}

std::vector<Key> keys(const Numbers& n, const Touch& touch) {
    return {{"young_modulus", youngs_modulus(n, touch), "Pa", "of both materials"},
            {"poisson_ratio", touch.poisson_ratio, "-", "of both materials"},
            {"restitution", restitution_key(n), "-", "of both materials"}};
}

std::vector<Key> keys_with_speed(const Numbers& n, const Touch& touch) {
    std::vector<Key> all = keys(n, touch);
    all.push_back(
        {"characteristic_impact_velocity", touch.speed, "m/s", "the middle of the range"});
    return all;
}

std::string input(const Numbers& n, const Touch& touch, std::string_view model, bool with_speed) {
    std::string text = fmt::format(
        "system.SetContactForceModel(ChSystemSMC::{});\nsystem.UseMaterialProperties(true);\n"
        "material->SetYoungModulus({:.9g});\nmaterial->SetPoissonRatio({:.9g});\n"
        "material->SetRestitution({:.9g});",
        model, youngs_modulus(n, touch), touch.poisson_ratio, restitution_key(n));
    if (with_speed)
        text += fmt::format("\nsystem.SetCharacteristicImpactVelocity({:.9g});", touch.speed);
    return text;
}

constexpr Model models[] = {
    {.name = "SMC, Hertz",
     .formula = "max(0, K d^1.5 + alpha(e) sqrt(m K) d^(1/4) v), alpha = -sqrt(5) ln e / sqrt(pi^2 "
                "+ ln^2 e)",
     .source = manual,
     .force = tsuji_force,
     .pulls = false,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping = of_order_one,
     .largest_damping = most_log_restitution,
     .keys = keys,
     .input = [](const Numbers& n, const Touch& touch) { return input(n, touch, "Hertz", false); },
     .remark = "Chrono cuts the force at 0, so bodies part faster than the restitution says."},
    {.name = "SMC, Flores",
     .formula = "max(0, K d^1.5 (1 + 8 (1 - e) v / (5 e V)))",
     .source = manual,
     .force = flores,
     .pulls = false,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping = of_order_one,
     .largest_damping = most_log_restitution,
     .keys = keys_with_speed,
     .input = [](const Numbers& n, const Touch& touch) { return input(n, touch, "Flores", true); },
     .remark = "With one characteristic impact velocity V for all contacts."},
    {.name = "SMC, Hooke",
     .formula = "max(0, k d + 2 zeta(e) sqrt(m k) v), k = k0 (m V^2/k0)^(1/5), k0 = (16/15) E "
                "sqrt(R)",
     .source = manual,
     .force = hooke,
     .pulls = false,
     .hertzian = false,
     .first_stiffness =
         [](const Touch& t) {
             // K of the Hertz contact that stops the bodies at the overlap of the law.
             return 1.25 * t.mass * t.speed * t.speed / std::pow(t.overlap, 2.5);
         },
     .strong_damping = of_order_one,
     .largest_damping = most_log_restitution,
     .keys = keys_with_speed,
     .input = [](const Numbers& n, const Touch& touch) { return input(n, touch, "Hooke", true); }},
};

}  // namespace chrono_models

extern const Program chrono;
constexpr Program chrono{.name = "chrono", .title = "Chrono", .models = chrono_models::models};

}  // namespace beadwave::translation
