// Laws that are formulas: beside the catalogue's laws, a plain integration, derivatives; the same
// bits in batches and alone.

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/expression/settings.hpp"
#include "every_engine.hpp"
#include "laws/law_slopes.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "same_bits.hpp"
#include "scenarios.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace beadwave::validation::expression_law_test {

namespace {

using Numbers = std::map<std::string, double>;

laws::Settings formula(const std::string& force, const Numbers& parameters = {},
                       const std::map<std::string, laws::Value>& given = {}) {
    laws::Settings settings = law_settings("expression", given);
    settings.values.insert_or_assign("force", force);
    for (const auto& [name, value] : parameters)
        settings.values.insert_or_assign("parameters." + name, value);
    return settings;
}

laws::Contact steel_pair() {
    const laws::Elasticity steel{
        .youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 9e8};
    return laws::sphere_contact(2.38e-3, 0.45e-3, steel, 2.38e-3, 0.45e-3, steel);
}

/// What is wrong with a law; empty: nothing.
std::string fault_of(const laws::Settings& settings) {
    try {
        laws::make(steel_pair(), settings);
        return "";
    } catch (const ArgumentError& error) {
        return error.what();
    }
}

/// The largest difference of the velocities of beads, over the largest one.
double difference(const dynamics::Engine& a, const dynamics::Engine& b) {
    Largest worst, largest;
    for (std::size_t i = 0; i < a.velocity().size(); ++i) {
        worst.enter(std::abs(a.velocity()[i] - b.velocity()[i]));
        largest.enter(std::abs(b.velocity()[i]));
    }
    return worst / largest;
}

/// A pair of equal laws: the formula and that of the catalogue.
struct Pair {
    laws::Settings formula, known;
};

std::array<Pair, 3> pairs() {
    const double k = steel_pair().stiffness;
    const std::map<std::string, laws::Value> dashpot{{"stiffness", 1e7},
                                                     {"damping", 20.0},
                                                     {"restitution", std::string("from-damping")},
                                                     {"separation", std::string("gap")}};
    return {
        {{formula("k*delta^1.5", {{"k", k}}), law_settings("hertz")},
         // Hunt and Crossley's factor is 3/2 (1 - e).
         {formula("K*delta^1.5*(1 + 1.5*(1 - e)*ddot/v0)", {{"e", 0.8}},
                  {{"impact_speed", std::string("per-contact")}}),
          law_settings("hunt-crossley",
                       {{"restitution", 0.8}, {"impact_speed", std::string("per-contact")}})},
         {formula("1e7*delta + c*delta_dot", {{"c", 20.0}}, {{"separation", std::string("gap")}}),
          law_settings("kelvin-voigt", dashpot)}}};
}

}  // namespace

TEST_CASE("a formula moves a chain as the catalogue's law does, on every engine") {
    for (const Pair& pair : pairs()) {
        CAPTURE(pair.known.name);
        chain::Scenario scenario = steel_chain(70, 1.77, pair.known, 2e-4);
        const chain::Chain known = chain::build_chain(scenario);
        scenario.law = pair.formula;
        const chain::Chain own = chain::build_chain(scenario);
        dynamics::SensorTrace none;
        const auto plain = dynamics::make_plain_engine(known, 1e-7);
        plain->advance(2000, none);
        each_engine(own, 1e-7, [&](dynamics::Engine& engine) {
            engine.advance(2000, none);
            // Rounding of powers, quotients and the order of factors, over 2000 steps.
            CHECK(difference(engine, *plain) < 1e-11);
            const dynamics::Totals a = engine.totals(), b = plain->totals();
            CHECK_RELATIVE(a.kinetic, b.kinetic, 1e-11);
            CHECK_RELATIVE(a.stored, b.stored, 1e-10);
            CHECK_ABSOLUTE(a.dissipated, b.dissipated, 1e-11 * b.kinetic);
        });
    }
}

