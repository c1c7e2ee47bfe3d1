#include "orbits/locate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace beadwave::orbits {
namespace {

constexpr int most_tries = 60;

/// A zero of value(point) on the curve from `a` on, at most `length` away: the secant with halves
/// where one end stays (Illinois). A value of exactly +-1 has no slope: the interval is halved.
std::optional<CurvePoint> zero(const Curve& curve, const CurvePoint& a, double length,
                               const std::function<double(const CurvePoint&)>& value) {
    double low = 0.0, high = length;
    std::optional<CurvePoint> at = curve.step(a, high);
    if (!at) return std::nullopt;
    CurvePoint before = a;
    double f_low = value(a), f_high = value(*at);
    if (!(f_low * f_high <= 0.0)) return std::nullopt;
    for (int k = 0; k < most_tries && std::fabs(high - low) > 1e-9 * length; ++k) {
        const bool signs = std::fabs(f_low) == 1.0 || std::fabs(f_high) == 1.0;
        double middle =
            signs ? 0.5 * (low + high) : high - f_high * (high - low) / (f_high - f_low);
        if (!(middle > std::min(low, high) && middle < std::max(low, high)))
            middle = 0.5 * (low + high);
        std::optional<CurvePoint> next = curve.step(a, middle);
        if (!next) {
            // Where two branches cross, the curve has no direction.
            const double part = (middle - low) / (high - low);
            next = CurvePoint{.x = between(before, *at, part),
                              .parameter = std::lerp(before.parameter, at->parameter, part),
                              .rate = std::lerp(before.rate, at->rate, part)};
            return signs || std::fabs(value(*next)) < 1e-4 ? next : std::nullopt;
        }
        const double f = value(*next);
        if (f * f_high <= 0.0) {
            low = high;
            f_low = f_high;
            before = std::move(*at);
        } else if (!signs) {
            f_low *= 0.5;
        }
        at = next;
        if (std::fabs(f) < 1e-11) break;
        high = middle;
        f_high = f;
        if (signs && std::fabs(high - low) < 1e-5 * length) break;
    }
    return at;
}

/// The multipliers that may become this kind, of a chain with damping or a drive.
std::vector<Complex> candidates(const Stability& stability, const std::string& kind) {
    std::vector<Complex> all;
    for (const Complex mu : stability.multipliers) {
        const bool real = mu.imag() == 0.0;
        if (kind == "tangent"           ? real && mu.real() > 0.0
            : kind == "period-doubling" ? real && mu.real() < 0.0
                                        : mu.imag() > 0.0)
            all.push_back(mu);
    }
    return all;  // largest first, as they are
}

Complex nearest_to_one(const Stability& stability) {
    Complex nearest = 1.0;
    double least = INFINITY;
    for (const Complex mu : stability.multipliers) {
        if (std::abs(mu - 1.0) >= least) continue;
        least = std::abs(mu - 1.0);
        nearest = {mu.real(), std::fabs(mu.imag())};
    }
    return nearest;
}

}  // namespace

Stability stability_at(const Problem& problem, const std::vector<double>& x, double parameter) {
    if (problem.travels()) return stability_of_wave(problem.monodromy(x, parameter));
    const std::size_t trivial = problem.at(parameter).map->floats() ? 2 : 1;
    if (problem.by_products())
        return stability_within(problem.monodromy_within(x, parameter), problem.turns(), trivial);
    return stability(problem.monodromy(x, parameter), problem.turns(), trivial);
}

const std::vector<std::string>& kinds_of(bool conservative) {
    static const std::vector<std::string> free{"real", "period-doubling", "oscillatory"};
    static const std::vector<std::string> damped{"tangent", "period-doubling", "neimark-sacker"};
    return conservative ? free : damped;
}

std::size_t count_of(const Stability& stability, const std::string& kind) {
    return static_cast<std::size_t>(
        std::ranges::count(stability.instabilities, kind, &Instability::kind));
}

std::optional<Located> locate_fold(const Curve& curve, const CurvePoint& a, double length) {
    const auto at = zero(curve, a, length, [](const CurvePoint& point) { return point.rate; });
    if (!at) return std::nullopt;
    return Located{*at, nearest_to_one(stability_at(curve.problem(), at->x, at->parameter))};
}

std::optional<Located> locate_change(const Curve& curve, const CurvePoint& a, double length,
                                     const std::string& kind, std::size_t count) {
    const bool conservative = curve.problem().conservative();
    Complex multiplier = 0.0;
    const auto at = zero(curve, a, length, [&](const CurvePoint& point) {
        const Stability here = stability_at(curve.problem(), point.x, point.parameter);
        if (conservative) {
            const std::size_t now = count_of(here, kind);
            if (now > count) {
                std::size_t k = 0;
                for (const Instability& each : here.instabilities)
                    if (each.kind == kind && k++ == count) multiplier = each.multiplier;
            }
            return now > count ? 1.0 : -1.0;
        }
        const std::vector<Complex> all = candidates(here, kind);
        if (all.size() <= count) return -1.0;
        multiplier = all[count];
        return std::abs(multiplier) - 1.0;
    });
    if (!at) return std::nullopt;
    return Located{*at, multiplier};
}

}  // namespace beadwave::orbits
