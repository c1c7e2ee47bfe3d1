// Ranges of overlap that the catalogue states, computed a second time: where printed elastoplastic
// laws return more energy than loading took, and where line laws end.

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/elastoplastic/brake.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "beadwave/laws/ma_liu.hpp"
#include "largest.hpp"
#include "line_contacts.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

namespace beadwave::validation::printed_ranges_test {

namespace {

using Curve = std::function<double(double)>;

double integral(const Curve& curve, double from, double to) {
    if (!(to > from)) return 0.0;
    return boost::math::quadrature::gauss_kronrod<double, 31>::integrate(curve, from, to, 12,
                                                                         1e-12);
}

/// Where a curve changes its sign between two places, by bisection.
double root(const Curve& curve, double low, double high) {
    const bool positive = curve(low) > 0.0;
    REQUIRE((curve(high) > 0.0) != positive);
    for (int halving = 0; halving < 100; ++halving) {
        const double middle = 0.5 * (low + high);
        ((curve(middle) > 0.0) == positive ? low : high) = middle;
    }
    return low;
}

void check_says(const std::string& law, const std::string& text) {
    const std::string validity = laws::find(law)->validity();
    CHECK_MESSAGE(validity.find(text) != std::string::npos, law, " does not state \"", text,
                  "\" but: ", validity);
}

/// Two steel beads of 2.38 mm, for which the catalogue's numbers are computed.
laws::Contact steel_pair() {
    const laws::Elasticity steel{
        .youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6};
    return laws::sphere_contact(2.38e-3, 0.45e-3, steel, 2.38e-3, 0.45e-3, steel);
}

}  // namespace

// In units of delta_y, F_y and K the laws below are pure numbers. D is the energy dissipated by a
// turn (the start of unloading) at w.

TEST_CASE("stronge's range of created energy is the root of its printed energies") {
    const double theta = 1.1;
    const auto z = [](double w) { return 2.0 * w - 1.0; };
    const Curve force = [&](double w) { return z(w) * (1.0 + std::log(z(w)) / (3.0 * theta)); };
    const Curve lost = [&](double w) {
        const double span = std::pow(force(w) / std::pow(z(w), 0.25), 2.0 / 3.0);  // R sqrt(z)
        return 0.4 + integral(force, 1.0, w) - 0.4 * force(w) * span;
    };
    CHECK(lost(1.01) < 0.0);
    const double end = root(lost, 2.0, 6.0);
    CHECK_ABSOLUTE(end, 3.1145, 5e-5);
    check_says("stronge", fmt::format("largest overlaps from 1 to {:.3g} delta_y", end));
    Largest most;
    for (double w = 1.0; w < end; w += 1e-3)
        most.enter(-lost(w) / (0.4 + integral(force, 1.0, w)));
    check_says("stronge", fmt::format("(up to {:.2g} % of the work)", 100.0 * most));
}

TEST_CASE("kogut-etsion's two ranges after its steps are roots of its printed energies") {
    const auto exponent = [](double w) { return 1.5 * std::pow(w, -0.0331); };
    const auto span = [](double w) {
        return w * (1.0 - (1.0 - std::pow(w, -0.28)) * (1.0 - std::pow(w, -0.69)));
    };
    const Curve first = [](double w) { return 1.03 * std::pow(w, 1.425); };
    const Curve second = [](double w) { return 1.40 * std::pow(w, 1.263); };
    const auto lost = [&](double work, double force, double w) {
        return work - force * span(w) / (exponent(w) + 1.0);
    };
    const Curve lost_first = [&](double w) {
        return lost(0.4 + integral(first, 1.0, w), first(w), w);
    };
    const double work_six = 0.4 + integral(first, 1.0, 6.0);
    const double lost_six = lost(work_six, first(6.0), 6.0);
    const Curve lost_second = [&](double w) {
        return lost(work_six + integral(second, 6.0, w), second(w), w) - lost_six;
    };
    const double end_first = root(lost_first, 1.01, 3.0);
    const double end_second = root(lost_second, 6.0001, 7.0);
    CHECK_ABSOLUTE(end_first, 1.248, 5e-4);
    check_says("kogut-etsion",
               fmt::format("from 1 to {:.3g} and from 6 to {:.3g} delta_y", end_first, end_second));
    check_says("kogut-etsion",
               fmt::format("(up to {:.2g} % of the work)", -100.0 * lost_first(1.0) / 0.4));
}

TEST_CASE("jackson-green's range after its step is the root of its printed energies") {
    const double C = 1.295 * std::exp(0.736 * 0.3), hardness = 4.0 * 2.84 / C;
    const laws::Contact c = steel_pair();
    const double relative_radius = std::numbers::pi * C * c.yield_stress / (2.0 * c.modulus);
    const double B = 0.14 * std::exp(23.0 * c.yield_stress / c.modulus);
    const Curve force = [&](double w) {
        return std::exp(-0.25 * std::pow(w, 5.0 / 12.0)) * std::pow(w, 1.5) +
               hardness * (1.0 - std::exp(-std::pow(w, 5.0 / 9.0) / 25.0)) * w;
    };
    const Curve lost = [&](double w) {
        const double a = relative_radius * std::sqrt(w * std::pow(w / 1.9, B));  // over R
        const double span = std::pow(force(w) / std::sqrt(std::cos(a)), 2.0 / 3.0);
        return 0.4 * std::pow(1.9, 2.5) + integral(force, 1.9, w) - 0.4 * force(w) * span;
    };
    const double end = root(lost, 1.9, 3.0);
    check_says("jackson-green", fmt::format("from 1.9 to {:.3g} delta_y", end));
    check_says("jackson-green", fmt::format("(up to {:.2g} % of the work)",
                                            -100.0 * lost(1.9) / (0.4 * std::pow(1.9, 2.5))));
}

TEST_CASE("brake's two ranges are roots of its printed energies") {
    const laws::Contact c = steel_pair();
    const auto law = laws::make_brake(c, 2.8, 1.6, 1.0);
    const double y = law.overlap_yield;
    const Curve force = [&](double w) { return law.loading_force(w * y); };
    const Curve work = [&](double w) {
        const double p = std::min(w, law.overlap_plastic / y);
        return y * (integral(force, 0.0, 1.0) + integral(force, 1.0, p) + integral(force, p, w));
    };
    const Curve span = [&](double w) {
        const double K_u = c.stiffness * std::sqrt(1.0 + w * y / (2.0 * c.radius));
        return std::pow(force(w) / K_u, 2.0 / 3.0);
    };
    const Curve lost = [&](double w) { return work(w) - 0.4 * force(w) * span(w); };
    double highest = 1.0;
    Largest most;  // where D is largest; the largest energy created, over the work
    for (double w = 1.0; w < 8.0; w += 1e-3)
        if (lost(w) > lost(highest)) highest = w;
    for (double w = 5.0; w < 20.0; w += 1e-2)
        most.enter(-lost(w) / work(w));
    const double from = root(lost, highest, 10.0), to = root(lost, 10.0, 30.0);
    // The second range ends when as much is lost again and no more than the overlap is recovered.
    const double again =
        std::max(root([&](double w) { return lost(w) - lost(highest); }, 10.0, 30.0),
                 root([&](double w) { return w * y - span(w); }, 10.0, 30.0));
    check_says("brake",
               fmt::format("(up to {:.2g} % of the work) for largest overlaps from {:.2g} to "
                           "{:.2g} delta_y; from {:.2g} to {:.2g} delta_y",
                           100.0 * most, from, to, highest, again));
}

TEST_CASE("ma-liu's two ranges are roots of its own energies") {
    for (const double psi : {2.84, 3.0}) {
        const auto law = laws::make_ma_liu(steel_pair(), psi, 13.0);
        const double y = law.overlap_yield;
        const Curve force = [&](double w) { return law.respond(w * y, 0.0, {}).force; };
        const Curve work = [&](double w) {
            return y * (integral(force, 0.0, 1.0) + integral(force, 1.0, w));
        };
        const Curve lost = [&](double w) {
            return work(w) - law.stored_energy(w * y, law.respond(w * y, 0.0, {}).memory);
        };
        Largest most;
        for (double w = 1.0; w < 4.0; w += 1e-3)
            most.enter(-lost(w) / work(w));
        const double end = root(lost, 1.2, 5.0);
        check_says("ma-liu", fmt::format("psi = {:g}, xi = 13: from 1 to {:.3g} delta_y, up to "
                                         "{:.2g} % of the work",
                                         psi, end, 100.0 * most));
    }
}

TEST_CASE("line laws end at the limits that the catalogue states") {
    const laws::LineContact c = pin_in_hole();
    int named = 0;
    for (const laws::LineEntry& entry : laws::line_catalogue()) {
        CAPTURE(entry.name);
        CAPTURE(entry.limit);
        const double limit = law_of(entry.name).largest_overlap() / c.radius_difference;
        if (std::isinf(limit)) continue;
        if (entry.limit == "L^2/R") {
            CHECK_RELATIVE(limit * c.radius_difference, c.length * c.length / c.radius, 1e-12);
            continue;
        }
        ++named;
        const auto unit = entry.limit.find("DeltaR");
        REQUIRE(unit != std::string::npos);
        const double stated = unit == 0 ? 1.0 : std::stod(entry.limit);
        // To the digits in the text.
        CHECK(fmt::format("{:.3g}", stated) == fmt::format("{:.3g}", limit));
    }
    CHECK(named == 6);
}

TEST_CASE(
    "a narrow contact under persson's force is as wide as Hertz's, and half of it as printed") {
    // For small b the half width is a = 2 b R and Hertz has F/L = pi E* DeltaR a^2/(4 R^2), with
    // b^2 = delta/(2 DeltaR + delta).
    const laws::LineContact c = pin_in_hole();
    for (const double overlap : {1e-9 * c.radius_difference, 1e-6 * c.radius_difference}) {
        const double b2 = overlap / (2.0 * c.radius_difference + overlap);
        const double hertz = std::numbers::pi * c.modulus * c.length * c.radius_difference * b2;
        CHECK_RELATIVE(force(law_of("persson"), overlap), hertz, 2e-6);
        CHECK_RELATIVE(force(law_of("persson", {{"modulus_factor", 1.0}}), overlap), 0.5 * hertz,
                       2e-6);
    }
}

}  // namespace beadwave::validation::printed_ranges_test
