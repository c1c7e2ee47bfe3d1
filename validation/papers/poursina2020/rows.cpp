// Poursina2020: the fits of its damping coefficient, its exact case n = 1, and its two pendulums.

#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/poursina_nikravesh.hpp"
#include "papers/least_squares.hpp"
#include "papers/paper_row.hpp"
#include "papers/poursina2020/pendulums.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace beadwave::validation {
namespace {

/// Output restitution of m = k = delta_dot_0 = 1 with damping kappa; contact ends at zero force.
double output(double kappa, double n) {
    const laws::PowerDashpot<double> law{.stiffness = 1.0,
                                         .exponent = n,
                                         .damping = kappa,
                                         .overlap_exponent = 0.0,
                                         .lowest_force = 0.0};
    return laws::collide(law, 1.0, 1.0).restitution;
}

/// alpha and beta of c_opt = alpha (e^beta - 1), fitted to the exact c_opt over [lowest, 1].
std::pair<double, double> refit(double n, double lowest) {
    constexpr int points = 60;
    std::vector<double> e, kappa, weight;
    for (int k = 0; k <= points; ++k) {
        // The e that a given kappa returns: no equation to solve for each point.
        kappa.push_back(laws::poursina_fit(lowest + (1.0 - lowest) * k / points, n));
        e.push_back(k == points ? 1.0 : output(kappa.back(), n));
    }
    for (std::size_t k = 0; k < e.size(); ++k) {  // as evenly spaced points would weigh
        weight.push_back(0.5 * (e[std::min(k + 1, e.size() - 1)] - e[k == 0 ? 0 : k - 1]));
    }
    return fit_power(e, kappa, weight, -0.6, -0.1);
}

/// alpha and beta of Eqs (46) and (47), from the law's own fit at two restitutions.
std::pair<double, double> printed_fit(double n) {
    const double e = 0.5,
                 ratio = laws::poursina_fit(e * e, n) / laws::poursina_fit(e, n);  // e^beta + 1
    const double beta = std::log(ratio - 1.0) / std::log(e);
    return {laws::poursina_fit(e, n) / (std::pow(e, beta) - 1.0), beta};
}

/// Eq. (55) as printed, the quadrant of its arctangent chosen as the text asks.
double printed_restitution(double xi) {
    if (xi < 1.0) {
        const double root = std::sqrt(1.0 - xi * xi);
        return std::exp(-xi / root * std::atan2(2.0 * xi * root, 2.0 * xi * xi - 1.0));
    }
    const double root = std::sqrt(xi * xi - 1.0);
    return std::pow((xi - root) / (xi + root), 2.0 * xi * root / (2.0 * xi * xi - 1.0));
}

std::vector<PaperRow> fits(PrintedNumbers& numbers) {
    std::vector<PaperRow> rows;
    const auto add = [&](const std::string& name, double ours, const std::string& note,
                         bool expected, const std::string& why) {
        const PaperRow row = numbers.take(name, ours, note);
        rows.push_back(expected ? row : differs(row, why));
    };
    const std::map<double, std::string> exponents = {
        {1.0, "10"}, {1.2, "12"}, {1.5, "15"}, {1.8, "18"}};
    for (const auto& [n, key] : exponents) {
        const auto [alpha, beta] = refit(n, 0.45);
        const auto [low_alpha, low_beta] = refit(n, 0.045);
        const auto why = [](double low) {
            return fmt::format(
                "the printed range does not give the printed fit; from e = 0.045 on, the fit gives "
                "{:.4g}",
                low);
        };
        add("range_alpha_" + key, alpha, "", n == 1.2, why(low_alpha));
        add("range_beta_" + key, beta, "", n == 1.5, why(low_beta));
    }
    for (const double n : {1.2, 1.8, 1.5, 1.0}) {
        const auto [alpha, beta] = printed_fit(n);
        const std::string& key = exponents.at(n);
        const std::string why = "the caption fits this n alone, Eqs (46) and (47) all n together";
        add("alpha_" + key, alpha, "ours by Eq. (46)", n != 1.8, why);
        add("beta_" + key, beta, "ours by Eq. (47)", n == 1.0 || n == 1.5, why);
    }
    return rows;
}

PaperRow exact_case(double xi) {
    const PaperRow row{.place = "Eq. (55)",
                       .what = fmt::format("restitution of n = 1 with xi = {}", xi),
                       .unit = "-",
                       .printed = fmt::format("{:.5f}", printed_restitution(xi)),
                       .ours = output(2.0 * xi, 1.0),
                       .note = "printed: the value of the printed formula"};
    if (xi < 1.0) return row;
    const double root = std::sqrt(xi * xi - 1.0);
    return differs(row,
                   fmt::format("misprint: the exponent is xi/sqrt(xi^2 - 1), which gives {:.5f}",
                               std::pow((xi - root) / (xi + root), xi / root)));
}

}  // namespace

Paper poursina_2020() {
    PrintedNumbers numbers("poursina2020/numbers.csv");
    Paper paper{.key = "Poursina2020"};
    paper.assumptions = {
        "(a) Section 6: the figure that shows the pendulums and the acceleration of gravity are "
        "not in the "
        "text. Uniform rods, both pivots at one height and a apart, the tip of rod 2 on rod 1, g = "
        "9.81 "
        "m/s^2. This is a reconstruction: it gives the printed number of impacts, and so would a "
        "pivot a "
        "below and a to the side.",
    };
    paper.rows = fits(numbers);
    for (const double xi : {0.2, 0.8, 1.2, 2.0})
        paper.rows.push_back(exact_case(xi));
    paper.rows.push_back(numbers.take("impacts", Pendulums().impacts(8.0), "(a)"));
    numbers.all_taken();
    paper.not_recomputable = {
        {"Eqs (46), (47)", "the eight coefficients",
         "the range of restitutions that gives them is not the printed one"},
        {"Figs 3-5", "slopes of ln c_opt over ln m, ln speed and ln k",
         "fitted curves; exact by dimensions"},
        {"Figs 8 and 9", "largest error of the restitution", "the text gives no numbers"},
        {"Figs 11 and 12", "angular speeds and force of the pendulums",
         "the text gives no numbers"},
    };
    return paper;
}

}  // namespace beadwave::validation
