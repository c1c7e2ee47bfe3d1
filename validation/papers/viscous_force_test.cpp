// The force of the viscous laws, written out plainly from the papers' formulas.

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/roy_carretero.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

namespace beadwave::validation::viscous_force_test {

namespace {

using Given = std::map<std::string, laws::Value>;

/// Two steel beads of 2.38 mm.
laws::Contact steel_beads() {
    const laws::Elasticity steel{.youngs_modulus = 193e9, .poisson_ratio = 0.3};
    return laws::sphere_contact(2.38e-3, 0.45e-3, steel, 2.38e-3, 0.45e-3, steel);
}

double force(const std::string& law, const Given& given, double overlap, double speed) {
    return laws::make(steel_beads(), law_settings(law, given)).respond(overlap, speed, {}).force;
}

struct Formula {
    std::string law;
    Given given;
    std::function<double(double overlap, double speed)> force;  ///< before any tension is cut off
};

}  // namespace

TEST_CASE("every viscous law's force is its paper's formula") {
    using std::pow;
    const laws::Contact c = steel_beads();
    const double K = c.stiffness, m = c.mass, R = c.radius, E = 193e9, nu = 0.3,
                 pi = std::numbers::pi;
    const auto hertz = [K](double x) { return K * pow(x, 1.5); };
    const double zeta = 4e4, eta = 7e4;
    const Given viscosities{{"bulk_viscosity", zeta}, {"shear_viscosity", eta}};
    const auto with = [](Given given, const Given& more) {
        given.insert(more.begin(), more.end());
        return given;
    };
    const double one_body = (4 * pow(3 * zeta + eta, 2) - pow(3 * zeta - 2 * eta, 2)) /
                            (36 * (3 * zeta + eta) * zeta * eta);
    const double printed = (4 * pow(3 * zeta + eta, 2) - 9 * pow(zeta - eta, 2)) /
                           (36 * (3 * zeta + eta) * zeta * eta);
    const double A_1996 = pow(3 * zeta - eta, 2) / (3 * zeta + 2 * eta) / 3 * (1 - nu * nu) *
                          (1 - 2 * nu) / (E * nu * nu);
    const double A_2015 =
        (1 + nu) / (1 - nu) / E * (4.0 / 3 * eta * (1 - nu + nu * nu) + zeta * pow(1 - 2 * nu, 2));
    const double A_zheng = (1 - 2 * nu) * (1 + nu) / E * (2 * zeta + eta / 3);
    const double eps = 4e-6, q = 1.5,
                 D = 2 * (std::log(2) / std::hypot(pi, std::log(2))) * std::sqrt(9e6 * m);

    const Formula formulas[] = {
        {"ristow",
         {{"damping_rate", 6e4}},
         [&](double x, double v) { return hertz(x) + 6e4 * m * v; }},
        {"ristow",
         {{"damping_rate", 6e9}, {"damper", "overlap"}},
         [&](double x, double v) { return hertz(x) + 6e9 * m * x * v; }},
        {"lee-herrmann",
         {{"damping_rate", 6e4}},
         [&](double x, double v) { return hertz(x) + 6e4 * m * v; }},
        {"schafer", {{"damping", 12.0}}, [&](double x, double v) { return hertz(x) + 12.0 * v; }},
        {"schwager-poschel",
         {{"damping", 3e4}},
         [&](double x, double v) { return hertz(x) + 3e4 * pow(x, 0.65) * v; }},
        {"bordbar-hyppanen",
         {{"damping", 3e4}},
         [&](double x, double v) { return hertz(x) + 3e4 * pow(x, 0.65) * v; }},
        {"falcon",
         {{"damping", 200.0}},
         [&](double x, double v) { return hertz(x) + 200.0 * pow(x, 0.25) * v; }},
        {"falcon",
         {{"damping", 2.0}, {"overlap_exponent", 0.0}},
         [&](double x, double v) { return hertz(x) + 2.0 * v; }},
        {"falcon",
         {{"damping", 5e3}, {"overlap_exponent", 0.4}},
         [&](double x, double v) { return hertz(x) + 5e3 * pow(x, 0.4) * v; }},
        {"alizadeh",
         {{"viscosity", 1e5}},
         [&](double x, double v) { return hertz(x) + 4 * pi * 1e5 * x * v; }},
        {"alizadeh",
         {{"viscosity", 1e5}, {"speed_exponent", 0.7}},
         [&](double x, double v) {
             return hertz(x) + 4 * pi * 1e5 * x * std::copysign(pow(std::abs(v), 0.7), v);
         }},
        {"kuwabara-kono", viscosities,
         [&](double x, double v) {
             return hertz(x) + 2 * std::sqrt(R) / (2 * one_body) * std::sqrt(x) * v;
         }},
        {"kuwabara-kono", with(viscosities, {{"form", "printed"}}),
         [&](double x, double v) {
             return hertz(x) + 2 * std::sqrt(R) / (2 * printed) * std::sqrt(x) * v;
         }},
        {"brilliantov", viscosities,
         [&](double x, double v) { return hertz(x) + 1.5 * K * A_2015 * std::sqrt(x) * v; }},
        {"brilliantov", with(viscosities, {{"form", "1996"}}),
         [&](double x, double v) { return hertz(x) + 1.5 * K * A_1996 * std::sqrt(x) * v; }},
        {"zheng", viscosities,
         [&](double x, double v) {
             return hertz(x) + 2 * A_zheng * E * std::sqrt(R) / (1 - nu * nu) * std::sqrt(x) * v;
         }},
        {"lee-wang-viscous",
         {{"restitution", 0.5}, {"stiffness", 9e6}, {"transition_overlap", eps}, {"sharpness", q}},
         [&](double x, double v) {
             return hertz(x) + std::exp(q / eps * ((x - eps) - std::abs(x - eps))) * D * v;
         }},
        {"choi",
         {{"damping", 5e8}},
         [&](double x, double v) { return hertz(x) + 5e8 * pow(x, 1.5) * v; }},
        {"choi",
         {{"damping", 3e4},
          {"exponent", 1.2},
          {"stiffness", 1e8},
          {"overlap_exponent", 0.8},
          {"speed_exponent", 1.3}},
         [&](double x, double v) {
             return 1e8 * pow(x, 1.2) + 3e4 * pow(x, 0.8) * std::copysign(pow(std::abs(v), 1.3), v);
         }},
    };
    for (const Formula& formula : formulas) {
        CAPTURE(formula.law);
        Given pulling = formula.given;
        pulling.insert_or_assign("separation", "gap");
        const bool has_separation = law_settings(formula.law).values.contains("separation");
        for (const double x : {1e-7, 3e-6, 2e-5}) {
            for (const double v : {-3.0, -0.2, 0.0, 0.6, 4.0}) {
                const double expected = formula.force(x, v);
                const double uncut = has_separation ? expected : std::max(expected, 0.0);
                CHECK_RELATIVE(force(formula.law, pulling, x, v), uncut, 1e-11);
                Given pushing = formula.given;
                pushing.insert_or_assign("separation", "force");
                CHECK_RELATIVE(force(formula.law, pushing, x, v), std::max(expected, 0.0), 1e-11);
            }
        }
    }
}

TEST_CASE(
    "Kuwabara-Kono's corrected body is (3 zeta + 4 eta) / (4 eta (3 zeta + eta)), and its printed "
    "one can be refused") {
    const double zeta = 2e4, eta = 3e4, x = 2e-6, v = 0.5;
    const Given given{{"bulk_viscosity", zeta}, {"shear_viscosity", eta}};
    const double one_body = (3 * zeta + 4 * eta) / (4 * eta * (3 * zeta + eta));
    const double damping =
        (force("kuwabara-kono", given, x, v) - force("kuwabara-kono", given, x, 0.0)) /
        (v * std::sqrt(x));
    CHECK_RELATIVE(damping, std::sqrt(steel_beads().radius) / one_body, 1e-12);
    const Given thin{{"bulk_viscosity", 1e3}, {"shear_viscosity", 1e4}, {"form", "printed"}};
    CHECK_THROWS_AS(laws::make(steel_beads(), law_settings("kuwabara-kono", thin)), ArgumentError);
}

TEST_CASE("Choi's contact keeps the part of its spring that least_part sets") {
    const Given given{{"damping", 5e8}, {"least_part", 0.3}};
    CHECK_RELATIVE(force("choi", given, 2e-6, -50.0), 0.3 * force("choi", given, 2e-6, 0.0), 1e-12);
}

TEST_CASE("Roy-Carretero's volume is that of two spherical caps and grows with their common disc") {
    for (const double ratio : {1.0, 3.0}) {
        CAPTURE(ratio);
        const auto any =
            laws::make(steel_beads(), law_settings("roy-carretero", {{"radius_ratio", ratio}}));
        const auto& law = any.as<laws::RoyCarretero<double>>();
        const double R = steel_beads().radius, small = R * (1 + ratio) / ratio,
                     large = ratio * small;
        CHECK_RELATIVE(1 / (1 / small + 1 / large), R, 1e-14);
        for (const double x : {1e-4, 3e-4}) {
            // Caps of height h on spheres of radius r: pi h^2 (3 r - h)/3; the disc's plane is at a
            // from the larger centre.
            const double d = small + large - x;
            const double a = (d * d + large * large - small * small) / (2 * d);
            const auto cap = [](double r, double h) {
                return std::numbers::pi * h * h * (3 * r - h) / 3;
            };
            CHECK_RELATIVE(law.volume(x), cap(large, large - a) + cap(small, small - (d - a)),
                           1e-9);
            CHECK_RELATIVE(law.area(x), std::numbers::pi * (large * large - a * a), 1e-9);
            CHECK_RELATIVE(law.area(x),
                           (law.volume(x * 1.0001) - law.volume(x * 0.9999)) / (2e-4 * x), 1e-7);
        }
        CHECK_RELATIVE(law.respond(2e-6, 0.4, {}).force,
                       (193e9 * law.volume(2e-6) + 5e5 * law.area(2e-6) * 0.4) / (small + large),
                       1e-12);
    }
}

TEST_CASE(
    "the linear spring of \"hertz\" stores what Hertz stores at the largest overlap of its impact "
    "speed") {
    const laws::Contact c = steel_beads();
    const double v = 2.5, overlap = laws::hertz_largest_overlap(c.stiffness, c.mass, v);
    const auto law = laws::make(c, law_settings("kelvin-voigt", {{"impact_speed", v}}));
    const double stored = law.stored_energy(overlap, {});
    CHECK_RELATIVE(stored, 0.5 * c.mass * v * v, 1e-12);
}

TEST_CASE(
    "a law that needs bodies is refused without them, and a law that is not printed with the "
    "reason") {
    const laws::Contact bare{.radius = 0.0, .modulus = 0.0, .mass = 2e-4, .stiffness = 4e9};
    for (const std::string law : {"kuwabara-kono", "brilliantov", "zheng", "roy-carretero"}) {
        CHECK_THROWS_AS(laws::make(bare, law_settings(law)), ArgumentError);
    }
    CHECK_THROWS_WITH_AS(laws::make(bare, law_settings("wang-review-viscous")),
                         "law \"wang-review-viscous\" is not offered: its source prints only the "
                         "errors of its chain "
                         "against measurement (Table 6), not the law itself",
                         ArgumentError);
}

}  // namespace beadwave::validation::viscous_force_test
