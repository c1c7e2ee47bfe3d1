#include "modes/dense_damped.hpp"

#include "modes/lapack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace beadwave::modes {
namespace {

/// The zeros of damped free motions: of directions without stiffness, some have damping.
std::size_t undamped_zeros(const std::vector<double>& vectors, const std::vector<double>& damping,
                           std::size_t n, std::size_t zeros) {
    std::vector<double> projected(zeros * zeros);
    for (std::size_t b = 0; b < zeros; ++b) {
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0.0;
            for (std::size_t j = 0; j < n; ++j)
                sum += damping[i * n + j] * vectors[b * n + j];
            for (std::size_t a = 0; a < zeros; ++a)
                projected[a * zeros + b] += vectors[a * n + i] * sum;
        }
    }
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        largest = std::max(largest, damping[i * n + i]);
    if (zeros == 0) return 0;
    const std::vector<double> values = lapack::symmetric(projected, zeros);
    return static_cast<std::size_t>(
        std::ranges::count_if(values, [&](double v) { return v <= 1e-11 * largest; }));
}

}  // namespace

std::vector<DampedMode> dense_damped_modes(const DenseMatrices& matrices,
                                           const std::vector<double>& undamped, std::size_t rigid,
                                           double highest) {
    const auto n = static_cast<std::size_t>(
        std::lround(std::sqrt(static_cast<double>(matrices.stiffness.size()))));
    const double scale = 2.0 * std::numbers::pi * highest;
    const std::size_t zeros = rigid + undamped_zeros(undamped, matrices.damping, n, rigid);
    std::vector<double> companion(4 * n * n);  // of (q, dq/dt / scale), by columns
    for (std::size_t j = 0; j < n; ++j) {
        companion[(n + j) * 2 * n + j] = 1.0;
        for (std::size_t i = 0; i < n; ++i) {
            companion[j * 2 * n + n + i] = -matrices.stiffness[j * n + i] / (scale * scale);
            companion[(n + j) * 2 * n + n + i] = -matrices.damping[j * n + i] / scale;
        }
    }
    const lapack::Eigenpairs all = lapack::general(std::move(companion), 2 * n);
    std::vector<std::size_t> order(2 * n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t k) { return std::abs(all.values[k]); });
    std::vector<DampedMode> modes;
    for (std::size_t k = zeros; k < 2 * n; ++k) {
        const Complex lambda = all.values[order[k]];
        if (lambda.imag() < -1e-12 * std::abs(lambda)) continue;  // the conjugate is listed
        const Complex* shape = all.vectors.data() + order[k] * 2 * n;
        modes.push_back({.lambda = lambda * scale, .shape = {shape, shape + n}});
    }
    return modes;
}

void note_overdamped(Modes& modes) {
    if (modes.frequency.size() <= modes.freedoms) return;
    modes.warnings.push_back(
        fmt::format("{} modes are overdamped; each is listed twice, with its two decay rates "
                    "2 pi times frequency and the damping ratio 1",
                    modes.frequency.size() - modes.freedoms));
}

void add_first_order_damping(const std::vector<double>& mass, const std::vector<double>& damping,
                             const std::string& why, Modes& modes) {
    const std::size_t n = mass.size();
    double largest = 0.0;
    for (std::size_t mode = 0; mode < modes.frequency.size(); ++mode) {
        double inertia = 0.0;
        for (std::size_t i = 0; i < n; ++i)
            inertia += mass[i] * std::norm(modes.shape[mode * n + i]);
        const double omega = 2.0 * std::numbers::pi * modes.frequency[mode];
        modes.damping_ratio.push_back(omega > 0.0 ? damping[mode] / (2.0 * omega * inertia) : 0.0);
        largest = std::max(largest, modes.damping_ratio.back());
    }
    modes.warnings.push_back(fmt::format(
        "{}: the frequencies are those without damping, the damping ratios, up to {:.2g}, are to "
        "first order in the damping",
        why, largest));
}

}  // namespace beadwave::modes
