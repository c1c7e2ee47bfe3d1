#include "base/smooth_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave {

SmoothCurve::SmoothCurve(std::vector<double> at, std::vector<double> values)
    : at_(std::move(at)), values_(std::move(values)), slopes_(at_.size(), 0.0) {
    const std::size_t last = at_.size() - 1;
    const auto equal = [&](std::size_t row) { return values_[row] == values_[row + 1]; };
    // Whether the curve rests from this row to the next.
    const auto rests = [&](std::size_t row) {
        return equal(row) && (row == 0 || row + 1 == last || equal(row - 1) || equal(row + 1));
    };
    for (std::size_t first = 0; first < last;) {
        if (rests(first)) {
            ++first;
            continue;
        }
        std::size_t end = first + 1;
        while (end < last && !rests(end))
            ++end;
        solve_slopes(first, end, first > 0, end < last);
        first = end;
    }
}

/// The conditions of a continuous second derivative, for the slopes m at the rows:
/// h[i] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i-1] m[i+1] = 3 (h[i] d[i-1] + h[i-1] d[i]),
/// where h are the distances of the rows and d the slopes of the chords. At a rest m is 0.
void SmoothCurve::solve_slopes(std::size_t first, std::size_t last, bool starts_at_rest,
                               bool ends_at_rest) {
    const auto h = [&](std::size_t i) { return at_[first + i + 1] - at_[first + i]; };
    const auto d = [&](std::size_t i) {
        return (values_[first + i + 1] - values_[first + i]) / h(i);
    };
    const std::size_t n = last - first;  // number of pieces
    std::vector<double> below(n + 1, 0.0), middle(n + 1, 1.0), above(n + 1, 0.0), m(n + 1, 0.0);
    for (std::size_t i = 1; i < n; ++i) {
        below[i] = h(i);
        middle[i] = 2.0 * (h(i - 1) + h(i));
        above[i] = h(i - 1);
        m[i] = 3.0 * (h(i) * d(i - 1) + h(i - 1) * d(i));
    }
    // At an end without rest, the two pieces beside it are one cubic; one piece alone is a
    // parabola.
    const auto not_a_knot = [](double outer, double inner, double outer_chord, double inner_chord) {
        const double both = outer + inner;
        return ((outer + 2.0 * both) * inner * outer_chord + outer * outer * inner_chord) / both;
    };
    if (!starts_at_rest) {
        middle[0] = n > 1 ? h(1) : 1.0;
        above[0] = n > 1 ? h(0) + h(1) : 1.0;
        m[0] = n > 1 ? not_a_knot(h(0), h(1), d(0), d(1)) : 2.0 * d(0);
    }
    if (!ends_at_rest) {
        middle[n] = n > 1 ? h(n - 2) : 1.0;
        below[n] = n > 1 ? h(n - 1) + h(n - 2) : 1.0;
        m[n] = n > 1 ? not_a_knot(h(n - 1), h(n - 2), d(n - 1), d(n - 2)) : 2.0 * d(0);
    }
    for (std::size_t i = 1; i <= n; ++i) {
        const double factor = below[i] / middle[i - 1];
        middle[i] -= factor * above[i - 1];
        m[i] -= factor * m[i - 1];
    }
    for (std::size_t i = n + 1; i-- > 0;) {
        if (i < n) m[i] -= above[i] * m[i + 1];
        m[i] /= middle[i];
        slopes_[first + i] = m[i];
    }
}

std::size_t SmoothCurve::row(double at) const {
    const auto after = std::upper_bound(at_.begin() + 1, at_.end() - 1, at);
    return static_cast<std::size_t>(after - at_.begin()) - 1;
}

SmoothCurve::Piece SmoothCurve::piece(std::size_t row) const {
    const double h = at_[row + 1] - at_[row];
    const double chord = (values_[row + 1] - values_[row]) / h;
    const double m = slopes_[row], next = slopes_[row + 1];
    return {.second = (3.0 * chord - 2.0 * m - next) / h,
            .third = (m + next - 2.0 * chord) / h / h};
}

