// Where a fit begins and ends: amplitude spectra, and the distance to the minimum.

#include "fit/descent.hpp"
#include "fit/qr.hpp"
#include "fit/spectra.hpp"
#include "relative.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace beadwave::validation::fit_start_test {

namespace {

constexpr double width = 2e-5;  // [s]

/// A Gaussian hump of this height [N] at this time [s].
std::vector<double> hump(const std::vector<double>& time, double height, double at, double wide) {
    std::vector<double> force;
    for (const double t : time)
        force.push_back(height * std::exp(-0.5 * (t - at) * (t - at) / (wide * wide)));
    return force;
}

fit::SpectrumRows rows_of(double height, double at, double wide = width) {
    fit::SpectrumRows rows;
    constexpr double step = 1e-6;
    for (int i = 0; i < 1000; ++i) {
        rows.time.push_back(step * i);
        rows.length.push_back(step);
    }
    rows.measured = hump(rows.time, 30.0, 4e-4, width);
    rows.computed = hump(rows.time, height, at, wide);
    return rows;
}

std::vector<double> residuals_of(const fit::SpectrumRows& rows) {
    fit::Residuals result;
    fit::add_spectrum(rows, width, result);
    return result.values;
}

}  // namespace

TEST_CASE("amplitudes do not depend on when a wave passes, and grow with its force") {
    const std::vector<double> later = residuals_of(rows_of(30.0, 7e-4));
    const std::vector<double> higher = residuals_of(rows_of(33.0, 5e-4));
    REQUIRE(later.size() == fit::spectrum_frequencies);
    // The transform of a Gaussian: its amplitudes are relative to their root mean square.
    double squares = 0.0;
    const auto amplitude = [](std::size_t m) {
        const double frequency = static_cast<double>(m) / (4.0 * width) / fit::spectrum_frequencies;
        const double phase = 2.0 * M_PI * frequency * width;
        return std::exp(-0.5 * phase * phase);
    };
    for (std::size_t m = 0; m < later.size(); ++m)
        squares += amplitude(m) * amplitude(m);
    const double mean = std::sqrt(squares / static_cast<double>(later.size()));
    for (std::size_t m = 0; m < later.size(); ++m) {
        CHECK_ABSOLUTE(later[m], 0.0, 1e-9);
        // A tenth more force, in units of a hundredth of the mean.
        CHECK_RELATIVE(higher[m], 0.1 * amplitude(m) / (0.01 * mean), 1e-9);
    }
}

TEST_CASE("the derivatives of amplitudes are those of differences") {
    constexpr double change = 1e-6;
    fit::SpectrumRows rows = rows_of(25.0, 5e-4);
    const std::vector<double> wider = hump(rows.time, 25.0, 5e-4, (1.0 + change) * width);
    const std::vector<double> narrower = hump(rows.time, 25.0, 5e-4, (1.0 - change) * width);
    rows.columns.emplace_back();
    for (std::size_t i = 0; i < wider.size(); ++i)
        rows.columns[0].push_back((wider[i] - narrower[i]) / (2.0 * change));
    fit::Residuals result;
    result.columns.resize(1);
    fit::add_spectrum(rows, width, result);
    const std::vector<double> up = residuals_of(rows_of(25.0, 5e-4, (1.0 + change) * width));
    const std::vector<double> down = residuals_of(rows_of(25.0, 5e-4, (1.0 - change) * width));
    for (std::size_t m = 0; m < up.size(); ++m) {
        // Rounding of amplitudes of up to 150 units, over twice the change.
        CHECK_ABSOLUTE(result.columns[0][m], (up[m] - down[m]) / (2.0 * change), 1e-6);
    }
}

TEST_CASE("a trace without force has no spectrum to compare") {
    fit::SpectrumRows rows = rows_of(30.0, 4e-4);
    rows.measured.assign(rows.time.size(), 0.0);
    for (const double residual : residuals_of(rows))
        CHECK(residual == 0.0);
}

TEST_CASE("the distance to the minimum is that of the linear problem, in standard errors") {
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    constexpr std::size_t rows = 400;
    constexpr double noise = 0.3, off = 0.05;
    std::vector<double> column(rows), residuals(rows);
    double squares = 0.0;
    for (std::size_t i = 0; i < rows; ++i) {
        column[i] = normal(random);
        squares += column[i] * column[i];
    }
    // Noise without a part along the column: the minimum is at 0, and the fit is `off` from it.
    double along = 0.0, left = 0.0;
    for (std::size_t i = 0; i < rows; ++i) {
        residuals[i] = noise * normal(random);
        along += residuals[i] * column[i] / squares;
    }
    for (std::size_t i = 0; i < rows; ++i) {
        residuals[i] -= along * column[i];
        left += residuals[i] * residuals[i];
    }
    const double error = std::sqrt(left / (rows - 1) / squares);
    for (const double distance : {off, 0.0}) {
        std::vector<double> shifted = residuals;
        for (std::size_t i = 0; i < rows; ++i)
            shifted[i] += distance * column[i];
        CHECK_ABSOLUTE(fit::distance_to_minimum(fit::qr_factorise({column}, shifted), rows - 1),
                       distance / error, 1e-9);
    }
    // Without noise, a step of less than a millionth of the span is none.
    std::vector<double> exact = column;
    for (double& residual : exact)
        residual *= 1e-7;
    CHECK(fit::distance_to_minimum(fit::qr_factorise({column}, exact), rows - 1) == 0.0);
}

}  // namespace beadwave::validation::fit_start_test
