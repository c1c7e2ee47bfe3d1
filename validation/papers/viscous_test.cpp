// The restitution that the viscous laws return, with their own separation rule and with the other
// one.

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/poursina_nikravesh.hpp"
#include "beadwave/laws/spring_dashpot.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace beadwave::validation::viscous_test {

namespace {

constexpr laws::Contact contact{.radius = 1e-3, .modulus = 1e11, .mass = 2e-4, .stiffness = 4e9};
constexpr double speed = 1.77;
constexpr const char* inputs[] = {"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"};
using Given = std::map<std::string, laws::Value>;

double output(const std::string& law, const Given& given, double impact_speed = speed) {
    Given settings = given;
    settings.emplace("impact_speed", impact_speed);
    return laws::collide(laws::make(contact, law_settings(law, settings)), contact.mass,
                         impact_speed)
        .restitution;
}

/// Two bodies of m = K = v = 1 by the classical Runge-Kutta method, until zero force while opening.
double plain_zero_force_output(double n, double kappa) {
    double x = 0.0, v = 1.0;
    const double h = 2e-5;
    const auto force = [&](double d, double w) {
        return (d > 0.0 ? std::pow(d, n) : 0.0) + kappa * w;
    };
    for (;;) {
        const double k1x = v, k1v = -force(x, v);
        const double k2x = v + 0.5 * h * k1v, k2v = -force(x + 0.5 * h * k1x, k2x);
        const double k3x = v + 0.5 * h * k2v, k3v = -force(x + 0.5 * h * k2x, k3x);
        const double k4x = v + h * k3v, k4v = -force(x + h * k3x, k4x);
        const double before = force(x, v), v_before = v;
        x += h / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x);
        v += h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
        // At zero force the speed is stationary, so v before or after it gives the same.
        if (v < 0.0 && before > 0.0 && force(x, v) <= 0.0) return -std::min(v, v_before);
    }
}

}  // namespace

TEST_CASE(
    "tsuji, kelvin-voigt and anagnostopoulos return e to 1e-6 when contact ends at zero overlap") {
    Largest worst;
    for (const std::string law : {"tsuji", "kelvin-voigt", "anagnostopoulos"}) {
        for (const double e : {0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0}) {
            CAPTURE(law);
            CAPTURE(e);
            CHECK(law_settings(law).is("separation", "gap"));
            CHECK_ABSOLUTE(output(law, {{"restitution", e}}), e, 1e-6);
            worst.enter(std::abs(output(law, {{"restitution", e}}) - e));
        }
        CHECK_ABSOLUTE(output(law, {{"restitution", 0.4}}, 12.0),
                       output(law, {{"restitution", 0.4}}, 0.1), 1e-6);
    }
    MESSAGE("largest difference ", worst);
}

TEST_CASE("at zero force the same three laws return one and the same larger value") {
    Largest worst;
    for (const std::string law : {"tsuji", "kelvin-voigt", "anagnostopoulos"}) {
        for (const auto& [e, expected] :
             {std::pair{0.3, 0.39714}, {0.5, 0.55028}, {0.7, 0.71820}}) {
            CAPTURE(law);
            const double hit = output(law, {{"restitution", e}, {"separation", "force"}});
            CHECK_ABSOLUTE(hit, expected, 1e-5);
            // In closed form: exp(-2 xi arccos(xi) / sqrt(1 - xi^2)).
            const double xi = -std::log(e) / std::hypot(std::numbers::pi, std::log(e));
            const double closed = std::exp(-2.0 * xi * std::acos(xi) / std::sqrt(1.0 - xi * xi));
            CHECK_ABSOLUTE(hit, closed, 1e-9);
            worst.enter(std::abs(hit - closed));
        }
    }
    MESSAGE("largest difference from the closed form ", worst);
}

TEST_CASE("the damping may be given in place of the restitution, and one of the two is required") {
    const double K = 2e6;
    const Given by_damping{{"restitution", "from-damping"},
                           {"damping", 2.0 * 0.2 * std::sqrt(K * 2e-4)},
                           {"stiffness", K}};
    CHECK_ABSOLUTE(output("kelvin-voigt", by_damping),
                   std::exp(-0.2 * std::numbers::pi / std::sqrt(0.96)), 1e-8);
    CHECK_ABSOLUTE(
        output("tsuji", {{"restitution", "from-damping"}, {"alpha", std::sqrt(5.0) * 0.2}}),
        std::exp(-0.2 * std::numbers::pi / std::sqrt(0.96)), 1e-8);
    CHECK_THROWS_AS(laws::make(contact, law_settings("tsuji", {{"alpha", 0.3}})), ArgumentError);
    CHECK_THROWS_AS(laws::make(contact, law_settings("tsuji", {{"restitution", "from-damping"}})),
                    ArgumentError);
}

TEST_CASE("tsuji is EDEM's 2 sqrt(5/6) beta sqrt(S_n m)") {
    const double e = 0.6, overlap = 3e-6, v = 0.7;
    const auto law = laws::make(contact, law_settings("edem", {{"restitution", e}}));
    const double damping =
        (law.respond(overlap, v, {}).force - law.respond(overlap, 0.0, {}).force) / v;
    const double beta = -std::log(e) / std::hypot(std::numbers::pi, std::log(e));
    const double S = 1.5 * contact.stiffness * std::sqrt(overlap);  // 2 E sqrt(R delta)
    CHECK_RELATIVE(damping, 2.0 * std::sqrt(5.0 / 6.0) * beta * std::sqrt(S * contact.mass), 1e-12);
}

