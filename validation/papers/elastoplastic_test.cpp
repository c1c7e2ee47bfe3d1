// Elastoplastic laws compared with independently computed values, with the continuity that corrects
// the papers' misprints, and with Thornton's closed form.

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/elastoplastic/brake.hpp"
#include "beadwave/laws/elastoplastic/burgoyne_daraio.hpp"
#include "beadwave/laws/elastoplastic/du_wang.hpp"
#include "beadwave/laws/elastoplastic/guarded_ma_liu.hpp"
#include "beadwave/laws/elastoplastic/jackson_green.hpp"
#include "beadwave/laws/elastoplastic/kogut_etsion.hpp"
#include "beadwave/laws/elastoplastic/stronge.hpp"
#include "beadwave/laws/elastoplastic/thornton.hpp"
#include "beadwave/laws/elastoplastic/vu_quoc_zhang.hpp"
#include "beadwave/laws/elastoplastic/yigit.hpp"
#include "beadwave/laws/ma_liu.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "table.hpp"

#include <boost/math/quadrature/gauss_kronrod.hpp>

#include <cmath>
#include <numbers>
#include <sstream>

namespace beadwave::validation::elastoplastic_test {

namespace {

laws::Contact contact_of(double radius, double modulus, double yield_stress) {
    return {.radius = radius,
            .modulus = modulus,
            .mass = 1e-3,
            .stiffness = laws::hertz_stiffness(modulus, radius),
            .yield_stress = yield_stress};
}

const laws::Contact journal = contact_of(0.19, 207e9 / 2.0 / 0.91, 20e6);

/// The law of a row: its settings are "parameter=value parameter=value" or "-".
laws::AnyLaw law_of(const Row& row) {
    std::map<std::string, laws::Value> given;
    std::stringstream words(row.at("settings"));
    for (std::string word; words >> word;) {
        const auto equals = word.find('=');
        if (equals == std::string::npos) continue;
        const std::string value = word.substr(equals + 1);
        const bool is_number = value.find_first_not_of("0123456789.") == std::string::npos;
        given[word.substr(0, equals)] =
            is_number ? laws::Value(std::stod(value)) : laws::Value(value);
    }
    return laws::make(journal, law_settings(row.at("law"), given));
}

double stored_after_turn(const laws::AnyLaw& law, double largest) {
    return law.stored_energy(largest, law.respond(largest, 0.0, {}).memory);
}

double loading_work(const laws::AnyLaw& law, double overlap) {
    const auto force = [&](double part) { return laws::first_loading_force(law, part * overlap); };
    return overlap * boost::math::quadrature::gauss_kronrod<double, 31>::integrate(force, 0.0, 1.0,
                                                                                   15, 1e-10);
}

/// Slope of a curve just above an overlap over its slope just below it.
template <class Curve>
double slope_ratio(const Curve& curve, double edge) {
    const double h = 1e-6 * edge;
    return (curve.loading_force(edge + 2.0 * h) - curve.loading_force(edge + h)) /
           (curve.loading_force(edge - h) - curve.loading_force(edge - 2.0 * h));
}

template <class Curve>
double step(const Curve& curve, double edge) {
    return curve.loading_force(edge * (1.0 + 1e-14)) / curve.loading_force(edge * (1.0 - 1e-14)) -
           1.0;
}

}  // namespace

TEST_CASE("elastoplastic laws give the independently computed forces and restitutions") {
    for (const Row& row : table("papers/elastoplastic_checkpoints.csv")) {
        CAPTURE(row.at("law"));
        CAPTURE(row.at("settings"));
        const laws::AnyLaw law = law_of(row);
        // The first fits of kogut-etsion start at delta_y. Just below it the force is Hertz's.
        const double yield = number(row, "delta_y_m");
        CHECK_RELATIVE(laws::first_loading_force(law, yield * (1.0 - 2e-7)),
                       number(row, "force_y_N"), 1e-6);
        CHECK_RELATIVE(laws::first_loading_force(law, 10.0 * yield), number(row, "force_10dy_N"),
                       1e-6);
        CHECK_RELATIVE(laws::first_loading_force(law, 100.0 * yield), number(row, "force_100dy_N"),
                       1e-6);
        for (const int multiple : {10, 100, 1000}) {
            const double largest = multiple * yield;
            const double e =
                std::sqrt(stored_after_turn(law, largest) / loading_work(law, largest));
            CHECK_ABSOLUTE(e, number(row, "e_" + std::to_string(multiple) + "dy"), 1.5e-5);
        }
    }
}

TEST_CASE("Thornton's restitution is his closed form at every impact speed") {
    // e = (6 sqrt(3)/5)^(1/2) (1 - q^2/6)^(1/2) (q / (q + 2 (6/5 - q^2/5)^(1/2)))^(1/4), q = v_y/v
    // [WangReview2022 Table 4], v_y from the elastic energy at yield.
    const laws::Contact c = contact_of(1.19e-3, 106.044e9, 900e6);
    const auto law = laws::make_thornton(c, 1.61);
    const double mass = 0.45e-3;
    const double v_y = std::sqrt(0.8 * law.force_yield * law.overlap_yield / mass);
    CHECK_RELATIVE(v_y,
                   3.1938 * std::sqrt(std::pow(1.61 * 900e6, 5) * std::pow(c.radius, 3) /
                                      (std::pow(c.modulus, 4) * mass)),
                   1e-4);
    for (const double multiple : {1.001, 1.5, 3.0, 10.0, 50.0, 200.0}) {
        CAPTURE(multiple);
        const double q = 1.0 / multiple;
        const double e = std::sqrt(6.0 * std::sqrt(3.0) / 5.0) * std::sqrt(1.0 - q * q / 6.0) *
                         std::pow(q / (q + 2.0 * std::sqrt(1.2 - 0.2 * q * q)), 0.25);
        CHECK_RELATIVE(laws::collide(law, mass, multiple * v_y).restitution, e, 1e-9);
    }
    CHECK_RELATIVE(laws::collide(law, mass, 0.99 * v_y).restitution, 1.0, 1e-9);
}

TEST_CASE("loading curves that the texts make smooth are smooth at their transitions") {
    const auto check = [](const auto& curve, double edge) {
        CHECK_ABSOLUTE(step(curve, edge), 0.0, 1e-12);
        CHECK_ABSOLUTE(slope_ratio(curve, edge), 1.0, 1e-5);
    };
    const laws::Contact c = contact_of(1.19e-3, 106e9, 900e6);
    const auto thornton = laws::make_thornton(c, 1.61);
    check(thornton, thornton.overlap_yield);
    const auto du_wang = laws::make_du_wang(c);
    check(du_wang, du_wang.overlap_yield);
    const auto yigit = laws::make_yigit(c, 1.61);
    check(yigit, yigit.overlap_yield);
    const auto ma_liu = laws::make_guarded_ma_liu(c, 2.84, 13.0);
    check(ma_liu, ma_liu.overlap_yield);
    check(ma_liu, ma_liu.overlap_plastic);
    const auto burgoyne =
        laws::make_burgoyne_daraio(c, 2.48, laws::smooth_burgoyne_daraio_fit(c, 2.48));
    check(burgoyne, burgoyne.overlap_yield);
    check(burgoyne, burgoyne.overlap_plastic);
    for (const double onset : {1.0, 1.5, 2.0}) {
        const auto brake = laws::make_brake(c, 2.8, 1.6, onset);
        check(brake, brake.overlap_yield);
        check(brake, brake.overlap_plastic);
    }
}

TEST_CASE("loading curves with a kink have a continuous force and the stated slopes") {
    const auto check = [](const auto& curve, double edge, double ratio) {
        CHECK_ABSOLUTE(step(curve, edge), 0.0, 1e-12);
        CHECK_ABSOLUTE(slope_ratio(curve, edge), ratio, 2e-5);
    };
    const auto stronge = laws::make_stronge(journal, 1.1);
    check(stronge, stronge.overlap_yield, 1.73737);
    check(stronge, stronge.overlap_plastic, 0.89362);
    const auto kogut = laws::make_kogut_etsion(journal, 2.8, 0.3, false);
    check(kogut, kogut.overlap_yield, 1.425 / 1.5);
    check(kogut, 6.0 * kogut.overlap_yield, 1.263 / 1.425);
    check(kogut, 110.0 * kogut.overlap_yield, 1.0);
    const auto jackson = laws::make_jackson_green(journal, {});
    CHECK_ABSOLUTE(step(jackson, 1.9 * jackson.overlap_yield), 0.0, 1e-12);
    CHECK_ABSOLUTE(slope_ratio(jackson, 1.9 * jackson.overlap_yield), 0.942, 5e-4);
    const auto vu_quoc = laws::make_vu_quoc_zhang(journal, 1.61, 0.02583, 0.009805);
    check(vu_quoc, vu_quoc.overlap_yield, 0.94093);
}

TEST_CASE("du-wang loads along the printed plastic branch") {
    const double p_y = (1.0 + std::numbers::pi / 2.0) * journal.yield_stress;
    const auto law = laws::make_du_wang(journal);
    const double R = journal.radius;
    const double E = journal.modulus;
    for (const double multiple : {1.5, 10.0, 300.0}) {
        const double x = multiple * law.overlap_yield;
        const double printed = std::numbers::pi * R * p_y * x -
                               std::pow(std::numbers::pi * p_y, 3) * R * R / (12.0 * E * E);
        CHECK_RELATIVE(law.loading_force(x), printed, 1e-12);
    }
}

TEST_CASE("Vu-Quoc and Zhang's force solves their implicit equation to rounding") {
    for (const auto& pair :
         {std::pair{0.02583, 0.009805}, {0.02583, 0.0}, {0.5, 0.1}, {5.0, 1.0}}) {
        const double widening = pair.first, flattening = pair.second;
        CAPTURE(widening);
        REQUIRE(laws::vu_quoc_zhang_is_usable(widening, flattening));
        const auto law = laws::make_vu_quoc_zhang(journal, 1.61, widening, flattening);
        const double a_y = std::sqrt(journal.radius * law.overlap_yield);
        for (double multiple = 1.0001; multiple < 1e5; multiple *= 1.7) {
            CAPTURE(multiple);
            const double force = law.loading_force(multiple * law.overlap_yield);
            const double over = force - law.force_yield;
            const double a_e = std::cbrt(3.0 * journal.radius * force / (4.0 * journal.modulus));
            const double a_p = widening * a_y / law.force_yield * over;
            const double overlap = (a_e + a_p) * (a_e + a_p) /
                                   ((1.0 + flattening / law.force_yield * over) * journal.radius);
            CHECK_RELATIVE(overlap, multiple * law.overlap_yield, 1e-12);
        }
    }
    CHECK_FALSE(laws::vu_quoc_zhang_is_usable(0.0, 0.0));
    CHECK_FALSE(laws::vu_quoc_zhang_is_usable(0.02583, 0.06));  // above Hertz
    CHECK_FALSE(
        laws::vu_quoc_zhang_is_usable(0.001, 0.002));  // the overlap would fall with the force
}

TEST_CASE("a collision returns the restitution that is a parameter of the law") {
    const laws::Contact c = contact_of(1.19e-3, 106e9, 900e6);
    for (const double speed : {0.01, 1.0, 20.0}) {
        CAPTURE(speed);
        const auto goldsmith = laws::make(c, law_settings("goldsmith", {{"restitution", 0.7}}));
        CHECK_RELATIVE(laws::collide(goldsmith, c.mass, speed).restitution, 0.7, 1e-9);
        const auto walton = laws::make(c, law_settings("walton-braun", {{"restitution", 0.7}}));
        CHECK_RELATIVE(laws::collide(walton, c.mass, speed).restitution, 0.7, 1e-9);
        // With hardening S it is sqrt(k_1 / (k_1/e^2 + S F_max)), with F_max the largest force.
        const auto hardening = laws::make(
            c, law_settings("walton-braun",
                            {{"restitution", 1.0}, {"stiffness", 1e6}, {"hardening", 1e5}}));
        const auto hit = laws::collide(hardening, c.mass, speed);
        CHECK_RELATIVE(hit.restitution, std::sqrt(1e6 / (1e6 + 1e5 * hit.max_force)), 1e-8);
    }
}

TEST_CASE("linear yigit returns gamma, the root of the recovered part of the overlap") {
    const laws::Contact c = contact_of(1.19e-3, 106e9, 900e6);
    const auto law = laws::make_yigit_linear(c, 1.61);
    for (const double speed : {0.3, 3.0, 30.0}) {
        const auto hit = laws::collide(law, c.mass, speed);
        CHECK_RELATIVE(hit.restitution, std::sqrt(1.0 - hit.residual_overlap / hit.max_overlap),
                       1e-7);
    }
}

TEST_CASE("guarded Ma-Liu differs from the printed law only near yield") {
    const laws::Contact c = contact_of(1.19e-3, 106e9, 900e6);
    const auto printed = laws::make_ma_liu(c, 2.84, 13.0);
    const auto guarded = laws::make_guarded_ma_liu(c, 2.84, 13.0);
    for (double multiple = 0.1; multiple < 1000.0; multiple *= 1.3) {
        CAPTURE(multiple);
        const double largest = multiple * printed.overlap_yield;
        CHECK_RELATIVE(guarded.loading_force(largest), printed.respond(largest, 0.0, {}).force,
                       1e-13);
        const double stored =
            printed.stored_energy(largest, printed.respond(largest, 0.0, {}).memory);
        const double bounded =
            guarded.stored_energy(largest, guarded.respond(largest, 0.0, {}).memory);
        if (multiple < 1.0 || multiple > 2.1) {
            CHECK_RELATIVE(bounded, stored, 1e-12);
        } else {
            CHECK(bounded <= stored);
        }
    }
}

TEST_CASE("burgoyne-daraio accepts its two fitted constants only together and in order") {
    const laws::Contact c = contact_of(1.19e-3, 106e9, 900e6);
    const auto make = [&](laws::Value area, laws::Value onset) {
        return laws::make(c, law_settings("burgoyne-daraio",
                                          {{"area_offset", area}, {"overlap_plastic", onset}}));
    };
    const auto fit = laws::smooth_burgoyne_daraio_fit(c, 2.48);
    CHECK_THROWS_AS(make(fit.area, "smooth"), ArgumentError);
    CHECK_THROWS_AS(make(0.0, 1e-9), ArgumentError);
    const laws::AnyLaw smooth = make("smooth", "smooth");
    const laws::AnyLaw given = make(fit.area, fit.overlap_plastic);
    CHECK(laws::first_loading_force(given, 1e-5) == laws::first_loading_force(smooth, 1e-5));
}

}  // namespace beadwave::validation::elastoplastic_test
