#include "modes/band_edges.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace beadwave::modes {
namespace {

using packing::Vec3;

/// The memory that all numbers kept may take [bytes].
constexpr std::size_t most_memory = 64'000'000;

/// One and the same point of the zone for k, -k and k plus a reciprocal vector.
Parts folded(const Parts& parts) {
    Parts plus{}, minus{};
    for (std::size_t k = 0; k < 3; ++k) {
        plus[k] = parts[k] - std::floor(parts[k]);
        minus[k] = plus[k] == 0.0 ? 0.0 : 1.0 - plus[k];
    }
    return std::min(plus, minus);
}

/// The value of a key, computed where it is not known; no more than `most` are kept.
template <class Value, class Compute>
std::shared_ptr<const Value> known(std::map<Parts, std::shared_ptr<const Value>>& all,
                                   std::mutex& mutex, const Parts& key, std::size_t most,
                                   const Compute& compute) {
    {
        const std::lock_guard lock(mutex);
        if (const auto found = all.find(key); found != all.end()) return found->second;
    }
    std::shared_ptr<const Value> value = compute();
    const std::lock_guard lock(mutex);
    if (all.size() < most) all.emplace(key, value);
    return value;
}

/// Slope and curvature of the square of a branch by the parts of the wave vector.
struct Surface {
    double square;
    std::array<double, 3> slope{};
    std::array<std::array<double, 3>, 3> curvature{};
};

std::optional<Surface> surface_at(KnownWaves& waves, std::size_t branch, const Parts& at) {
    const BranchCurve curve = waves.state(at)->curve(branch);
    if (!curve.alone) return std::nullopt;
    Surface surface{.square = curve.square};
    for (std::size_t a = 0; a < waves.axes(); ++a) {
        const Vec3 first = waves.direction(a);
        const double u[] = {first.x, first.y, first.z};
        for (std::size_t i = 0; i < 3; ++i)
            surface.slope[a] += u[i] * curve.slope[i];
        for (std::size_t b = 0; b < waves.axes(); ++b) {
            const Vec3 second = waves.direction(b);
            const double v[] = {second.x, second.y, second.z};
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                    surface.curvature[a][b] += u[i] * v[j] * curve.curvature[i][j];
        }
    }
    return surface;
}

/// The step to the extremum of the surface's parabola; none if it has no such extremum.
std::optional<Parts> newton_step(const Surface& surface, std::size_t axes, double sign) {
    // -sign times the curvature is positive definite at an extremum [Cholesky].
    std::array<std::array<double, 3>, 3> root{};
    double largest = 0.0;
    for (std::size_t a = 0; a < axes; ++a)
        largest = std::max(largest, std::fabs(surface.curvature[a][a]));
    Parts step{};
    for (std::size_t a = 0; a < axes; ++a) {
        for (std::size_t b = 0; b <= a; ++b) {
            double sum = -sign * surface.curvature[a][b];
            for (std::size_t k = 0; k < b; ++k)
                sum -= root[a][k] * root[b][k];
            if (b < a) {
                root[a][b] = sum / root[b][b];
            } else if (sum > 1e-9 * largest) {
                root[a][a] = std::sqrt(sum);
            } else {
                return std::nullopt;
            }
        }
        step[a] = sign * surface.slope[a];
        for (std::size_t k = 0; k < a; ++k)
            step[a] -= root[a][k] * step[k];
        step[a] /= root[a][a];
    }
    for (std::size_t a = axes; a-- > 0;) {
        for (std::size_t k = a + 1; k < axes; ++k)
            step[a] -= root[k][a] * step[k];
        step[a] /= root[a][a];
    }
    return step;
}

/// Newton's method within `reach` of the start; none if it does not converge there.
std::optional<Extremum> newton(KnownWaves& waves, std::size_t branch, double sign, double reach,
                               const Extremum& start) {
    Parts at = start.at;
    constexpr int most_rounds = 12;
    for (int round = 0; round < most_rounds; ++round) {
        const auto surface = surface_at(waves, branch, at);
        if (!surface || !(surface->square > 0.0)) return std::nullopt;
        const auto step = newton_step(*surface, waves.axes(), sign);
        if (!step) return std::nullopt;
        double gain = 0.0;
        for (std::size_t a = 0; a < waves.axes(); ++a)
            gain += 0.5 * std::fabs((*step)[a] * surface->slope[a]);
        if (gain <= 1e-14 * surface->square) {
            const double omega = std::sqrt(surface->square);
            if (sign * (omega - start.omega) < -1e-13 * start.omega) return std::nullopt;
            return sign * (omega - start.omega) > 0.0 ? Extremum{omega, at} : start;
        }
        for (std::size_t a = 0; a < waves.axes(); ++a) {
            at[a] += (*step)[a];
            if (!(std::fabs(at[a] - start.at[a]) <= reach)) return std::nullopt;
        }
    }
    return std::nullopt;
}

}  // namespace

KnownWaves::KnownWaves(const linear::PackingOperator& packing, const PrimitiveCell& cell)
    : packing_(packing), cell_(cell), reciprocal_(reciprocal(cell.basis(packing.box))) {
    const std::size_t n = cell.bodies.size() * packing.components();
    most_frequencies_ = most_memory / (n * sizeof(double) + 200);
    most_states_ = std::max<std::size_t>(most_memory / (n * n * 2 * sizeof(double) + 200), 1);
}

Vec3 KnownWaves::direction(std::size_t axis) const {
    return (2.0 * std::numbers::pi) * reciprocal_[axis];
}

Vec3 KnownWaves::wave(const Parts& parts) const {
    Vec3 wave{};
    for (std::size_t k = 0; k < axes(); ++k)
        wave += (2.0 * std::numbers::pi * parts[k]) * reciprocal_[k];
    return wave;
}

std::shared_ptr<const std::vector<double>> KnownWaves::frequencies(Parts parts) {
    parts = folded(parts);
    return known(frequencies_, mutex_, parts, most_frequencies_, [&] {
        return std::make_shared<const std::vector<double>>(
            bloch_frequencies(packing_, cell_, wave(parts)));
    });
}

std::shared_ptr<const BlochState> KnownWaves::state(const Parts& parts) {
    return known(states_, mutex_, parts, most_states_,
                 [&] { return std::make_shared<const BlochState>(packing_, cell_, wave(parts)); });
}

Extremum extremum_near(KnownWaves& waves, std::size_t branch, bool upper, double step,
                       Extremum start) {
    const double sign = upper ? 1.0 : -1.0;
    // Shorter steps are left to Newton's method.
    constexpr double short_step = 0.07;
    Extremum best = start;
    for (; step > 1e-7; step *= 0.5) {
        if (step < short_step) {
            if (const auto found = newton(waves, branch, sign, 2.0 * step, best)) return *found;
        }
        for (bool moved = true; moved;) {
            moved = false;
            for (int direction = 0; direction < 27; ++direction) {
                Parts parts = best.at;
                bool within = direction != 13;
                for (std::size_t k = 0, rest = static_cast<std::size_t>(direction); k < 3;
                     ++k, rest /= 3) {
                    if (rest % 3 != 1 && k >= waves.axes()) within = false;
                    parts[k] += step * (static_cast<double>(rest % 3) - 1.0);
                }
                if (!within) continue;
                const double omega = (*waves.frequencies(parts))[branch];
                if (!(sign * (omega - best.omega) > 1e-13 * std::fabs(best.omega))) continue;
                best = {omega, parts};
                moved = true;
            }
        }
    }
    return best;
}

}  // namespace beadwave::modes
