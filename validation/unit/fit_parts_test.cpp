// The parts of a fit: QR factorisation, singular values, interpolation, peak fits, and measured
// traces whose header names their sensors.

#include "beadwave/input_error.hpp"
#include "fit/estimates.hpp"
#include "fit/interpolation.hpp"
#include "fit/noise_groups.hpp"
#include "fit/peak_fit.hpp"
#include "fit/qr.hpp"
#include "fit/varied_chain.hpp"
#include "io/tables/measured_traces.hpp"
#include "relative.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

namespace beadwave::validation::fit_parts_test {

using fit::QrFactors;

TEST_CASE(
    "a QR factorisation keeps the sum of squares, the slopes and the products of the columns") {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    constexpr std::size_t rows = 50, p = 3;
    std::vector<std::vector<double>> columns(p, std::vector<double>(rows));
    std::vector<double> residuals(rows);
    for (std::vector<double>& column : columns) {
        for (double& x : column)
            x = normal(random);
    }
    for (double& x : residuals)
        x = normal(random);
    const auto product = [](const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i)
            sum += a[i] * b[i];
        return sum;
    };
    const QrFactors qr = fit::qr_factorise(columns, residuals);
    // Rounding alone: sums of fifty numbers of size 1.
    CHECK_RELATIVE(qr.sum_of_squares(), product(residuals, residuals), 1e-13);
    const std::vector<double> inverse = fit::inverse_normal_matrix(qr.r, p);
    for (std::size_t j = 0; j < p; ++j) {
        double slope = 0.0;
        for (std::size_t i = 0; i < p; ++i)
            slope += qr.r[i * p + j] * qr.qt_residuals[i];
        CHECK_ABSOLUTE(slope, product(columns[j], residuals), 1e-12);
        for (std::size_t k = 0; k < p; ++k) {
            double unit = 0.0;
            for (std::size_t i = 0; i < p; ++i)
                unit += inverse[j * p + i] * product(columns[i], columns[k]);
            CHECK_ABSOLUTE(unit, j == k ? 1.0 : 0.0, 1e-12);
        }
    }
}

TEST_CASE("singular values keep the digits of a direction with almost no effect") {
    // [[1, 1], [0, e]]: their product is e, the sum of their squares 2 + e^2.
    constexpr double e = 1e-9;
    const fit::SingularValues found = fit::singular_values({1.0, 1.0, 0.0, e}, 2);
    CHECK_RELATIVE(found.values[0], std::sqrt(2.0), 1e-14);
    CHECK_RELATIVE(found.values[1], e / std::sqrt(2.0), 1e-12);
    CHECK_RELATIVE(std::abs(found.vectors[1][0]), std::sqrt(0.5), 1e-9);
    CHECK(found.vectors[1][0] * found.vectors[1][1] < 0.0);
}

TEST_CASE("a cubic is interpolated exactly, and a sample is returned to the bit") {
    const std::vector<double> times{0.0, 1.0, 2.5, 3.0, 4.5, 5.0};
    const auto cubic = [](double t) { return 1.0 + t * (0.5 + t * (-2.0 + t * 0.3)); };
    const auto at = [&](double t) {
        const fit::Place place = fit::place_of(times, t);
        std::array<double, 2> sums{};
        for (std::size_t i = 0; i < 4; ++i) {
            sums[0] += place.value[i] * cubic(times[place.first + i]);
            sums[1] += place.slope[i] * cubic(times[place.first + i]);
        }
        return sums;
    };
    for (const double t : {0.0, 0.3, 1.7, 2.9, 4.0, 5.0}) {
        CHECK_ABSOLUTE(at(t)[0], cubic(t), 1e-12);
        CHECK_ABSOLUTE(at(t)[1], 0.5 + t * (-4.0 + t * 0.9), 1e-12);
    }
    for (const double t : times)
        CHECK(at(t)[0] == cubic(t));
}

