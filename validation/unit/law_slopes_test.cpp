// The derivatives of laws at a static load: exact, and one-sided where a law has two.

#include "laws/law_slopes.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "plastic_laws.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

namespace beadwave::validation::law_slopes_test {

namespace {

const laws::Elasticity steel{.youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6};
const laws::Contact pair = laws::sphere_contact(2.38e-3, 0.45e-3, steel, 2.38e-3, 0.45e-3, steel);

}  // namespace

TEST_CASE("slopes of every law equal differences of its force") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        CAPTURE(entry.name);
        const laws::AnyLaw law = laws::make(pair, law_settings(entry.name));
        for (const double overlap : {3e-8, 4e-7, 6e-6}) {
            for (const double speed : {0.02, -0.01}) {
                CAPTURE(overlap);
                CAPTURE(speed);
                // Unloaded from a larger overlap, so that no branch changes nearby.
                const laws::AnyMemory memory = law.respond(1.5 * overlap, 0.3, {}).memory;
                const auto force = [&](double x, double v) {
                    return law.respond(x, v, memory).force;
                };
                // Central differences of fourth order: truncation and rounding balance near 1e-10.
                const auto slope = [](const auto& f, double h) {
                    return (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h);
                };
                const double h = 1e-3 * overlap, dv = 1e-3 * std::fabs(speed);
                const double by_overlap =
                    slope([&](double d) { return force(overlap + d, speed); }, h);
                const double by_speed =
                    slope([&](double d) { return force(overlap, speed + d); }, dv);
                const auto exact = laws::exact_slopes(law, overlap, speed, memory);
                const double size = std::fabs(force(overlap, speed));
                CHECK(std::fabs(exact.stiffness - by_overlap) <=
                      1e-7 * std::fabs(by_overlap) + 1e-11 * size / h);
                CHECK(std::fabs(exact.damping - by_speed) <=
                      1e-7 * std::fabs(by_speed) + 1e-11 * size / dv);
            }
        }
    }
}

TEST_CASE("laws whose force does not depend on the speed have the slopes of the general form") {
    int laws_without_speed = 0;
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        CAPTURE(entry.name);
        const laws::AnyLaw law = laws::make(pair, law_settings(entry.name));
        const laws::AnyMemory loaded = law.respond(6e-6, 0.3, {}).memory;
        if (law.respond(4e-6, 0.3, loaded).force != law.respond(4e-6, -0.1, loaded).force) continue;
        ++laws_without_speed;
        for (const double reached : {4e-8, 4e-7, 6e-6}) {
            const laws::AnyMemory memory = law.respond(reached, 0.3, {}).memory;
            for (const double part : {-0.5, 0.0, 0.3, 0.9, 1.0}) {
                CAPTURE(reached);
                CAPTURE(part);
                const auto general = laws::slopes(law, part * reached, 0.2, memory, 0.05, 1e-8);
                const auto elastic = laws::elastic_slopes(law, part * reached, memory);
                CHECK(elastic.stiffness == general.stiffness);
                CHECK(elastic.damping == general.damping);
            }
        }
    }
    CHECK(laws_without_speed > 10);
}

TEST_CASE("a static Hertz contact has the stiffness 1.5 K^(2/3) F^(1/3) and no other") {
    const laws::AnyLaw law = laws::make(pair, law_settings("hertz"));
    for (const double force : {1e-3, 20.0, 4e4}) {
        const auto contact = laws::static_contact(law, laws::overlap_at_force(law, force));
        CHECK_RELATIVE(contact.force, force, 1e-14);
        CHECK_RELATIVE(contact.slopes.stiffness,
                       1.5 * std::pow(pair.stiffness, 2.0 / 3.0) * std::cbrt(force), 1e-14);
        CHECK(contact.slopes.damping == 0.0);
        CHECK_FALSE(contact.loading_stiffness.has_value());
        CHECK_FALSE(contact.jumps);
    }
}

TEST_CASE("a yielded contact is stiffer in unloading, one below yield is not") {
    const laws::AnyLaw law = laws::make(pair, law_settings("thornton"));
    const auto elastic = laws::static_contact(law, laws::overlap_at_force(law, 1e-2));
    CHECK_FALSE(elastic.loading_stiffness.has_value());
    const auto yielded = laws::static_contact(law, laws::overlap_at_force(law, 100.0));
    REQUIRE(yielded.loading_stiffness.has_value());
    CHECK(*yielded.loading_stiffness < yielded.slopes.stiffness);
    CHECK_FALSE(yielded.jumps);
    const double overlap = laws::overlap_at_force(law, 100.0);
    const auto memory = law.respond(overlap, 0.0, {}).memory;
    const double h = 1e-5 * overlap;
    CHECK_RELATIVE(
        yielded.slopes.stiffness,
        (law.respond(overlap, 0.0, memory).force - law.respond(overlap - h, 0.0, memory).force) / h,
        1e-4);
}

TEST_CASE("the damping at rest of dashpots by a power of the speed") {
    const auto at_rest = [](const char* name, const std::map<std::string, laws::Value>& given) {
        const laws::AnyLaw law = laws::make(pair, law_settings(name, given));
        return laws::static_contact(law, laws::overlap_at_force(law, 20.0));
    };
    // gamma |v|^alpha, alpha = 1: the slope at rest is gamma, not that of 0^0.
    const auto linear = at_rest("carretero-gonzalez", {{"gamma", 5.0}, {"alpha", 1.0}});
    CHECK_RELATIVE(linear.slopes.damping, 5.0, 1e-14);
    CHECK(linear.dashpot == laws::Dashpot::linear);
    CHECK(at_rest("choi", {{"damping", 10.0}}).slopes.damping > 0.0);

    for (const double power : {0.5, 1.8}) {
        const auto other = at_rest("carretero-gonzalez", {{"gamma", 5.0}, {"alpha", power}});
        CHECK(other.slopes.damping == 0.0);
        CHECK(other.dashpot == laws::Dashpot::nonlinear);
    }
}

TEST_CASE("a dashpot that acts in closing only has half its damping in small motions") {
    const laws::AnyLaw law = laws::make(pair, law_settings("jankowski"));
    const double overlap = laws::overlap_at_force(law, 20.0);
    const auto contact = laws::static_contact(law, overlap);
    const laws::AnyMemory memory = law.respond(overlap, 0.0, {}).memory;
    const double closing = laws::exact_slopes(law, overlap, 1e-6, memory).damping;
    REQUIRE(laws::exact_slopes(law, overlap, -1e-6, memory).damping == 0.0);
    CHECK_RELATIVE(contact.slopes.damping, 0.5 * closing, 1e-12);
    CHECK(contact.dashpot == laws::Dashpot::one_sided);
}

TEST_CASE("a dashpot by the speed of each contact's first touch says so") {
    const auto dashpot = [](const laws::Value& impact_speed) {
        const laws::AnyLaw law = laws::make(
            pair,
            law_settings("flores", {{"impact_speed", impact_speed}, {"min_impact_speed", 1e-3}}));
        return laws::static_contact(law, laws::overlap_at_force(law, 20.0)).dashpot;
    };
    CHECK(dashpot(0.1) == laws::Dashpot::linear);
    CHECK(dashpot(std::string("per-contact")) == laws::Dashpot::by_first_speed);
}

}  // namespace beadwave::validation::law_slopes_test