TEST_CASE("contacts in batches have the bits of contacts alone, on every instruction set") {
    const laws::Settings law =
        formula("K*delta^1.5*(1 + c*tanh(ddot/v0)) + if(delta > 1e-6, q*(delta - 1e-6)^2.3, 0)",
                {{"c", 0.3}, {"q", 1e12}},
                {{"impact_speed", std::string("per-contact")},
                 {"energy", std::string("0.4*K*delta^2.5 + q*max(delta - 1e-6, 0)^3.3/3.3")}});
    for (const double disorder : {0.0, 0.05}) {
        chain::Scenario scenario = steel_chain(331, 1.77, law, 2e-4);
        if (disorder > 0.0) scenario.segments[1].disorder = disorder;
        const chain::Chain chain = chain::build_chain(scenario);
        dynamics::SensorTrace none;
        for (const simd::InstructionSet& set : simd::instruction_sets()) {
            CAPTURE(set.name);
            const auto one = dynamics::make_tiled_engine(chain, 1e-7, 1, {.beads = 400}, set);
            const auto tiles =
                dynamics::make_tiled_engine(chain, 1e-7, 2, {.beads = 16, .steps = 7}, set);
            one->advance(900, none);
            for (const int steps : {100, 333, 467})
                tiles->advance(steps, none);
            CHECK(same_bits(one->velocity(), tiles->velocity()));
            CHECK(same_bits(one->contact_force(), tiles->contact_force()));
        }
    }
}

TEST_CASE("a formula of its own follows a plain integration") {
    // F = a x^1.5 + b x^1.5 v |v| / (1 + |v|), two bodies.
    const double a = 2e10, b = 4e9, mass = 0.225e-3;
    const laws::AnyLaw law = laws::make(
        steel_pair(),
        formula("a*delta^1.5 + b*delta^1.5*ddot*abs(ddot)/(1 + abs(ddot))", {{"a", a}, {"b", b}}));
    double x = 0.0, v = 2.0;
    const auto acceleration = [&](double at, double speed) {
        const double p = at > 0.0 ? at * std::sqrt(at) : 0.0;
        const double f = a * p + b * p * speed * std::abs(speed) / (1.0 + std::abs(speed));
        return -std::max(f, 0.0) / mass;
    };
    const double dt = 2e-9;
    do {  // Runge and Kutta's method
        const double k1 = acceleration(x, v), v2 = v + 0.5 * dt * k1;
        const double k2 = acceleration(x + 0.5 * dt * v, v2), v3 = v + 0.5 * dt * k2;
        const double k3 = acceleration(x + 0.5 * dt * v2, v3), v4 = v + dt * k3;
        const double k4 = acceleration(x + dt * v3, v4);
        x += dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    } while (x > 0.0);
    // The steps are 1/20,000 of the contact; its ends are not smooth.
    CHECK_RELATIVE(laws::collide(law, mass, 2.0).rebound_speed, -v, 1e-8);
}

TEST_CASE("the slopes of a formula are its derivatives") {
    const double k = 3e9, c = 0.2, x = 2e-6, v = 0.7;
    const laws::AnyLaw law = laws::make(
        steel_pair(), formula("k*delta^1.37*(1 + c*tanh(3*ddot)) + 50*log(1 + delta/1e-6)",
                              {{"k", k}, {"c", c}}));
    const laws::Slopes<double> slopes = laws::exact_slopes(law, x, v, {});
    const double factor = 1.0 + c * std::tanh(3.0 * v);
    CHECK_RELATIVE(slopes.stiffness, 1.37 * k * std::pow(x, 0.37) * factor + 50.0 / (1e-6 + x),
                   1e-12);
    CHECK_RELATIVE(slopes.damping,
                   k * std::pow(x, 1.37) * c * 3.0 / std::pow(std::cosh(3.0 * v), 2), 1e-12);
    // The energy is the integral of the force at rest.
    const double expected =
        k * std::pow(x, 2.37) / 2.37 + 50.0 * ((1e-6 + x) * std::log1p(x / 1e-6) - x);
    CHECK_RELATIVE(law.stored_energy(x, {}), expected, 1e-9);
}

TEST_CASE("a formula moves a packing as the catalogue's law does, on both engines") {
    for (const Pair& pair : pairs()) {
        CAPTURE(pair.known.name);
        packing::Packing known = soft_rough_crystal("hertz");
        known.law = pair.known;
        packing::Packing own = known;
        own.law = pair.formula;
        if (own.law.values.contains("parameters.k"))
            own.law.values.at("force") = std::string("K*delta^1.5");
        const double dt = 2e-6;
        const auto expected = engine_makers[0](known, dt);
        expected->advance(150);
        for (const EngineMaker& make : engine_makers) {
            const auto engine = make(own, dt);
            engine->advance(150);
            CHECK(largest_difference(engine->velocity(), expected->velocity()) < 1e-10);
            CHECK_RELATIVE(energy_of(engine->totals()), energy_of(expected->totals()), 1e-9);
        }
    }
}