TEST_CASE("goyal returns e, and with the printed exponent its square root") {
    for (const double e : {0.14, 0.3, 0.5, 0.8, 1.0}) {
        CAPTURE(e);
        CHECK_ABSOLUTE(output("goyal", {{"restitution", e}}), e, 1e-8);
        CHECK_ABSOLUTE(output("goyal", {{"restitution", e}, {"exponent", "printed"}}), std::sqrt(e),
                       1e-8);
    }
    CHECK(!laws::find("goyal")->parameters.front().accepts(0.1353));
}

TEST_CASE("jankowski returns the independently integrated restitution with both of its formulas") {
    for (const Row& row : table("papers/jankowski_restitution.csv")) {
        for (const char* input : inputs) {
            CAPTURE(input);
            const Given given{{"restitution", std::stod(input)}, {"formula", row.at("formula")}};
            CHECK_ABSOLUTE(output("jankowski", given), number(row, input), 0.6e-4);
        }
    }
}

TEST_CASE("calibrated dampers on a Hertz spring return the independently calibrated restitution") {
    const double length = std::pow(contact.mass * speed * speed / contact.stiffness, 0.4);
    Largest worst;
    for (const Row& row : table("papers/viscous_calibration.csv")) {
        const double p = number(row, "p");
        for (const char* input : inputs) {
            CAPTURE(p);
            CAPTURE(input);
            CAPTURE(row.at("separation"));
            const double damping =
                number(row, input) * contact.mass * speed / std::pow(length, p + 1.0);
            const double hit = output("falcon", {{"damping", damping},
                                                 {"overlap_exponent", p},
                                                 {"separation", row.at("separation")}});
            CHECK_ABSOLUTE(hit, std::stod(input), 1.2e-5);  // five decimals of kappa
            worst.enter(std::abs(hit - std::stod(input)));
        }
    }
    MESSAGE("largest difference ", worst);
}

TEST_CASE("poursina-nikravesh has its tabulated coefficients and its fit returns e within 0.005") {
    for (const Row& row : table("papers/poursina2020_kappa.csv")) {
        CHECK_ABSOLUTE(laws::poursina_fit(number(row, "e"), number(row, "n")), number(row, "fit"),
                       0.6e-6);
        CHECK_ABSOLUTE(laws::poursina_optimum(number(row, "e"), number(row, "n")),
                       number(row, "optimum"), 1.1e-6);
    }
    Largest worst;
    for (const double n : {1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0}) {
        for (int twentieth = 1; twentieth < 20; ++twentieth) {
            const double e = 0.05 * twentieth;
            CAPTURE(n);
            CAPTURE(e);
            const double hit = output("poursina-nikravesh",
                                      {{"restitution", e}, {"exponent", n}, {"stiffness", 4e8}});
            CHECK_ABSOLUTE(hit, e, 0.005);
            worst.enter(std::abs(hit - e));
        }
    }
    MESSAGE("largest difference of the fit ", worst);
}

TEST_CASE("poursina-nikravesh's optimum returns e to 1e-8, for every n, mass and speed") {
    Largest worst;
    for (const double n : {1.0, 1.2, 1.5, 2.0}) {
        for (const double e : {1e-3, 0.05, 0.3, 0.6, 0.95}) {
            CAPTURE(n);
            CAPTURE(e);
            const Given given{{"restitution", e},
                              {"exponent", n},
                              {"stiffness", 4e8},
                              {"coefficient", "optimal"}};
            for (const double v : {0.03, 11.0}) {
                const double hit = output("poursina-nikravesh", given, v);
                CHECK_ABSOLUTE(hit, e, 1e-8);
                worst.enter(std::abs(hit - e));
            }
            if (e > 0.01)
                CHECK_ABSOLUTE(plain_zero_force_output(n, laws::poursina_optimum(e, n)), e, 1e-6);
        }
    }
    MESSAGE("largest difference ", worst);
    // A contact that stores its own impact speed returns e at any speed.
    for (const double v : {0.5, 11.0}) {
        const Given own{
            {"restitution", 0.4}, {"coefficient", "optimal"}, {"impact_speed", "per-contact"}};
        CHECK_ABSOLUTE(output("poursina-nikravesh", own, v), 0.4, 1e-8);
    }
}

TEST_CASE("poursina-nikravesh ends at the residual overlap (c e v/K)^(1/n)") {
    const double K = 1e8, e = 0.3;  // the pendulums of Poursina2020 section 6: n = 1.5
    laws::Contact rods = contact;
    rods.stiffness = K;
    rods.mass = 0.08113;
    const double v = 10.3105;
    const auto law = laws::make(
        rods, law_settings("poursina-nikravesh", {{"restitution", e}, {"impact_speed", v}}));
    const double c =
        law.as<laws::SpringDashpot<double, laws::Exponent::three_halves, laws::Exponent::zero>>()
            .damping;
    const auto hit = laws::collide(law, rods.mass, v);
    CHECK_RELATIVE(c, 474.66, 1e-4);
    CHECK_RELATIVE(hit.residual_overlap, std::pow(c * hit.restitution * v / K, 1.0 / 1.5), 1e-8);
    CHECK_RELATIVE(hit.max_overlap, 9.773e-4, 1e-4);
    CHECK_RELATIVE(hit.max_force, c * v, 1e-6);  // at closing, where the force jumps
}

}  // namespace beadwave::validation::viscous_test
