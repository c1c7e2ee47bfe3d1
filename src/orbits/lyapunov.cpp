#include "orbits/lyapunov.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

namespace beadwave::orbits {
namespace {

constexpr std::int64_t blocks = 50;

/// Gram and Schmidt's method on the columns of u over velocities times `time`, twice against
/// rounding. Sets the lengths, which are then 1.
void orthonormalise(Tangent& tangent, double time, std::vector<double>& length) {
    const std::size_t n = tangent.displacement.rows, k = tangent.displacement.columns;
    Matrix &u = tangent.displacement, &v = tangent.velocity;
    const auto product = [&](std::size_t a, std::size_t b) {
        double sum = 0.0;
        for (std::size_t i = 0; i < n; ++i)
            sum += u(i, a) * u(i, b) + time * time * v(i, a) * v(i, b);
        return sum;
    };
    const auto add = [&](std::size_t a, std::size_t b, double factor) {
        for (std::size_t i = 0; i < n; ++i) {
            u(i, b) += factor * u(i, a);
            v(i, b) += factor * v(i, a);
        }
    };
    for (std::size_t b = 0; b < k; ++b) {
        for (int pass = 0; pass < 2; ++pass)
            for (std::size_t a = 0; a < b; ++a)
                add(a, b, -product(a, b));
        length[b] = std::sqrt(product(b, b));
        add(b, b, 1.0 / length[b] - 1.0);
    }
}

}  // namespace

Lyapunov lyapunov(PeriodMap& map, State state, const LyapunovRequest& request) {
    const std::size_t n = map.freedoms(), count = std::min(request.exponents, 2 * n);
    const double time = request.period / (2.0 * std::numbers::pi);
    const double step = request.period / static_cast<double>(request.steps);
    Tangent tangent{Matrix(n, count), Matrix(n, count)};
    for (std::size_t k = 0; k < count; ++k) {
        // Directions that favour none.
        for (std::size_t i = 0; i < n; ++i) {
            const double angle = 2.399963 * static_cast<double>((i + 1) * (k + 1));
            tangent.displacement(i, k) = std::cos(angle);
            tangent.velocity(i, k) = std::sin(1.7 * angle) / time;
        }
    }
    std::vector<double> length(count), sum(count), square(count), block(count);
    orthonormalise(tangent, time, length);
    const std::int64_t in_block = std::max<std::int64_t>(1, request.periods / blocks);
    for (std::int64_t period = -request.transient; period < in_block * blocks; ++period) {
        if (period % 64 == 0 && request.stop && request.stop())
            throw std::runtime_error("interrupted");
        map.run(state, step, request.steps, &tangent);
        orthonormalise(tangent, time, length);
        if (!std::isfinite(largest(length)) || !std::isfinite(largest(state.displacement)))
            throw std::runtime_error("the motion is not finite");
        if (period < 0) continue;
        for (std::size_t k = 0; k < count; ++k)
            block[k] += std::log(length[k]);
        if ((period + 1) % in_block != 0) continue;
        for (std::size_t k = 0; k < count; ++k) {
            const double mean = block[k] / (static_cast<double>(in_block) * request.period);
            sum[k] += mean;
            square[k] += mean * mean;
            block[k] = 0.0;
        }
    }
    Lyapunov result{.periods = in_block * blocks};
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t k) { return sum[k]; });
    constexpr double many = blocks;
    for (const std::size_t k : order) {
        const double mean = sum[k] / many;
        result.exponents.push_back(mean);
        result.standard_errors.push_back(
            std::sqrt(std::max(0.0, square[k] / many - mean * mean) / (many - 1.0)));
    }
    return result;
}

}  // namespace beadwave::orbits