TEST_CASE("noise does not lift a fitted peak, and its derivatives are correct") {
    constexpr double peak = 30.0, place = 50.3, noise = 0.5;
    std::vector<double> times, force;
    for (int i = 0; i <= 1000; ++i) {
        times.push_back(0.1 * i);
        force.push_back(peak * std::exp(-std::pow((times.back() - place) / 10.0, 2)));
    }
    const double half_width = fit::half_width_of(times, force, 50.0);
    CHECK_ABSOLUTE(half_width, 10.0 * std::sqrt(std::log(4.0 / 3.0)), 0.1);  // a sample
    // Three samples: the error of a parabola is (0.1 / 10)^4 of the height, and less for the time.
    const fit::PeakFit sharp = fit::fit_peak(times, force, 50.2, 0.0);
    CHECK_RELATIVE(sharp.peak.force, peak, 1e-7);
    CHECK_ABSOLUTE(sharp.peak.time, place, 1e-5);
    const fit::PeakFit broad = fit::fit_peak(times, force, 49.0, half_width);
    CHECK_ABSOLUTE(broad.peak.time, place, 1e-5);

    for (const double width : {0.0, half_width}) {
        const fit::PeakFit fitted = fit::fit_peak(times, force, place, width);
        for (std::size_t i = 0; i < fitted.height.size(); i += 1 + fitted.height.size() / 7) {
            std::vector<double> other = force;
            constexpr double change = 1e-5;
            other[fitted.first + i] += change;
            const fit::PeakFit moved = fit::fit_peak(times, other, place, width);
            // To first order in the change. The window of the broad parabola moves with the peak,
            // which adds a part of the error of its shape, (half_width / 10)^2.
            CHECK_ABSOLUTE((moved.peak.force - fitted.peak.force) / change, fitted.height[i], 1e-3);
            CHECK_ABSOLUTE((moved.peak.time - fitted.peak.time) / change, fitted.time[i],
                           0.3 * std::abs(fitted.time[i]) + 1e-5);
        }
    }

    std::mt19937 random(2);
    std::normal_distribution<double> normal(0.0, noise);
    double lifted = 0.0, off = 0.0, highest = 0.0;
    constexpr int times_measured = 100;
    for (int k = 0; k < times_measured; ++k) {
        std::vector<double> noisy = force;
        for (double& f : noisy)
            f += normal(random);
        const auto top = std::ranges::max_element(noisy);
        highest += *top - peak;
        const fit::PeakFit read = fit::fit_peak(
            times, noisy, times[static_cast<std::size_t>(top - noisy.begin())], half_width);
        lifted += read.peak.force - broad.peak.force;
        off += read.peak.time - place;
    }
    // The mean of a hundred heights, each from about a hundred rows, varies by less than noise /
    // 100.
    CHECK(highest / times_measured > 1.5 * noise);
    CHECK_ABSOLUTE(lifted / times_measured, 0.0, 0.05 * noise);
    CHECK_ABSOLUTE(off / times_measured, 0.0, 0.05);
}

TEST_CASE("a header may name the sensors of the measured columns") {
    const auto file = std::filesystem::temp_directory_path() / "beadwave-fit-header.csv";
    const auto read = [&](const std::string& text) {
        std::ofstream(file) << text;
        const std::array<std::int64_t, 3> sensors{9, 16, 24};
        return io::read_measured_traces(file, sensors);
    };
    const std::string rows = "0,1,2\n1,3,4\n2,5,6\n";
    const io::MeasuredTraces two = read("time (s), Bead 24 (N), force_bead_9_N\n" + rows);
    CHECK(two.sensors == std::vector<std::size_t>{2, 0});
    CHECK(two.force[0] == std::vector<double>{1, 3, 5});
    CHECK(read("t,a,b,c\n0,1,2,3\n1,1,2,3\n2,1,2,3\n").sensors ==
          std::vector<std::size_t>{0, 1, 2});
    CHECK_THROWS_AS(read("t,a,b\n" + rows), InputError);
    CHECK_THROWS_AS(read(rows), InputError);
    CHECK_THROWS_AS(read("t,bead 9,bead 9\n" + rows), InputError);
    CHECK_THROWS_AS(read("t,bead 9,bead 17\n" + rows), InputError);
    CHECK_THROWS_AS(read("t,bead 9\n" + rows), InputError);
    std::filesystem::remove(file);
}

