// The checks of residuals: clean noise passes, and noise that breaks an assumption gives its
// sentence.

#include "fit/residual_checks.hpp"

#include "fit/fit.hpp"
#include "relative.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace beadwave::validation::residual_checks_test {

using fit::TraceRows;

namespace {

/// Traces of a hump of 30 N; `noise` makes the residual of a row from its force.
std::vector<TraceRows> traces(std::size_t count, std::size_t rows,
                              const std::function<double(double)>& noise) {
    std::vector<TraceRows> all(count);
    for (TraceRows& trace : all) {
        for (std::size_t i = 0; i < rows; ++i) {
            const double place = 10.0 * (static_cast<double>(i) / static_cast<double>(rows) - 0.5);
            const double force = 30.0 * std::exp(-place * place);
            const double residual = noise(force);
            trace.residual.push_back(residual);
            trace.computed.push_back(force);
            trace.measured.push_back(force - residual);
        }
    }
    return all;
}

bool has(const std::vector<std::string>& warnings, const std::string& text) {
    return std::ranges::any_of(
        warnings, [&](const std::string& one) { return one.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("white normal residuals give a warning in less than one run of a hundred") {
    std::mt19937 random(11);
    std::normal_distribution<double> normal(0.0, 0.3);
    constexpr std::array<std::array<std::size_t, 2>, 4> shapes{
        {{1, 40}, {1, 903}, {8, 300}, {3, 100}}};
    constexpr int runs = 500;
    int warned = 0, all = 0;
    for (const auto& [count, rows] : shapes) {
        for (int run = 0; run < runs; ++run) {
            const auto clean = traces(count, rows, [&](double) { return normal(random); });
            double square = 0.0;
            for (const TraceRows& trace : clean) {
                for (const double r : trace.residual)
                    square += r * r / (0.3 * 0.3);
            }
            const auto goodness =
                fit::goodness_of_fit(square, static_cast<double>(count * rows), 0.0);
            ++all;
            if (!fit::residual_warnings(clean).empty() || !fit::goodness_warning(goodness).empty())
                ++warned;
        }
    }
    CHECK(warned < all / 100);
}

TEST_CASE("a correlation of 0.28 over 903 rows is always warned about, with its factor") {
    std::mt19937 random(12);
    std::normal_distribution<double> normal;
    constexpr double rho = 0.28;
    double mean = 0.0, significance = 0.0;
    constexpr int runs = 200;
    for (int run = 0; run < runs; ++run) {
        double last = normal(random);
        const auto rows = traces(1, 903, [&](double) {
            return last = rho * last + std::sqrt(1.0 - rho * rho) * normal(random);
        });
        const auto warnings = fit::residual_warnings(rows);
        CHECK(has(warnings, "correlate from row to row"));
        CHECK(has(warnings, "too small by a factor of about 1."));
        mean += fit::row_correlation(rows).value / runs;
        significance += fit::row_correlation(rows).significance / runs;
    }
    // One estimate varies by 1/sqrt(903), the mean of 200 by 0.0024.
    CHECK_ABSOLUTE(mean, rho, 0.01);
    CHECK_ABSOLUTE(significance, rho * std::sqrt(903.0), 1.0);
}

TEST_CASE("noise that grows with the force, outliers and coarse steps each have their sentence") {
    std::mt19937 random(13);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    const auto grows = traces(1, 900, [&](double f) { return (0.1 + 0.02 * f) * normal(random); });
    CHECK(has(fit::residual_warnings(grows), "grow with the force"));
    const auto clean = traces(1, 900, [&](double) { return 0.1 * normal(random); });
    CHECK(fit::residual_warnings(clean).empty());

    auto spoiled = clean;
    for (const std::size_t row : {100, 420, 777})
        spoiled[0].residual[row] += 2.0;
    CHECK(fit::outliers(spoiled) == 3);
    CHECK(
        has(fit::residual_warnings(spoiled), "3 rows are more than five standard deviations off"));

    for (const double step : {0.05, 0.5}) {
        auto rounded = clean;
        double square = 0.0;
        for (std::size_t i = 0; i < rounded[0].measured.size(); ++i) {
            rounded[0].measured[i] = step * std::round(rounded[0].measured[i] / step);
            rounded[0].residual[i] = rounded[0].computed[i] - rounded[0].measured[i];
            square += rounded[0].residual[i] * rounded[0].residual[i] / 900.0;
        }
        CHECK(has(fit::residual_warnings(rounded), "rounded to steps") == (step > 0.2));
        if (step > 0.2) CHECK_RELATIVE(fit::quantisation(rounded), step / std::sqrt(square), 1e-6);
    }
}

TEST_CASE("chi-squared has its p-value, and noise given ten times too small is warned about") {
    // Two degrees of freedom: p = exp(-chi2/2).
    CHECK_RELATIVE(fit::goodness_of_fit(6.0, 2.0, 0.0).p_value, std::exp(-3.0), 1e-12);
    CHECK_RELATIVE(fit::goodness_of_fit(6.0, 2.0, 0.0).per_dof, 3.0, 1e-15);
    // rho^2 = 1/3 halves the degrees of freedom: four are as two with half the sum.
    CHECK_RELATIVE(fit::goodness_of_fit(12.0, 4.0, std::sqrt(1.0 / 3.0)).p_value, std::exp(-3.0),
                   1e-12);
    CHECK(fit::goodness_of_fit(1e-8, 4000.0, 0.0).p_value == 1.0);
    CHECK(fit::goodness_of_fit(4e8, 4000.0, 0.0).p_value == 0.0);
    CHECK(fit::goodness_warning(fit::goodness_of_fit(100.0, 100.0, 0.0)).empty());
    CHECK(has({fit::goodness_warning(fit::goodness_of_fit(9700.0, 100.0, 0.0))},
              "the residuals are 9.85 times the noise that was given"));
    CHECK(has({fit::goodness_warning(fit::goodness_of_fit(1.0, 100.0, 0.0))},
              "the residuals are only 0.1 times the noise that was given"));
}

TEST_CASE("laws are compared with the number of independent rows of the most likely one") {
    std::vector<fit::LawFit> laws(2);
    laws[0].deviance = -1000.0;
    laws[1].deviance = 2000.0;
    for (fit::LawFit& law : laws) {
        law.data = 800;
        law.effective_parameters = 3;
    }
    laws[0].effective_data = 400.0;  // rho = 1/3
    laws[1].effective_data = 8.0;    // a wrong law leaves a pattern
    fit::set_aicc(laws);
    CHECK_RELATIVE(laws[0].aicc, -500.0 + 6.0 + 24.0 / 396.0, 1e-14);
    CHECK_RELATIVE(laws[1].aicc, 1000.0 + 6.0 + 24.0 / 396.0, 1e-14);
}

}  // namespace beadwave::validation::residual_checks_test
