// Laws whose damping follows from viscosities, between two materials, and Jian's law from the
// relaxation of its material.

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/relaxation.hpp"
#include "beadwave/laws/roy_carretero.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <boost/math/quadrature/gauss_kronrod.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace beadwave::validation::two_materials_test {

using std::numbers::pi;

namespace {

using Given = std::map<std::string, laws::Value>;

constexpr laws::Elasticity steel{
    .youngs_modulus = 2e11, .poisson_ratio = 0.3, .bulk_viscosity = 4e4, .shear_viscosity = 1e4};
constexpr laws::Elasticity ptfe{
    .youngs_modulus = 1.4e9, .poisson_ratio = 0.46, .bulk_viscosity = 3e3, .shear_viscosity = 2e3};
constexpr double small = 2e-3, large = 5e-3;

laws::Contact pair(const laws::Elasticity& first, const laws::Elasticity& second) {
    return laws::sphere_contact(small, 1e-3, first, large, 2e-3, second);
}

double force(const laws::Contact& contact, const std::string& law, const Given& given, double x,
             double v) {
    return laws::make(contact, law_settings(law, given)).respond(x, v, {}).force;
}

}  // namespace

TEST_CASE("Kuwabara-Kono adds up one part per body, each of its own material") {
    const Given own{{"bulk_viscosity", "materials"}, {"shear_viscosity", "materials"}};
    const auto one_body = [](const laws::Elasticity& m) {
        const double zeta = m.bulk_viscosity, eta = m.shear_viscosity;
        return (3 * zeta + 4 * eta) / (4 * eta * (3 * zeta + eta));
    };
    const double x = 2e-6, v = 0.4, R = 1 / (1 / small + 1 / large);
    for (const auto& contact : {pair(steel, ptfe), pair(ptfe, steel)}) {
        const double damping = force(contact, "kuwabara-kono", own, x, v) -
                               force(contact, "kuwabara-kono", own, x, 0.0);
        CHECK_RELATIVE(damping,
                       2 * std::sqrt(R) / (one_body(steel) + one_body(ptfe)) * std::sqrt(x) * v,
                       1e-11);
    }
    // One material twice is the law with one number for both.
    const Given both{{"bulk_viscosity", 3e3}, {"shear_viscosity", 2e3}};
    CHECK_RELATIVE(force(pair(ptfe, ptfe), "kuwabara-kono", own, x, v),
                   force(pair(ptfe, ptfe), "kuwabara-kono", both, x, v), 1e-14);
}

TEST_CASE("Roy-Carretero is Eq. (5.80) for two spheres of two materials, in either order") {
    const double x = 3e-6, v = 0.5, S = small + large, d = S - x;
    const double volume = pi * x * x * (2 * S + d - 3 * std::pow(large - small, 2) / d) / 12;
    // The common disc: the spheres' distance d puts its plane at a from the larger centre.
    const double a = (d * d + large * large - small * small) / (2 * d);
    const double area = pi * (large * large - a * a);
    const auto viscosity = [](const laws::Elasticity& m) {
        return 9 * m.bulk_viscosity * m.shear_viscosity /
               (3 * m.bulk_viscosity + m.shear_viscosity);
    };
    const double E1 = steel.youngs_modulus, E2 = ptfe.youngs_modulus;
    const double D1 = viscosity(steel), D2 = viscosity(ptfe);
    const double expected = E1 * E2 / (large * E1 + small * E2) * volume +
                            D1 * D2 / (large * D1 + small * D2) * area * v;
    const auto reversed = laws::sphere_contact(large, 2e-3, ptfe, small, 1e-3, steel);
    for (const auto& contact : {pair(steel, ptfe), reversed}) {
        // The disc's area from a difference of squares keeps eleven digits here.
        CHECK_RELATIVE(force(contact, "roy-carretero", {{"viscosity", "materials"}}, x, v),
                       expected, 1e-9);
    }
}

