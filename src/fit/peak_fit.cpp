#include "fit/peak_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwave::fit {
namespace {

/// The sample nearest to the time, with one on either side.
std::size_t middle_at(std::span<const double> times, double time) {
    const auto after = std::ranges::lower_bound(times, time) - times.begin();
    auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after, 1));
    i = std::min(i, times.size() - 1);
    if (time - times[i - 1] < times[i] - time) --i;
    return std::clamp(i, std::size_t{1}, times.size() - 2);
}

/// a + b s + c s^2 around a centre, with s in units of `scale`, by least squares. Each coefficient
/// is a weighted sum of the samples.
struct Parabola {
    double a = 0.0, b = 0.0, c = 0.0;
    std::vector<std::array<double, 3>> weights;

    Parabola(std::span<const double> times, std::span<const double> force, double centre,
             double scale, bool tapers) {
        std::array<double, 5> sums{};
        std::vector<double> place, counts;
        for (const double time : times) {
            const double s = (time - centre) / scale;
            const double edge = std::max(1.0 - s * s, 0.0);
            place.push_back(s);
            counts.push_back(tapers ? edge * edge : 1.0);
            double power = counts.back();
            for (double& sum : sums) {
                sum += power;
                power *= s;
            }
        }
        // The inverse of the symmetric matrix of sums, by cofactors.
        const auto [s0, s1, s2, s3, s4] = sums;
        const double c00 = s2 * s4 - s3 * s3, c01 = s2 * s3 - s1 * s4, c02 = s1 * s3 - s2 * s2;
        const double c11 = s0 * s4 - s2 * s2, c12 = s1 * s2 - s0 * s3, c22 = s0 * s2 - s1 * s1;
        const double determinant = s0 * c00 + s1 * c01 + s2 * c02;
        for (std::size_t i = 0; i < times.size(); ++i) {
            const double s = place[i], part = counts[i] / determinant;
            weights.push_back({part * (c00 + c01 * s + c02 * s * s),
                               part * (c01 + c11 * s + c12 * s * s),
                               part * (c02 + c12 * s + c22 * s * s)});
            a += weights[i][0] * force[i];
            b += weights[i][1] * force[i];
            c += weights[i][2] * force[i];
        }
    }
};

}  // namespace

PeakFit fit_peak(std::span<const double> times, std::span<const double> force, double near,
                 double half_width) {
    PeakFit result;
    double centre = near;
    constexpr int rounds = 8;
    for (int round = 0; round < rounds; ++round) {
        auto from = static_cast<std::size_t>(std::ranges::lower_bound(times, centre - half_width) -
                                             times.begin());
        auto to = static_cast<std::size_t>(std::ranges::upper_bound(times, centre + half_width) -
                                           times.begin());
        constexpr std::size_t enough = 5;
        const bool tapers = to >= from + enough;
        double scale = half_width;
        if (!tapers) {
            const std::size_t middle = middle_at(times, near);
            from = middle - 1;
            to = middle + 2;
            centre = times[middle];
            scale = times[middle + 1] - times[middle];
        }
        const Parabola fitted(times.subspan(from, to - from), force.subspan(from, to - from),
                              centre, scale, tapers);
        result.first = from;
        result.height.clear();
        result.time.clear();
        const bool bends = fitted.c < 0.0;
        const double shift =
            bends ? std::clamp(-0.5 * fitted.b / fitted.c, -1.0, 1.0) : 0.0;  // in scales
        for (const std::array<double, 3>& w : fitted.weights) {
            result.height.push_back(w[0] + shift * w[1] + shift * shift * w[2]);
            result.time.push_back(bends ? -0.5 * scale / fitted.c * (w[1] + 2.0 * shift * w[2])
                                        : 0.0);
        }
        result.peak = {fitted.a + shift * fitted.b + shift * shift * fitted.c,
                       centre + shift * scale};
        constexpr double converged = 1e-6;
        if (!tapers || std::abs(shift) < converged) break;
        centre = result.peak.time;
    }
    return result;
}

double half_width_of(std::span<const double> times, std::span<const double> force, double near) {
    constexpr double level = 0.75;
    const std::size_t middle = middle_at(times, near);
    const double least = level * force[middle];
    std::size_t from = middle, to = middle;
    while (from > 0 && force[from] > least)
        --from;
    while (to + 1 < times.size() && force[to] > least)
        ++to;
    return 0.5 * (times[to] - times[from]);
}

}  // namespace beadwave::fit
