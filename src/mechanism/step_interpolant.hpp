// The state between the ends of a step, by Hermite's interpolation through the states and their
// derivatives there: of degree 5 for coordinates, whose second derivatives are known too, and 3 for
// all other numbers. It is less accurate than the step, and costs nothing: good enough to see where
// something happens.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::mechanism {

/// One end of a step: y, of which the first `coordinates` numbers are coordinates and the next as
/// many their speeds, and its derivatives.
struct StepEnd {
    std::span<const double> y, dydt;
};

/// y at `part` (0 to 1) of a step of this length [s].
inline void interpolate(const StepEnd& begin, const StepEnd& end, std::size_t coordinates,
                        double step, double part, std::vector<double>& y) {
    const double p = part, p2 = p * p, p3 = p2 * p, p4 = p3 * p, p5 = p4 * p;
    y.resize(begin.y.size());
    for (std::size_t k = 0; k < coordinates; ++k) {
        y[k] = begin.y[k] + (end.y[k] - begin.y[k]) * (10.0 * p3 - 15.0 * p4 + 6.0 * p5) +
               step * (begin.dydt[k] * (p - 6.0 * p3 + 8.0 * p4 - 3.0 * p5) +
                       end.dydt[k] * (-4.0 * p3 + 7.0 * p4 - 3.0 * p5)) +
               0.5 * step * step *
                   (begin.dydt[coordinates + k] * (p2 - 3.0 * p3 + 3.0 * p4 - p5) +
                    end.dydt[coordinates + k] * (p3 - 2.0 * p4 + p5));
    }
    for (std::size_t k = coordinates; k < y.size(); ++k) {
        y[k] = begin.y[k] + (end.y[k] - begin.y[k]) * (3.0 * p2 - 2.0 * p3) +
               step * (begin.dydt[k] * (p - 2.0 * p2 + p3) + end.dydt[k] * (p3 - p2));
    }
}

}  // namespace beadwave::mechanism
