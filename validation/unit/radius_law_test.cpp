// Random radii against the moments and quantiles of their distributions.

#include "packing/build/radius_law.hpp"

#include "beadwave/argument_error.hpp"
#include "relative.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::validation::radius_law_test {

using packing::draw_radii;
using packing::RadiusKind;
using packing::RadiusLaw;

namespace {

constexpr std::size_t many = 200'000;
constexpr double mean = 2e-3;

struct Moments {
    double mean, deviation;
};
Moments moments_of(const std::vector<double>& radii) {
    double sum = 0.0, squares = 0.0;
    for (const double r : radii)
        sum += r;
    const double average = sum / static_cast<double>(radii.size());
    for (const double r : radii)
        squares += (r - average) * (r - average);
    return {average, std::sqrt(squares / static_cast<double>(radii.size()))};
}

/// The part of the radii that is not larger.
double below(const std::vector<double>& radii, double radius) {
    return static_cast<double>(
               std::ranges::count_if(radii, [&](double r) { return r <= radius; })) /
           static_cast<double>(radii.size());
}

double normal_part_below(double x) {
    return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

// Of a part p of n draws the error is at most 5 sqrt(p (1 - p) / n).
const double five_sigma = 2.5 / std::sqrt(static_cast<double>(many));

}  // namespace

TEST_CASE("normal radii have the mean, the deviation and the parts of a normal distribution") {
    const auto radii = draw_radii({.kind = RadiusKind::normal, .deviation = 0.2}, mean, 11, many);
    const Moments m = moments_of(radii);
    CHECK_RELATIVE(m.mean, mean, 5 * 0.2 / std::sqrt(many));
    CHECK_RELATIVE(m.deviation, 0.2 * mean, 5 / std::sqrt(2.0 * many));
    for (const double x : {-1.5, -0.5, 0.0, 1.0, 2.0})
        CHECK_ABSOLUTE(below(radii, mean * (1 + 0.2 * x)), normal_part_below(x), five_sigma);
}

TEST_CASE("lognormal radii have the mean and the deviation that are given") {
    for (const double deviation : {0.1, 0.6}) {
        const auto radii =
            draw_radii({.kind = RadiusKind::lognormal, .deviation = deviation}, mean, 5, many);
        const Moments m = moments_of(radii);
        CHECK_RELATIVE(m.mean, mean, 5 * deviation / std::sqrt(many));
        // The fourth moment of the wider one makes its deviation uncertain by 1 %.
        CHECK_RELATIVE(m.deviation, deviation * mean, deviation < 0.5 ? 0.01 : 0.05);
        const double s = std::sqrt(std::log(1 + deviation * deviation));
        for (const double x : {-1.0, 0.0, 1.5})
            CHECK_ABSOLUTE(below(radii, mean * std::exp(s * x - 0.5 * s * s)), normal_part_below(x),
                           five_sigma);
    }
}

TEST_CASE("radii beyond the cut are drawn again, so the rest keeps its distribution") {
    const RadiusLaw law{
        .kind = RadiusKind::normal, .deviation = 0.2, .lowest = 0.9 * mean, .highest = 1.3 * mean};
    const auto radii = draw_radii(law, mean, 3, many);
    CHECK(*std::ranges::min_element(radii) >= 0.9 * mean);
    CHECK(*std::ranges::max_element(radii) <= 1.3 * mean);
    const double a = normal_part_below(-0.5), b = normal_part_below(1.5);
    for (const double x : {-0.2, 0.3, 1.0})
        CHECK_ABSOLUTE(below(radii, mean * (1 + 0.2 * x)), (normal_part_below(x) - a) / (b - a),
                       five_sigma);
    // Mean of a normal distribution between two limits.
    const auto bell = [](double x) {
        return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    };
    const double shift = (bell(-0.5) - bell(1.5)) / (b - a);
    CHECK_RELATIVE(moments_of(radii).mean, mean * (1 + 0.2 * shift), 1e-3);
    CHECK_THROWS_AS(draw_radii({.kind = RadiusKind::normal,
                                .deviation = 0.01,
                                .lowest = 2 * mean,
                                .highest = 3 * mean},
                               mean, 3, 1),
                    ArgumentError);
}

TEST_CASE("radii of a table have its parts, linear between its rows") {
    const RadiusLaw law{.kind = RadiusKind::table,
                        .radius = {1e-3, 2e-3, 2.5e-3, 4e-3},
                        .fraction = {0.0, 0.5, 0.6, 1.0}};
    const auto radii = draw_radii(law, 0.0, 9, many);
    for (const auto& row : {std::pair{1e-3, 0.0},
                            {1.5e-3, 0.25},
                            {2e-3, 0.5},
                            {2.5e-3, 0.6},
                            {3.25e-3, 0.8},
                            {4e-3, 1.0}})
        CHECK_ABSOLUTE(below(radii, row.first), row.second, five_sigma);
}

TEST_CASE("a radius depends on its number and the seed alone") {
    const RadiusLaw law{.kind = RadiusKind::lognormal, .deviation = 0.3, .lowest = 0.8 * mean};
    const auto few = draw_radii(law, mean, 7, 10), more = draw_radii(law, mean, 7, 1000);
    CHECK(std::ranges::equal(few, std::span(more).first(10)));
    CHECK(draw_radii(law, mean, 8, 10) != few);
}

}  // namespace beadwave::validation::radius_law_test