double SmoothCurve::value(double at) const {
    const std::size_t k = row(at);
    const Piece p = piece(k);
    const double s = at - at_[k];
    return values_[k] + s * (slopes_[k] + s * (p.second + s * p.third));
}

double SmoothCurve::slope(double at) const {
    const std::size_t k = row(at);
    const Piece p = piece(k);
    const double s = at - at_[k];
    return slopes_[k] + s * (2.0 * p.second + 3.0 * s * p.third);
}

double SmoothCurve::curvature(double at) const {
    const std::size_t k = row(at);
    const Piece p = piece(k);
    return 2.0 * p.second + 6.0 * (at - at_[k]) * p.third;
}

double SmoothCurve::largest_slope() const {
    double largest = 0.0;
    for (std::size_t k = 0; k + 1 < at_.size(); ++k) {
        const Piece p = piece(k);
        const double h = at_[k + 1] - at_[k];
        double here = std::max(std::abs(slopes_[k]), std::abs(slopes_[k + 1]));
        const double extreme = -p.second / (3.0 * p.third);  // where the curvature is 0
        if (extreme > 0.0 && extreme < h)
            here = std::max(here, std::abs(slopes_[k] + p.second * extreme));
        if (!std::isfinite(slopes_[k]) || !std::isfinite(here)) return here + slopes_[k];
        largest = std::max(largest, here);
    }
    return largest;
}

double SmoothCurve::largest_curvature() const {
    double largest = 0.0;
    for (std::size_t k = 0; k + 1 < at_.size(); ++k) {
        const Piece p = piece(k);
        const double h = at_[k + 1] - at_[k];
        for (const double curvature : {2.0 * p.second, 2.0 * p.second + 6.0 * h * p.third}) {
            if (!std::isfinite(curvature)) return std::abs(curvature);
            largest = std::max(largest, std::abs(curvature));
        }
    }
    return largest;
}

std::optional<SmoothCurve::Swing> SmoothCurve::swing(double least) const {
    const double curvature = largest_curvature(), slope = largest_slope();
    std::optional<Swing> worst;
    for (std::size_t k = 0; k + 1 < at_.size(); ++k) {
        const Piece p = piece(k);
        const double h = at_[k + 1] - at_[k];
        const double change = 6.0 * h * p.third;
        if (!(std::abs(change) > curvature) || !(0.25 * h * std::abs(change) > least * slope))
            continue;
        if (worst && std::abs(change) <= std::abs(worst->next_curvature - worst->curvature))
            continue;
        worst = Swing{.from = at_[k],
                      .to = at_[k + 1],
                      .curvature = 2.0 * p.second,
                      .next_curvature = 2.0 * p.second + change};
    }
    if (!worst) return worst;
    // Where it leaves the range of two rows: at its extremes, in this piece and its neighbours.
    const std::size_t k = row(worst->from);
    for (std::size_t i = k > 0 ? k - 1 : 0; i < std::min(k + 2, at_.size() - 1); ++i) {
        const auto [low, high] = std::minmax(values_[i], values_[i + 1]);
        constexpr int places = 16;
        for (int part = 1; part < places; ++part) {
            const double now = value(at_[i] + (at_[i + 1] - at_[i]) * part / places);
            worst->beyond = std::max({worst->beyond, low - now, now - high});
        }
    }
    return worst;
}

std::string sentence_of(const SmoothCurve::Swing& swing, const char* unit) {
    const std::string beyond =
        swing.beyond > 0.0 ? fmt::format(" and passes beyond two neighbouring rows by {:.2g} {}",
                                         swing.beyond, unit)
                           : "";
    return fmt::format(
        "the rows at {:g} s and {:g} s do not resolve the motion: the smooth curve through the "
        "rows changes its acceleration from {:.3g} to {:.3g} {}/s^2 between them{}. Give six rows "
        "or more wherever the speed changes; rows of one value before and after a motion keep it "
        "at rest there",
        swing.from, swing.to, swing.curvature, swing.next_curvature, unit, beyond);
}

}  // namespace beadwave
