// The hysteresis-damping factors: the restitution that each returns, the accuracy of the exact
// ones, and the ranges of use in the catalogue.

#include "beadwave/laws/hysteresis.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/hysteresis_restitution.hpp"
#include "largest.hpp"
#include "laws/catalogue/hysteresis_factors.hpp"
#include "laws/catalogue/hysteresis_validity.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace beadwave::validation::hysteresis_test {

namespace {

constexpr laws::Contact contact{.radius = 1e-3, .modulus = 1e11, .mass = 2e-4, .stiffness = 4e9};
constexpr double speed = 1.77;

/// The root e of chi (1 + e) = ln[(1 + chi) / (1 - chi e)], by bisection. The exponential form
/// stays accurate where chi e is almost 1.
double exact_output(double chi) {
    if (chi == 0.0) return 1.0;
    double low = 0.0, high = std::min(1.0, 1.0 / chi);
    for (int halving = 0; halving < 200; ++halving) {
        const double e = 0.5 * (low + high);
        const bool below = chi * e - 1.0 + (1.0 + chi) * std::exp(-chi * (1.0 + e)) < 0.0;
        (below ? low : high) = e;
    }
    return low;
}

double output(const std::string& law, double restitution,
              const std::map<std::string, laws::Value>& more = {}) {
    auto settings = law_settings(law, {{"restitution", restitution}, {"impact_speed", speed}});
    for (const auto& [name, value] : more)
        settings.values.insert_or_assign(name, value);
    return laws::collide(laws::make(contact, settings), contact.mass, speed).restitution;
}

/// The chi in the law's kernel for a uniform impact speed.
double chi_of(const std::string& law, double restitution) {
    const auto any = laws::make(
        contact, law_settings(law, {{"restitution", restitution}, {"impact_speed", speed}}));
    return any.as<laws::Hysteresis<double, laws::ImpactSpeed::uniform>>().damping * speed;
}

}  // namespace

TEST_CASE("every damping factor returns the restitution of the exact relation within 1e-8") {
    Largest worst;
    for (const laws::HysteresisFactor& row : laws::hysteresis_factors()) {
        for (const double e : {0.03, 0.1, 0.25, 0.26, 0.4, 0.55, 0.7, 0.85, 0.95}) {
            CAPTURE(row.name);
            CAPTURE(e);
            const double hit = output(std::string(row.name), e);
            CHECK_ABSOLUTE(hit, exact_output(row.chi(e)), 1e-8);
            worst.enter(std::abs(hit - exact_output(row.chi(e))));
        }
    }
    MESSAGE("largest difference ", worst);
}

TEST_CASE("the damping factors have their tabulated values") {
    int compared = 0;
    for (const Row& row : table("papers/hysteresis_factors.csv")) {
        for (const char* input : {"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"}) {
            CAPTURE(row.at("law"));
            CAPTURE(input);
            CHECK_ABSOLUTE(chi_of(row.at("law"), std::stod(input)), number(row, input), 0.6e-6);
            ++compared;
        }
    }
    CHECK(compared == 9 * static_cast<int>(laws::hysteresis_factors().size()));
}

TEST_CASE("zhang-sharf, khatiwada and exact agree to 1e-9 and return e to 1e-10") {
    Largest worst_factor, worst_output;
    for (const double e :
         {0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97, 0.999, 0.999999}) {
        CAPTURE(e);
        const double exact = chi_of("exact", e);
        for (const std::string law : {"zhang-sharf", "khatiwada"}) {
            CAPTURE(law);
            CHECK_RELATIVE(chi_of(law, e), exact, 1e-9);
            worst_factor.enter(std::abs(chi_of(law, e) / exact - 1.0));
        }
        for (const std::string law : {"zhang-sharf", "khatiwada", "exact"}) {
            CAPTURE(law);
            if (e < 0.9999)
                CHECK_ABSOLUTE(exact_output(chi_of(law, e)), e, 1e-10);  // the test's own accuracy
            CHECK_ABSOLUTE(output(law, e), e, 1e-10);
            worst_output.enter(std::abs(output(law, e) - e));
        }
    }
    MESSAGE("factors differ by ", worst_factor, " relative; collisions return e within ",
            worst_output);
    for (const std::string law : {"zhang-sharf", "khatiwada", "exact"})
        CHECK(chi_of(law, 1.0) == 0.0);
}

