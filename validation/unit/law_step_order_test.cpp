// The order of accuracy in the time step that the catalogue states, against the measured one.

#include "beadwave/laws/catalogue.hpp"
#include "sanitised.hpp"
#include "step_order.hpp"

#include <string>

namespace beadwave::validation::law_step_order_test {

namespace {

// The largest step has 512 steps per contact. Errors of an order below 2 may still be small there
// compared to those of order 2: the slope is then between the two orders. A rebound may also
// converge faster than the motion: with Hertz's law, the errors before and after the turn cancel.
constexpr int coarsest = 512;
constexpr double below = 0.1, above = 0.2;

// The orders do not depend on the build. Where arithmetic is slow, only every eighth law is tested.
constexpr std::size_t each = sanitised ? 8 : 1;

/// Adhesion so strong that its jumps of the force are a part of the whole.
laws::Settings settings_of(const laws::Entry& entry) {
    if (entry.name == "capillary") return law_settings(entry.name, {{"surface_tension", 10.0}});
    if (entry.family == "adhesion") return law_settings(entry.name, {{"adhesion_energy", 3e3}});
    return law_settings(entry.name);
}

void check_order(double measured, double stated) {
    CHECK(measured > stated - below);
    if (stated < 2.0) CHECK(measured < stated + above);
}

}  // namespace

TEST_CASE("every law converges with the time step as its catalogue entry states" *
          doctest::skip(sanitised)) {
    std::size_t turn = 0;
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty() || turn++ % each != 0) continue;
        CAPTURE(entry.name);
        const double measured = measured_step_order(settings_of(entry), coarsest);
        CAPTURE(measured);
        CHECK((entry.step_order.order == 2.0 || !entry.step_order.remark.empty()));
        check_order(measured, entry.step_order.order);
    }
}

TEST_CASE("other settings change a law's order in the time step as its entry remarks") {
    struct Other {
        std::string law;
        std::map<std::string, laws::Value> given;
        double order;
    };
    const std::string printed = "printed", gap = "gap", overlap = "overlap";
    const Other others[] = {{"kogut-etsion", {{"transition", printed}}, 1.0},
                            {"jackson-green", {{"transition", printed}}, 1.0},
                            {"jian", {{"separation", gap}}, 1.5},
                            {"ristow", {{"damper", overlap}}, 2.0},
                            {"wang-liu", {{"transition", "continuous"}}, 1.3},
                            {"falcon", {{"overlap_exponent", 0.5}}, 1.5},
                            {"choi", {{"overlap_exponent", 0.5}, {"damping", 2e4}}, 1.5},
                            {"flores", {{"impact_speed", "per-contact"}}, 2.0}};
    std::size_t turn = 0;
    for (const Other& other : others) {
        if (turn++ % each != 0) continue;
        CAPTURE(other.law);
        check_order(measured_step_order(law_settings(other.law, other.given), coarsest),
                    other.order);
    }
}

}  // namespace beadwave::validation::law_step_order_test
