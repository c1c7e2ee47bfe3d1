#include "orbits/curve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::orbits {
namespace {

/// One more column and one more row.
Matrix bordered(const Matrix& jacobian, const std::vector<double>& column,
                const std::vector<double>& row, double corner) {
    const std::size_t n = jacobian.columns;
    Matrix all(jacobian.rows + 1, n + 1);
    for (std::size_t i = 0; i < jacobian.rows; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            all(i, j) = jacobian(i, j);
        all(i, n) = column[i];
    }
    for (std::size_t j = 0; j < n; ++j)
        all(jacobian.rows, j) = row[j];
    all(jacobian.rows, n) = corner;
    return all;
}

}  // namespace

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

void Curve::set_direction(CurvePoint& point, const Matrix& jacobian, const Units& units) const {
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
    std::vector<double> right(jacobian.rows + 1);
    right.back() = 1.0;
    std::vector<double> along = least_squares(
        bordered(jacobian, slope(point.x, point.parameter, units), before, point.rate / length),
        std::move(right));
    const double norm = std::sqrt(dot(along, along));
    for (std::size_t i = 0; i < scale.size(); ++i)
        point.direction[i] = along[i] / norm * scale[i];
    point.rate = along.back() / norm;
}

std::optional<CurvePoint> Curve::correct(const CurvePoint& guess) const {
    constexpr int most_steps = 9;
    CurvePoint point = guess;
    const Units units = problem_.units(guess.x, guess.parameter, least_);
    const std::vector<double> scale = problem_.scale(units);
    std::vector<double> across(scale.size()), residual;
    for (std::size_t i = 0; i < scale.size(); ++i)
        across[i] = guess.direction[i] / scale[i];
    Matrix jacobian;
    double first = 0.0;
    for (int step = 0;; ++step) {
        problem_.evaluate(point.x, point.parameter, units, residual, &jacobian);
        const double error = largest(residual);
        if (!std::isfinite(error) || (step > 0 && error > 10.0 * first + 1e-6)) return std::nullopt;
        if (step == 0) first = error;
        residual.push_back(0.0);  // the steps stay in the plane
        const std::vector<double> change = least_squares(
            bordered(jacobian, slope(point.x, point.parameter, units), across, guess.rate),
            residual);
        for (std::size_t i = 0; i < scale.size(); ++i)
            point.x[i] -= scale[i] * change[i];
        point.parameter -= unit_ * change.back();
        point.corrections = step + 1;
        if (largest(change) < 1e-9 || (step > 2 && error < 1e-10)) break;
        if (step == most_steps) return std::nullopt;
    }
    const Units now = problem_.units(point.x, point.parameter, least_);
    problem_.evaluate(point.x, point.parameter, now, residual, &jacobian);
    if (!(largest(residual) < 1e-7)) return std::nullopt;
    set_direction(point, jacobian, now);
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
    Matrix jacobian;
    problem_.evaluate(point.x, parameter, units, residual, &jacobian);
    set_direction(point, jacobian, units);
    return point;
}

}  // namespace beadwave::orbits