TEST_CASE("what is wrong with a formula is said in one sentence with its column") {
    const std::array<std::pair<const char*, const char*>, 17> bad{{
        {"k*dleta^1.5", "force: column 3: \"dleta\" is not known; did you mean \"delta\"?"},
        {"2k*delta", "force: column 1: \"2k\" is not a number; a product needs \"*\""},
        {"k(delta)", "force: column 1: \"k\" is no function; a product needs \"*\""},
        {"k*delta^1.5*(1+", "force: column 16: the end of the text is not expected here"},
        {"k*delta)", "force: column 8: \")\" is not expected here"},
        {"min(delta)", "force: column 1: min takes 2 arguments, not 1"},
        {"sqrt*2", "force: column 1: the function sqrt needs its arguments"},
        {"0 < delta < 1", "force: column 11: comparisons cannot follow one another"},
        {"k*delta - 3", "at zero overlap and rate; it must be zero"},
        {"k*delta^1.5/delta^2", "at zero overlap and rate; it must be zero"},
        {"k*delta*log(delta)", "force: pulls with"},
        {"k*delta*(1 - 0.1*ddot)", "force: makes energy"},
        {"k*delta*sqrt(ddot)", "is not finite at delta"},
        {"k*delta*min(2, 1 + sqrt(ddot))", "is not finite at delta"},
        {"k*delta - 2*k*delta", "force: pulls with"},
        {"if(delta > 1e-6, 2*k*delta, k*delta)", "energy: is missing: the force bends"},
        {"k*delta^1.5*(1 + ddot/v0)", "give impact_speed as a number"},
    }};
    for (const auto& each : bad) {
        const std::string text = each.first, said = each.second;
        CAPTURE(text);
        laws::Settings law = formula(text, {{"k", 1e9}});
        if (text.find("v0") != std::string::npos)
            law.values.insert_or_assign("impact_speed", std::string("initial"));
        const std::string why = fault_of(law);
        CAPTURE(why);
        CHECK(why.find(said) != std::string::npos);
    }
    CHECK(fault_of(formula("k*delta", {{"k", 1e9}, {"delta", 1.0}})).find("already have") !=
          std::string::npos);
    laws::Settings wrong = formula("k*delta", {{"k", 1e9}});
    wrong.values.insert_or_assign("energy", std::string("k*delta^2"));
    CHECK(fault_of(wrong).find("work at rate 0") != std::string::npos);
    wrong.values.insert_or_assign("energy", std::string("0.5*k*delta^2"));
    CHECK(fault_of(wrong).empty());
    CHECK(fault_of(formula("k*delta*(1 - delta/1e-4)", {{"k", 1e9}},
                           {{"separation", std::string("gap")}}))
              .empty());
}

TEST_CASE("formulas have the values of the same expressions in C++") {
    const double x = 3e-6, v = 0.4;
    const auto check = [&](const char* text, double expected) {
        CAPTURE(text);
        laws::Settings law = formula(std::string("1e6*delta*(") + text + ")", {{"a", 0.3}});
        // Positive at any speed, so that it is no law that makes energy: the checks look at rest.
        const laws::AnyLaw made = laws::make(steel_pair(), law);
        CHECK_RELATIVE(made.respond(x, v, {}).force, 1e6 * x * expected, 1e-14);
    };
    check("2^3^2 - 500", 12.0);
    check("-2^2 + 5", 1.0);
    check("7 - 2 - 1", 4.0);
    check("8/4/2", 1.0);
    check("2**-1", 0.5);
    check("1 + (a < 0.5 && !(a == 0)) + (a > 1 || 2 <= 1)", 2.0);
    check("if(a != 0.3, 1, 4)", 4.0);
    check("max(min(a, 2), -a)", 0.3);
    check("exp(-a) + abs(-a) + pow(a, 0.25) + sign(-a)",
          std::exp(-0.3) + 0.3 + std::pow(0.3, 0.25) - 1.0);
    check("1 + a*tanh(20*ddot)", 1.0 + 0.3 * std::tanh(20.0 * v));
    check("2 + sin(a)*cos(1e3*delta)", 2.0 + std::sin(0.3) * std::cos(1e3 * x));
    check("3 + 0*pi", 3.0);
    check("1 + (2*ddot)^17", 1.0 + std::pow(2.0 * v, 17));
}

}  // namespace beadwave::validation::expression_law_test