TEST_CASE("the derivative of a law made of pieces is that of its piece, also where two meet") {
    // The cubic of `yu` up to e = 0.8 (CorralReview Eq. (5.34)), whose end differs from the start
    // of the next one by 6e-5: relative to the change over a difference step this is 0.3.
    constexpr double c3 = 0.5048, c2 = -1.3255, c1 = -0.3236, c0 = 1.1472, e = 0.8;
    const double d = ((c3 * e + c2) * e + c1) * e + c0;
    const double slope = (3.0 * c3 * e + 2.0 * c2) * e + c1;
    const double relative = slope / d - 1.0 / e;  // of chi = d / e
    const fit::VariedChain varied({.scenario = BEADWAVE_SOURCE_DIR "/configs/chain70.toml",
                                   .overrides = {"law.name=yu"},
                                   .keys = {"law.restitution"},
                                   .low = {0.5},
                                   .high = {0.95}});
    for (const double value : {e, e - 1e-5}) {
        const auto changing = varied.changing_at(std::vector<double>{value});
        const auto columns = changing.ready.chain.contacts.columns();
        std::size_t changed = 0;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            constexpr double rounding = 1e-9;
            if (std::abs(changing.changes[0].law[k][5]) <= rounding * std::abs(columns[k][5]))
                continue;
            ++changed;
            // 1e-5 further inside it differs by 5e-5 of itself: its slope is about -30.
            CHECK_RELATIVE(changing.changes[0].law[k][5] / columns[k][5], relative, 1e-4);
        }
        CHECK(changed > 0);
    }
}

TEST_CASE(
    "the noises of peaks and arrivals, estimated apart from few sensors, give 95 % intervals") {
    // A straight line through the peaks and the arrivals of three sensors: one parameter, noise of
    // the arrivals a hundred times smaller than their weights assume, or equal.
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    for (const double ratio : {0.01, 1.0}) {
        constexpr std::size_t sensors = 3;
        constexpr int runs = 4000;
        int contained = 0;
        for (int run = 0; run < runs; ++run) {
            std::vector<double> column(2 * sensors), data(2 * sensors);
            for (std::size_t i = 0; i < column.size(); ++i) {
                column[i] = 1.0 + 0.3 * static_cast<double>(i / 2);
                data[i] = normal(random) * (i % 2 == 0 ? 1.0 : ratio);  // the true value is 0
            }
            double weight = 1.0, value = 0.0, square = 0.0;
            fit::NoiseGroups groups;
            for (int round = 0; round < 50; ++round) {
                fit::Residuals all{data, {column}};
                for (std::size_t i = 1; i < column.size(); i += 2) {
                    all.values[i] *= weight;
                    all.columns[0][i] *= weight;
                }
                double slope = 0.0;
                square = 0.0;
                for (std::size_t i = 0; i < column.size(); ++i) {
                    slope += all.columns[0][i] * all.values[i];
                    square += all.columns[0][i] * all.columns[0][i];
                }
                value = slope / square;
                for (std::size_t i = 0; i < column.size(); ++i)
                    all.values[i] -= value * all.columns[0][i];
                groups = fit::noise_groups(all);
                CHECK_ABSOLUTE(groups.freedom[0] + groups.freedom[1], 5.0, 1e-9);
                weight *= std::sqrt(groups.mean_square[0] / groups.mean_square[1]);
            }
            const fit::Spread spread = fit::spread_of(groups.arrival_share[0], groups.freedom);
            const double error = spread.widening * std::sqrt(groups.mean_square[0] / square);
            if (std::abs(value) <= fit::quantile(spread.freedom) * error) ++contained;
        }
        // 4000 intervals vary by 0.3 %; the approximation for two groups of three is good to 3 %.
        // The normal quantile without the widening would give less than 90 %.
        CHECK_ABSOLUTE(static_cast<double>(contained) / runs, 0.95, 0.035);
    }
}

}  // namespace beadwave::validation::fit_parts_test