TEST_CASE("a viscosity of the materials that one of them lacks is refused") {
    laws::Elasticity bare = ptfe;
    bare.shear_viscosity = 0.0;
    const Given own{{"bulk_viscosity", "materials"}, {"shear_viscosity", "materials"}};
    CHECK_THROWS_WITH_AS(force(pair(steel, bare), "kuwabara-kono", own, 1e-6, 0.0),
                         "law \"kuwabara-kono\" needs shear_viscosity in Pa s, above 0, in the "
                         "material of each of two touching bodies, or a number in [law] for both",
                         ArgumentError);
    const laws::Contact given{.radius = 1e-3, .modulus = 1e11, .mass = 1e-3, .stiffness = 4e9};
    CHECK_THROWS_WITH_AS(force(given, "kuwabara-kono", own, 1e-6, 0.0),
                         "law \"kuwabara-kono\" needs the two bodies for bulk_viscosity = "
                         "\"materials\"; give a number",
                         ArgumentError);
}

TEST_CASE("jian's material relaxes from G_e + G_0 to G_e with the time eta/G_0") {
    const double eta = 5e4, G_0 = 2e10, G_e = 6e10, nu = 0.3;
    const Given given{{"viscosity", eta},
                      {"relaxation_time", "modulus"},
                      {"relaxing_modulus", G_0},
                      {"equilibrium_modulus", G_e},
                      {"poisson_ratio", nu}};
    const auto contact = pair(steel, steel);
    const laws::Relaxation m = laws::relaxation_of(contact, law_settings("jian", given));
    CHECK_RELATIVE(m.time, eta / G_0, 1e-15);
    for (const double t : {0.0, 1e-6, 2.5e-6, 1e-4}) {
        const double G = G_e + G_0 * std::exp(-t * G_0 / eta);
        CHECK_RELATIVE(m.shear_modulus(t), G, 1e-15);
        CHECK_RELATIVE(m.bulk_modulus(t), 2.0 * (1.0 + nu) / (3.0 * (1.0 - 2.0 * nu)) * G, 1e-14);
    }
    // The spring is Eq. (5.90)'s.
    const double x = 1e-6;
    CHECK_RELATIVE(force(contact, "jian", given, x, 0.0),
                   4 * G_e * std::sqrt(contact.radius) / (3 * (1 - nu)) * std::pow(x, 1.5), 1e-12);
    // T given as such must agree with the others.
    Given twice = given;
    twice["relaxation_time"] = 1e-6;
    CHECK_THROWS_WITH_AS(laws::make(contact, law_settings("jian", twice)),
                         "law \"jian\": viscosity and relaxing_modulus make the relaxation time "
                         "2.5e-06 s, by T = eta/G_0; leave out one of the three",
                         ArgumentError);
}

TEST_CASE("jian's force tends to that of G(t) as the relaxation time falls, and in proportion") {
    // The force of two viscoelastic spheres along delta = d sin(w t): S times the integral of
    // G(t - s) over d(delta^(3/2)), while the contact loads. G_0 = eta/T grows as T falls.
    const double G_e = 6e10, eta = 4e4, nu = 0.3, depth = 1e-5, t_m = 8e-6, w = 0.5 * pi / t_m;
    const auto contact = pair(steel, steel);
    const double S = 4 * std::sqrt(contact.radius) / (3 * (1 - nu));
    const auto difference = [&](double T) {
        const Given given{{"viscosity", eta},
                          {"relaxation_time", "modulus"},
                          {"relaxing_modulus", eta / T},
                          {"equilibrium_modulus", G_e},
                          {"poisson_ratio", nu},
                          {"compression_time", t_m}};
        const laws::Relaxation m = laws::relaxation_of(contact, law_settings("jian", given));
        const double t = 0.6 * t_m, x = depth * std::sin(w * t), v = depth * w * std::cos(w * t);
        const auto integrand = [&](double s) {
            const double y = depth * std::sin(w * s);
            return m.shear_modulus(t - s) * 1.5 * std::sqrt(y) * depth * w * std::cos(w * s);
        };
        using boost::math::quadrature::gauss_kronrod;
        const double hereditary =
            S * gauss_kronrod<double, 61>::integrate(integrand, 0.0, t, 15, 1e-12);
        return force(contact, "jian", given, x, v) / hereditary - 1.0;
    };
    const double at_50 = difference(t_m / 50), at_200 = difference(t_m / 200);
    MESSAGE("relative differences ", at_50, " ", at_200);
    CHECK(std::abs(at_50) < 0.01);
    CHECK_RELATIVE(at_50, 4.0 * at_200, 0.1);  // a part falls as T^2
}

}  // namespace beadwave::validation::two_materials_test
