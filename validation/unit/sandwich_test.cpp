// Standard errors from blocks of rows, and loss functions, on a linear model whose truth is known.

#include "fit/sandwich.hpp"

#include "fit/estimates.hpp"
#include "fit/qr.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace beadwave::validation::sandwich_test {

namespace {

/// How often the 95 % intervals of a hump's height and shift contain the truth, 0 for both.
struct Coverage {
    double blocks[2] = {}, white[2] = {};
};

/// `noise`: fills the rows of one run, given the hump.
Coverage coverage(
    const std::function<void(const std::vector<double>&, std::vector<double>&)>& noise, int runs) {
    constexpr std::size_t traces = 4, rows = 500;
    std::vector<double> hump;
    std::vector<std::vector<double>> columns(2);
    for (std::size_t c = 0; c < traces; ++c) {
        for (std::size_t i = 0; i < rows; ++i) {
            const double place =
                (static_cast<double>(i) - 150.0 - 60.0 * static_cast<double>(c)) / 40.0;
            hump.push_back(std::exp(-place * place));
            columns[0].push_back(hump.back());
            columns[1].push_back(place * hump.back());
        }
    }
    Coverage found;
    for (int run = 0; run < runs; ++run) {
        std::vector<double> data(hump.size());
        noise(hump, data);
        const fit::QrFactors qr = fit::qr_factorise(columns, data);
        const std::vector<double> best = fit::solve_upper(qr.r, qr.qt_residuals);
        fit::Residuals all{data, columns};
        std::vector<fit::TraceRows> parts(traces);
        for (std::size_t i = 0; i < data.size(); ++i) {
            for (std::size_t k = 0; k < 2; ++k)
                all.values[i] -= best[k] * columns[k][i];
            parts[i / rows].residual.push_back(all.values[i]);
        }
        const std::vector<std::size_t> counts(traces, rows);
        const double length = fit::correlation_length(parts);
        const std::size_t block = fit::block_rows(length);
        const fit::Sandwich robust =
            fit::sandwich(all, fit::Loss::squares, fit::block_ends(counts, block),
                          fit::between_blocks(length, block), {});
        const std::vector<double> inverse = fit::inverse_normal_matrix(qr.r, 2);
        for (std::size_t k = 0; k < 2; ++k) {
            const double error = std::sqrt(robust.covariance[3 * k]);
            found.blocks[k] +=
                std::abs(best[k]) <= fit::quantile(robust.freedom[k]) * error ? 1.0 / runs : 0.0;
            const double white =
                qr.remainder * std::sqrt(inverse[3 * k] / static_cast<double>(data.size() - 2));
            found.white[k] += std::abs(best[k]) <= 1.96 * white ? 1.0 / runs : 0.0;
        }
    }
    return found;
}

}  // namespace

TEST_CASE("errors from blocks cover the truth for white, correlated and growing noise" *
          doctest::skip(sanitised)) {
    std::mt19937 random(21);
    std::normal_distribution<double> normal;
    constexpr int runs = 1000;
    struct Kind {
        std::string name;
        double rho, growth, white_at_most;
    };
    for (const Kind& kind : {Kind{"white", 0.0, 0.0, 1.0}, Kind{"rho 0.3", 0.3, 0.0, 0.90},
                             Kind{"rho 0.9", 0.9, 0.0, 0.60}, Kind{"growing", 0.0, 5.0, 0.90}}) {
        CAPTURE(kind.name);
        const Coverage found = coverage(
            [&](const std::vector<double>& hump, std::vector<double>& data) {
                double last = normal(random);
                for (std::size_t i = 0; i < data.size(); ++i) {
                    last = kind.rho * last + std::sqrt(1.0 - kind.rho * kind.rho) * normal(random);
                    data[i] = (1.0 + kind.growth * hump[i]) * last;
                }
            },
            runs);
        // A thousand intervals vary by 0.7 %.
        for (const double covered : found.blocks) {
            CHECK(covered > 0.93);
            CHECK(covered < 0.975);
        }
        CHECK(found.white[0] < kind.white_at_most);
    }
}

TEST_CASE("the correlation length of a first-order process is (1 + rho)/(1 - rho)") {
    std::mt19937 random(22);
    std::normal_distribution<double> normal;
    for (const double rho : {0.0, 0.3, 0.9}) {
        std::vector<fit::TraceRows> one(1);
        double last = normal(random);
        for (int i = 0; i < 40'000; ++i) {
            last = rho * last + std::sqrt(1.0 - rho * rho) * normal(random);
            one[0].residual.push_back(last);
        }
        // The window sums up to a hundred correlations, each off by 1/200.
        CHECK_RELATIVE(fit::correlation_length(one), (1.0 + rho) / (1.0 - rho), 0.15);
    }
}

TEST_CASE("blocks share the rows of each trace evenly, and none holds rows of two traces") {
    const std::vector<std::size_t> rows{100, 0, 30, 7};
    CHECK(fit::block_ends(rows, 30) == std::vector<std::size_t>{33, 66, 100, 130, 137});
}

TEST_CASE("a loss has the slope and the curve of its value") {
    constexpr double step = 1e-6;
    for (const fit::Loss loss : {fit::Loss::squares, fit::Loss::huber, fit::Loss::soft_l1}) {
        for (const double r : {-40.0, -1.0, 0.3, 1.3, 1.4, 7.0}) {
            const auto at = [&](double x) { return fit::loss_terms(loss, x); };
            const double slope = (at(r + step).value - at(r - step).value) / (2.0 * step);
            CHECK_RELATIVE(2.0 * r * at(r).slope, slope, 1e-6);
            const double curve =
                ((r + step) * at(r + step).slope - (r - step) * at(r - step).slope) / (2.0 * step);
            CHECK_ABSOLUTE(at(r).curve, curve, 1e-6);
            // Least squares at small residuals.
            CHECK_ABSOLUTE(at(1e-4).value, 1e-8, 1e-15);
        }
        CHECK(fit::loss_named(fit::text_of(loss)) == loss);
    }
}

}  // namespace beadwave::validation::sandwich_test
