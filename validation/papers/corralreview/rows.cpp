// CorralReview: the numbers in its equations, derived again.

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/hertz.hpp"
#include "beadwave/laws/hysteresis.hpp"
#include "beadwave/laws/hysteresis_restitution.hpp"
#include "beadwave/laws/spring_dashpot.hpp"
#include "largest.hpp"
#include "laws/root_between.hpp"
#include "papers/least_squares.hpp"
#include "papers/paper_row.hpp"
#include "papers/velocity_overlap.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwave::validation {
namespace {

constexpr laws::Contact contact{.radius = 1e-3, .modulus = 1e11, .mass = 2e-4, .stiffness = 4e9};

/// d = e chi of a law of the hysteresis family.
double d_of(const std::string& law, double e) {
    const auto any =
        laws::make(contact, law_settings(law, {{"restitution", e}, {"impact_speed", 1.0}}));
    return e * any.as<laws::Hysteresis<double, laws::ImpactSpeed::uniform>>().damping;
}

/// The cubics of Eq. (5.34) as least-squares fits of the exact d.
std::vector<PaperRow> yu_cubics() {
    std::vector<PaperRow> rows;
    for (const Row& line : table("papers/corralreview/yu_coefficients.csv")) {
        const double from = number(line, "from"), to = number(line, "to");
        std::vector<double> e, d;
        for (int k = 0; k <= std::lround((to - from) / 0.001); ++k) {
            e.push_back(std::min(from + 0.001 * k, 1.0));
            d.push_back(d_of("zhang-sharf", e.back()));
        }
        const auto fit = fit_cubic(e, d);
        for (int power = 3; power >= 0; --power) {
            const std::string name = "c" + std::to_string(power);
            rows.push_back(
                {.place = "Eq. (5.34)",
                 .what = name + " of d for c_r in (" + line.at("from") + ", " + line.at("to") + "]",
                 .unit = "-",
                 .printed = line.at(name),
                 .ours = fit[static_cast<std::size_t>(power)],
                 .tolerance = 1e-3,
                 .note = "least squares; points 0.001 apart, the paper's are not printed: 0.1 % "
                         "allowed"});
        }
    }
    return rows;
}

PaperRow yu_error(PrintedNumbers& numbers) {
    Largest y1, off;
    for (int k = 251; k <= 1000; ++k) {
        const double e = k / 1000.0, d = d_of("yu", e);
        y1.enter(std::abs((1.0 + d / e) / (1.0 - d) - std::exp(d * (1.0 + 1.0 / e))));
        off.enter(std::abs(laws::hysteresis_restitution(d / e) - e));
    }
    return differs(
        numbers.take("yu_error", y1, "at c_r = 0.251, 0.252 ... 1"),
        "y1 is that small only above c_r = 0.65; the output restitution is, from 0.251 on", off);
}

/// The ratio of -ln e to its expression in xi, for a Kelvin-Voigt contact that ends at zero force.
double goyal_factor() {
    constexpr double xi = 0.2, stiffness = 1e7;
    const double root = std::sqrt(1.0 - xi * xi);
    const laws::SpringDashpot<double, laws::Exponent::one, laws::Exponent::zero> law{
        .stiffness = stiffness,
        .damping = 2.0 * xi * std::sqrt(stiffness * contact.mass),
        .lowest_force = 0.0};
    const double e = laws::collide(law, contact.mass, 1.0).restitution;
    return -std::log(e) / (xi / root * std::atan(root / xi));
}

/// The exponent of falcon's damping with which restitution is the same at 0.5 and 2 m/s.
double falcon_exponent() {
    const auto restitution = [](double exponent, double speed) {
        // Equal damping at an overlap in between, whatever the exponent.
        const double overlap = laws::hertz_largest_overlap(contact.stiffness, contact.mass, 1.0);
        const auto law = laws::make(
            contact, law_settings("falcon", {{"damping", 5.0 * std::pow(overlap, -exponent)},
                                             {"overlap_exponent", exponent}}));
        return laws::collide(law, contact.mass, speed).restitution;
    };
    return laws::root_between([&](double q) { return restitution(q, 2.0) - restitution(q, 0.5); },
                              0.1, 0.5);
}

/// b from speed and overlap halfway through the compression of an elastic Hertz contact.
double hertz_b() {
    const laws::Hertz<double> hertz{.stiffness = contact.stiffness};
    const double largest = laws::hertz_largest_overlap(contact.stiffness, contact.mass, 1.0);
    double b = 0.0;
    laws::collide(hertz, contact.mass, 1.0, [&](const laws::CollisionMoment& now) {
        const double x = now.overlap / largest;
        if (b == 0.0 && x > 0.5)
            b = std::log(1.0 - now.approach_speed * now.approach_speed) / std::log(x);
    });
    return b;
}

}  // namespace

Paper corral_review() {
    PrintedNumbers numbers("corralreview/numbers.csv");
    Paper paper{.key = "CorralReview"};
    paper.rows = {
        numbers.take("falcon", falcon_exponent(), "restitution at 0.5 and 2 m/s"),
        differs(numbers.take("goyal", goyal_factor(), "contact ends at zero force"),
                "misprint: the formula gives c_r^2, the ratio of the energies",
                2.0 * goyal_factor()),
        yu_error(numbers),
    };
    const std::vector<PaperRow> cubics = yu_cubics();
    paper.rows.insert(paper.rows.end(), cubics.begin(), cubics.end());
    const std::string relation =
        "from the energy balance with the paper's relation of speed and overlap, ";
    paper.rows.push_back(
        arithmetic(numbers.take("flores", damping_coefficient(1.5, 2.0, 2.0), relation + "b = 2")));
    paper.rows.push_back(
        numbers.take("flores_b", hertz_b(), "of hu-guo; ours from an elastic Hertz collision"));
    paper.rows.push_back(arithmetic(
        numbers.take("hu_guo", damping_coefficient(1.5, 2.5, 2.0), relation + "b = 5/2")));
    paper.rows.push_back(
        arithmetic(differs(numbers.take("safaeifar", damping_coefficient(1.5, 1.5, 5.5),
                                        relation + "b = 1.5, c = 5.5"),
                           "rounded to a simple fraction, 5/4")));
    numbers.all_taken();
    paper.not_recomputable = {
        {"Eq. (5.16)", "exponent 0.65 of schwager-poschel",
         "from experiments on ice that are not printed"},
        {"Eq. (5.58)", "0.26 in c*", "an empirical constant"},
        {"Eq. (5.65)", "b = 1.5 and c = 5.5",
         "the range of restitutions of the fit is not printed"},
    };
    return paper;
}

}  // namespace beadwave::validation
