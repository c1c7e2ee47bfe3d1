#include "orbits/curve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::orbits {

std::vector<double> between(const CurvePoint& a, const CurvePoint& b, double part) {
    std::vector<double> x(a.x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = std::lerp(a.x[i], b.x[i], part);
    return x;
}

std::vector<double> Curve::slope(const std::vector<double>& x, double parameter,
                                 const Units& units) const {
    constexpr double part = 1e-6;
    std::vector<double> above, below;
    problem_.evaluate(x, parameter + part * unit_, units, above);
    problem_.evaluate(x, parameter - part * unit_, units, below);
    for (std::size_t i = 0; i < above.size(); ++i)
        above[i] = (above[i] - below[i]) / (2.0 * part);
    return above;
}

double Curve::cosine(const CurvePoint& a, const CurvePoint& b) const {
    const auto scale = problem_.scale(problem_.units(a.x, a.parameter, least_));
    double ab = a.rate * b.rate, aa = a.rate * a.rate, bb = b.rate * b.rate;
    for (std::size_t i = 0; i < scale.size(); ++i) {
        const double p = a.direction[i] / scale[i], q = b.direction[i] / scale[i];
        ab += p * q;
        aa += p * p;
        bb += q * q;
    }
    return ab / std::sqrt(aa * bb);
}

void Curve::set_direction(CurvePoint& point, Solver& solver, const Units& units) const {
    const std::vector<double> scale = problem_.scale(units);
    std::vector<double> before(scale.size());
    double length = point.rate * point.rate;
    for (std::size_t i = 0; i < scale.size(); ++i) {
        before[i] = point.direction[i] / scale[i];
        length += before[i] * before[i];
    }
    length = std::sqrt(length);
    for (double& x : before)
        x /= length;
    const Border border{.column = slope(point.x, point.parameter, units),
                        .row = std::move(before),
                        .corner = point.rate / length};
    std::vector<double> right(border.column.size() + 1);
    right.back() = 1.0;
    const std::vector<double> along = solver.solve(right, &border);
    const double norm = std::sqrt(dot(along, along));
    for (std::size_t i = 0; i < scale.size(); ++i)
        point.direction[i] = along[i] / norm * scale[i];
    point.rate = along.back() / norm;
}

std::optional<CurvePoint> Curve::correct(const CurvePoint& guess) const {
    constexpr int most_steps = 9;
    constexpr double rounding = 1e-12;
    CurvePoint point = guess;
    const Units units = problem_.units(guess.x, guess.parameter, least_);
    const std::vector<double> scale = problem_.scale(units);
    std::vector<double> across(scale.size()), residual;
    for (std::size_t i = 0; i < scale.size(); ++i)
        across[i] = guess.direction[i] / scale[i];
    Solver& solver = solver_;
    double first = 0.0;
    for (int step = 0;; ++step) {
        solver.set(point.x, point.parameter, units, residual);
        const double error = largest(residual);
        if (!std::isfinite(error) || (step > 0 && error > 10.0 * first + 1e-6)) return std::nullopt;
        if (step == 0) first = error;
        // A change that rounding asks for would lead away along directions that cost next to
        // nothing, such as the place of a wide breather.
        if (step > 0 && error < rounding) break;
        residual.push_back(0.0);  // the steps stay in the plane
        const Border border{
            .column = slope(point.x, point.parameter, units), .row = across, .corner = guess.rate};
        const std::vector<double> change = solver.solve(residual, &border);
        for (std::size_t i = 0; i < scale.size(); ++i)
            point.x[i] -= scale[i] * change[i];
        point.parameter -= unit_ * change.back();
        point.corrections = step + 1;
        if (largest(change) < 1e-9 || (step > 2 && error < 1e-10)) break;
        if (step == most_steps) return std::nullopt;
    }
    const Units now = problem_.units(point.x, point.parameter, least_);
    solver.set(point.x, point.parameter, now, residual);
    if (!(largest(residual) < 1e-7)) return std::nullopt;
    set_direction(point, solver, now);
    return point;
}

std::optional<CurvePoint> Curve::step(const CurvePoint& from, double length) const {
    CurvePoint guess = from;
    for (std::size_t i = 0; i < guess.x.size(); ++i)
        guess.x[i] += length * from.direction[i];
    guess.parameter += length * unit_ * from.rate;
    return correct(guess);
}

CurvePoint Curve::start(std::vector<double> x, double parameter, double rate) const {
    CurvePoint point{.x = std::move(x), .parameter = parameter};
    point.direction.assign(point.x.size(), 0.0);
    point.rate = rate;
    const Units units = problem_.units(point.x, parameter, least_);
    std::vector<double> residual;
    Solver& solver = solver_;
    solver.set(point.x, parameter, units, residual);
    set_direction(point, solver, units);
    return point;
}

}  // namespace beadwave::orbits