TEST_CASE("exact returns e to 1e-10 on a spring of any exponent") {
    Largest worst;
    for (const double n : {1.0, 1.1, 1.25, 1.5, 2.0, 3.0}) {
        for (const double e : {0.01, 0.1, 0.3, 0.65, 0.9}) {
            CAPTURE(n);
            CAPTURE(e);
            const double hit = output("exact", e, {{"exponent", n}, {"stiffness", 3e7}});
            CHECK_ABSOLUTE(hit, e, 1e-10);
            worst.enter(std::abs(hit - e));
        }
    }
    MESSAGE("largest difference ", worst);
    CHECK_ABSOLUTE(output("exact", 0.5,
                          {{"exponent", 2.0}, {"stiffness", 3e7}, {"impact_speed", "per-contact"}}),
                   0.5, 1e-10);
}

TEST_CASE("an exponent other than Hertz's is refused without a stiffness of its own") {
    CHECK_THROWS_WITH_AS(
        laws::make(contact, law_settings("exact", {{"exponent", 2.0}})),
        "law \"exact\" with exponent n = 2 needs a stiffness, in N/m^2: that of the two bodies "
        "belongs to n = 1.5",
        ArgumentError);
}

TEST_CASE("the exact relation and its inverse hold from no damping to the strongest") {
    for (const double e : {1e-6, 1e-3, 0.02, 0.3, 0.7, 0.99, 1.0 - 1e-6, 1.0 - 1e-12}) {
        CAPTURE(e);
        CHECK_ABSOLUTE(laws::hysteresis_restitution(laws::exact_hysteresis_factor(e)), e, 1e-14);
    }
    for (const double chi : {1e-3, 0.1, 0.9, 1.0, 1.1, 7.0, 100.0}) {
        CAPTURE(chi);
        CHECK_ABSOLUTE(laws::hysteresis_restitution(chi), exact_output(chi), 1e-9);
    }
    // Herbert-McWhannell's factor is the limit for e near 1.
    const double e = 1.0 - 1e-7;
    CHECK_RELATIVE(laws::exact_hysteresis_factor(e), 1.5 * (1.0 - e), 1e-6);
    CHECK(laws::hysteresis_restitution(0.0) == 1.0);
}

TEST_CASE("a factor is good to 1 % exactly where the catalogue states it") {
    for (const laws::HysteresisFactor& row : laws::hysteresis_factors()) {
        CAPTURE(row.name);
        const auto ranges = laws::faithful_restitutions(row.chi, row.least_restitution);
        for (int percent = 1; percent <= 100; ++percent) {
            const double e = percent / 100.0;
            if (e <= row.least_restitution) continue;
            const bool good = std::abs(exact_output(row.chi(e)) - e) <= 0.01 * e;
            const bool stated = std::ranges::any_of(ranges, [&](const auto& range) {
                return e > range.from - 1e-6 && e < range.to + 1e-6;
            });
            CAPTURE(e);
            CHECK(good == stated);
        }
        MESSAGE(row.name, ": ", laws::find(row.name)->validity);
    }
    CHECK(laws::find("hunt-crossley")
              ->validity()
              .rfind("returns a restitution within 1 % of e for e from ", 0) == 0);
}

TEST_CASE(
    "hu is refused at and below its singularity, and gharib-hurmuzlu's entry states that it is not "
    "elastic at e = 1") {
    const laws::Parameter& restitution = laws::find("hu")->parameters.front();
    CHECK(restitution.name == "restitution");
    CHECK(!restitution.accepts(0.0212));
    CHECK(restitution.accepts(0.0213));
    CHECK_ABSOLUTE(laws::hysteresis_restitution(1.0), 0.594, 5e-4);
    CHECK(laws::find("gharib-hurmuzlu")->validity().find("0.594") != std::string::npos);
}

TEST_CASE("wang-c-star damps like zhiying-qishao with c* in place of e") {
    // {ratio of yield stresses, impact speed, c*}, c* computed by hand from CorralReview Eqs
    // (5.58)-(5.60).
    const double cases[][3] = {
        {30.0, 0.5, 0.786522}, {1.0, 0.1, 0.879319}, {1.5, 1.0, 0.844}, {2.0, 1.0, 0.48}};
    for (const auto& numbers : cases) {
        const double ratio = numbers[0], v = numbers[1], c_star = numbers[2];
        CAPTURE(ratio);
        const auto law = laws::make(
            contact, law_settings("wang-c-star", {{"yield_ratio", ratio}, {"impact_speed", v}}));
        const double chi =
            law.as<laws::Hysteresis<double, laws::ImpactSpeed::uniform>>().damping * v;
        CHECK_RELATIVE(chi, 0.75 * (1.0 - c_star * c_star) * std::exp(2.0 * (1.0 - c_star)), 5e-6);
        CHECK_ABSOLUTE(laws::collide(law, contact.mass, v).restitution, exact_output(chi), 1e-8);
    }
    CHECK_THROWS_AS(laws::make(contact, law_settings("wang-c-star", {{"impact_speed", 60.0}})),
                    ArgumentError);
}

}  // namespace beadwave::validation::hysteresis_test
