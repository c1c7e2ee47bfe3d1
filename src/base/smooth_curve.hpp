// A smooth curve through rows, for motions that are read from files.
//
// Smoothness: whatever inertia, dampers or power depend on is an acceleration or a speed of the
// motion, so the acceleration must be continuous. The curve is the cubic spline: its second
// derivative is continuous, and linear between the rows (C. de Boor, "A Practical Guide to
// Splines", chapter IV). For a sine with n rows per period the acceleration errs by (2 pi / n)^2 /
// 12 of its peak: 0.13 % for n = 50, and 0.20 % near the ends; in the two pieces at each end up to
// 1.2 %.
//
// Ends: the first two and the last two pieces are one cubic each ("not a knot"), which is exact for
// constant speed and constant acceleration.
//
// Rest: where three neighbouring rows are equal, or the first two, or the last two, the curve is
// exactly constant between them, and the curves that leave there start with slope 0. So a motion
// that starts from rest does not ring into the rest before it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace beadwave {

class SmoothCurve {
  public:
    static constexpr std::size_t fewest_rows = 4;

    /// `at` rises; at least `fewest_rows` of both.
    SmoothCurve(std::vector<double> at, std::vector<double> values);

    double value(double at) const;
    double slope(double at) const;
    double curvature(double at) const;  ///< second derivative; where a rest ends, that after it

    const std::vector<double>& rows() const { return at_; }
    const std::vector<double>& values() const { return values_; }
    const std::vector<double>& slopes() const { return slopes_; }  ///< at the rows
    double largest_slope() const;      ///< absolute; not finite if rows are too close together
    double largest_curvature() const;  ///< absolute; not finite if rows are too close together

    /// Two neighbouring rows between which the curvature changes by more than its largest value:
    /// the rows are a step, a kink, noise, or fewer than six per period, and the curve swings
    /// between them.
    struct Swing {
        double from = 0.0, to = 0.0;                   ///< the rows
        double curvature = 0.0, next_curvature = 0.0;  ///< at them
        double beyond = 0.0;  ///< how far the curve leaves the range of the two rows
    };
    /// The worst one, if it changes the slope by more than `least` of the largest slope.
    std::optional<Swing> swing(double least) const;

  private:
    struct Piece {
        double second, third;  ///< coefficients of (x - row)^2 and (x - row)^3
    };
    std::size_t row(double at) const;
    Piece piece(std::size_t row) const;
    void solve_slopes(std::size_t first, std::size_t last, bool starts_at_rest, bool ends_at_rest);

    std::vector<double> at_, values_, slopes_;
};

/// A sentence about a swing of a motion: units are those of the motion ("m" or "rad").
std::string sentence_of(const SmoothCurve::Swing&, const char* unit);

}  // namespace beadwave
