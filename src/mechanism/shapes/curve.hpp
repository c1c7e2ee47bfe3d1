// Smooth closed curves, anticlockwise: an ellipse, or a periodic cubic spline. Their points,
// derivatives and curvatures; the nearest and the farthest point from a place; the point that lies
// farthest in a direction.
//
// Searches start from samples of the whole curve, never from an earlier result: the answer depends
// on nothing but the question, so that a resumed run has the same bits.
#pragma once

#include "mechanism/plane.hpp"

#include <array>
#include <limits>
#include <memory>
#include <vector>

namespace beadwave::mechanism::shapes {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

class Curve {
  public:
    /// Position and its derivatives by the parameter.
    struct Point {
        Vector position, first, second;

        Vector outward() const { return unit_vector({first[1], -first[0]}); }
        double curvature() const {  ///< above 0 where the curve is convex [1/m]
            const double speed = length(first);
            return cross(first, second) / (speed * speed * speed);
        }
        double radius() const { return 1.0 / curvature(); }  ///< below 0 in a hollow [m]
    };

    virtual ~Curve() = default;
    Curve(const Curve&) = delete;
    Curve& operator=(const Curve&) = delete;

    virtual Point at(double parameter) const = 0;
    /// The point that lies farthest in this direction. The curve must be convex.
    virtual Point farthest_along(const Vector& direction) const = 0;
    Point nearest_to(const Vector& place) const { return extreme(place, 1.0); }
    Point farthest_from(const Vector& place) const { return extreme(place, -1.0); }

    /// Points all around the curve, in order.
    const std::vector<Point>& samples() const { return samples_; }
    const Vector& middle() const { return middle_; }  ///< of the area [m]
    /// Smallest distance from the middle [m].
    double least_reach() const { return least_reach_; }
    double reach() const { return reach_; }  ///< largest distance from the middle [m]
    /// The largest radius of curvature; infinite if there is an inflection [m].
    double largest_radius() const { return largest_radius_; }
    /// The smallest radius of curvature of the hollows [m]; infinite for a convex curve.
    double hollow_radius() const { return hollow_radius_; }
    bool convex() const;

  protected:
    Curve() = default;
    /// The parameters of the samples; one period after the first is the first again.
    void set_samples(std::vector<double> parameters, double period);
    /// The root of `slope(parameter) -> {value, derivative}` that rises from below 0 to above 0
    /// between `low` and `high`.
    template <class Slope>
    double rising_root(Slope slope, double low, double start, double high) const;
    const std::vector<double>& parameters() const { return parameters_; }
    double period() const { return period_; }

  private:
    Point extreme(const Vector& place, double sign) const;

    std::vector<double> parameters_;
    std::vector<Point> samples_;
    std::vector<Vector> positions_;
    double period_ = 0.0, reach_ = 0.0, least_reach_ = 0.0, largest_radius_ = 0.0,
           hollow_radius_ = 0.0;
    Vector middle_{};
};

std::shared_ptr<const Curve> make_ellipse(const Vector& centre,
                                          const std::array<double, 2>& semi_axes, double angle);
/// A spline through at least three points, none of which repeats the one before it.
std::shared_ptr<const Curve> make_spline(std::vector<Vector> points);

}  // namespace beadwave::mechanism::shapes
