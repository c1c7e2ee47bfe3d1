// The cylindrical laws of Skrinjar2018 section 4, compared with the printed equations.

#include "beadwave/laws/collision.hpp"
#include "line_contacts.hpp"
#include "relative.hpp"

#include <cmath>
#include <numbers>
#include <string>

namespace beadwave::validation::line_equations_test {

using std::numbers::pi;

TEST_CASE("every line law solves the equation that Skrinjar2018 prints") {
    const double E = 1.0 / (2.0 * (1.0 - 0.3 * 0.3) / 2.1e11), L = 15e-3, Ri = 5e-3, Rj = 4.75e-3;
    const double dR = Ri - Rj, R = Ri * Rj / dR, h = 1.0 / E;
    for (const double F : {1e-6, 1.0, 400.0, 20e3, 150e3}) {
        CAPTURE(F);
        const double f = F / L;
        CHECK_RELATIVE(force(law_of("hertz"), 2 * f / (pi * E) * (std::log(pi * E * dR / f) - 1)),
                       F, 1e-11);
        CHECK_RELATIVE(force(law_of("johnson"), f / (pi * E) * (std::log(4 * pi * E * dR / f) - 1)),
                       F, 1e-11);
        const auto radzimovsky = [&](double b) {
            return f / (pi * E) * (2.0 / 3.0 + std::log(4 * Ri / b) + std::log(4 * Rj / b));
        };
        CHECK_RELATIVE(force(law_of("radzimovsky", {{"form", "eq37"}}),
                             radzimovsky(1.60 * std::sqrt(f * R / E))),
                       F, 1e-11);
        CHECK_RELATIVE(force(law_of("radzimovsky"),
                             f / (pi * E) * (2.0 / 3.0 + std::log(8 * dR * E / (1.6 * 1.6 * f)))),
                       F, 1e-11);
        const auto goldsmith_form = [&](double in_log) {
            return F * h / L * (std::log(in_log) + 1);
        };
        CHECK_RELATIVE(force(law_of("goldsmith"), goldsmith_form(L / (F / dR * h))), F, 1e-11);
        CHECK_RELATIVE(
            force(law_of("goldsmith", {{"curvature", "radius"}}), goldsmith_form(L / (F * R * h))),
            F, 1e-11);
        CHECK_RELATIVE(force(law_of("dubowsky-freudenstein"),
                             goldsmith_form(L * L * L * (Ri - Rj) / (F * Ri * Rj * h))),
                       F, 1e-11);
        CHECK_RELATIVE(force(law_of("esdu-78035"), goldsmith_form(4 * L * (Ri - Rj) / (F * h))), F,
                       1e-11);
        CHECK_RELATIVE(
            force(law_of("lankarani-nikravesh"), std::pow(3 * F / (4 * E * std::sqrt(R)), 1 / 1.5)),
            F, 1e-11);
    }
    for (const double delta : {1e-9, 1e-6, 1e-4}) {
        CAPTURE(delta);
        CHECK_RELATIVE(force(law_of("liu"), delta),
                       0.5 * pi * L * delta * E * std::sqrt(delta / (2 * (dR + delta))), 1e-13);
        const double b = std::tan(0.5 * std::acos(dR / (dR + delta))), b2 = b * b;
        CHECK_RELATIVE(force(law_of("persson", {{"modulus_factor", 1.0}}), delta),
                       L * E * dR * pi * (b2 + 1) * b2 / (2 - std::log(b2 + 1) - 2 * b2 * b2),
                       1e-7);
        const double clearance = 1e3 * dR;  // mm, and E in MPa
        const double n =
            1.51 * std::pow(std::log(1000 * clearance), -0.151) * std::pow(clearance, -0.005);
        CHECK_RELATIVE(
            force(law_of("pereira"), delta),
            (0.965 * clearance + 0.0965) * 15 * (1e-6 * E) / clearance * std::pow(1e3 * delta, n),
            1e-12);
    }
}

TEST_CASE("the printed overlap of an inverted line law's force is the overlap again") {
    for (const laws::LineEntry& entry : laws::line_catalogue()) {
        CAPTURE(entry.name);
        const laws::LineLaw law = law_of(entry.name);
        const auto* line = std::get_if<laws::LogarithmicLine>(&law.spring);
        if (line == nullptr) continue;
        const double end = line->largest_overlap();
        for (const double part : {1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999, 1.0 - 1e-9}) {
            CHECK_RELATIVE(line->overlap(line->force(part * end)), part * end, 1e-13);
        }
        CHECK(line->force(std::numeric_limits<double>::min()) >= 0.0);
    }
}

TEST_CASE("the slope of a line law's stored energy is its force") {
    for (const laws::LineEntry& entry : laws::line_catalogue()) {
        CAPTURE(entry.name);
        const laws::LineLaw law = law_of(entry.name);
        CHECK(law.respond(0.0, 1.0, {}).force == 0.0);
        CHECK(law.respond(-1e-3, 1.0, {}).force == 0.0);
        CHECK(law.stored_energy(-1e-3, {}) == 0.0);
        for (const double overlap : {1e-9, 1e-7, 1e-6, 1e-5, 5e-5}) {
            CAPTURE(overlap);
            const double step = 1e-4 * overlap;
            const double slope =
                (law.stored_energy(overlap + step, {}) - law.stored_energy(overlap - step, {})) /
                (2.0 * step);
            CHECK_RELATIVE(slope, force(law, overlap), 1e-7);
        }
    }
    // Liu's closed form.
    const laws::LineContact c = pin_in_hole();
    const double a = c.radius_difference, d = 5e-5;
    const double closed = pi * c.modulus * c.length / (2.0 * std::sqrt(2.0)) *
                          (std::sqrt(d * (d + a)) * (2.0 * d - 3.0 * a) / 4.0 +
                           0.75 * a * a * std::asinh(std::sqrt(d / a)));
    CHECK_RELATIVE(law_of("liu").stored_energy(d, {}), closed, 1e-10);
}

TEST_CASE("a line law ends at the printed form's largest overlap, and its error says so") {
    const laws::LineContact c = pin_in_hole();
    const auto end = [&](const char* law) { return law_of(law).largest_overlap(); };
    CHECK_RELATIVE(end("hertz") / c.radius_difference, 2.0 * std::exp(-2.0), 1e-13);
    CHECK_RELATIVE(end("johnson") / c.radius_difference, 4.0 * std::exp(-2.0), 1e-13);
    CHECK_RELATIVE(end("radzimovsky") / c.radius_difference, 0.7127, 1e-4);
    CHECK_RELATIVE(end("goldsmith") / c.radius_difference, 1.0, 1e-13);
    CHECK_RELATIVE(end("dubowsky-freudenstein"), c.length * c.length / c.radius, 1e-13);
    CHECK_RELATIVE(end("esdu-78035") / c.radius_difference, 4.0, 1e-13);
    CHECK_RELATIVE(end("persson") / c.radius_difference, 10.09, 1e-3);
    for (const laws::LineEntry& entry : laws::line_catalogue()) {
        CAPTURE(entry.name);
        const laws::LineLaw law = law_of(entry.name);
        const double limit = law.largest_overlap();
        CHECK((entry.limit == "none") == std::isinf(limit));
        if (std::isinf(limit)) continue;
        CHECK(std::isfinite(force(law, limit * (1.0 - 1e-12))));
        const std::string message = "law \"" + entry.name + "\" ends at an overlap of";
        CHECK(refusal([&] { force(law, limit); }).starts_with(message));
        // Persson's force grows without bound towards its limit and stops any body.
        if (entry.name != "persson")
            CHECK(refusal([&] { laws::collide(law, c.mass, 5e4); }).starts_with(message));
        // Nearly all the energy that the law can store is still returned.
        const double speed =
            std::sqrt(2.0 * 0.99 * law.stored_energy(limit * (1.0 - 1e-12), {}) / c.mass);
        CHECK_RELATIVE(laws::collide(law, c.mass, speed).restitution, 1.0, 1e-8);
    }
}

TEST_CASE(
    "Pereira's exponent is continuous between its two ranges of clearance, and others are "
    "refused") {
    const auto exponent = [](double clearance) {
        laws::LineContact c = pin_in_hole();
        c.radius_difference = clearance;
        return std::get<laws::PowerLine>(laws::make_line(c, line_settings("pereira"), 0.2).spring)
            .exponent;
    };
    CHECK_RELATIVE(exponent(0.349539e-3), exponent(0.349541e-3), 2e-6);
    for (const double clearance : {0.00499e-3, 10.01e-3}) {
        CHECK(refusal([&] {
                  exponent(clearance);
              }).starts_with("pereira is fitted to clearances from 0.005 mm"));
    }
    CHECK_RELATIVE(force(law_of("pereira"), 1e-6), 699.4, 1e-4);  // Johnson: 680.9 N
}

}  // namespace beadwave::validation::line_equations_test
