// A force between two bodies that need not touch, along the line of their centres:
//
//     F(r) = A ((r0/r)^p - (r0/R)^p)   for r < R,   0 beyond the range R
//
// r [m]: distance of the centres. A > 0 repels, A < 0 attracts. Without a range the second term is
// zero. With it the force ends without a jump, so that energy is conserved. The energy is
//
//     U(r) = A (u(r) - u(R) - (r0/R)^p (R - r)),   u(r) = r0/(p-1) (r0/r)^(p-1),  -r0 log(r/r0) if
//     p = 1
//
// Dipoles are the case p = 4 [J. D. Jackson, Classical Electrodynamics, section 5.7]; magnets in a
// chain: M. Moleron, A. Leonard, C. Daraio, J. Appl. Phys. 115, 184901 (2014).
#pragma once

#include "beadwave/laws/number.hpp"

#include <cmath>
#include <limits>

namespace beadwave::laws {

/// F(r) for A = 1 N; the bodies bring A.
class PairLaw {
  public:
    static constexpr double no_range = std::numeric_limits<double>::infinity();

    /// r0 [m], p and R [m], all above 0.
    PairLaw(double distance, double exponent, double range = no_range)
        : distance_(distance), exponent_(exponent), range_(range) {
        if (exponent <= most_whole && exponent == std::floor(exponent))
            whole_ = static_cast<int>(exponent);
        for (int digit = 1; 2 * digit <= whole_; digit *= 2)
            first_digit_ = digit;
        if (range < no_range) {
            lost_ = power(distance / range);
            energy_at_range_ = potential(range);
        }
    }

    double distance() const { return distance_; }
    double exponent() const { return exponent_; }
    double range() const { return range_; }

    /// F(r) / A. Not a number where r <= 0: bodies that have passed through each other.
    template <class T>
    T force(T r) const {
        const T inside = power(T(distance_) / r) - T(lost_);
        const T valid = select(r > T(0.0), inside, T(std::numeric_limits<double>::quiet_NaN()));
        return select(r < T(range_), valid, T(0.0));
    }
    /// U(r) / A [m].
    double energy(double r) const {
        if (!(r < range_)) return 0.0;
        return lost_ == 0.0 ? potential(r) : potential(r) - energy_at_range_ - lost_ * (range_ - r);
    }
    /// dF/dr / A [1/m].
    double slope(double r) const {
        return r < range_ ? -exponent_ / r * power(distance_ / r) : 0.0;
    }

  private:
    static constexpr double most_whole = 12.0;

    /// x^p; whole exponents by multiplication.
    template <class T>
    T power(T x) const {
        if (whole_ == 0) return pow(x, T(exponent_));
        T result = x;
        for (int digit = first_digit_; digit > 0; digit >>= 1) {
            result = result * result;
            if ((whole_ & digit) != 0) result = result * x;
        }
        return result;
    }
    double potential(double r) const {
        const double x = distance_ / r;
        if (exponent_ == 1.0) return distance_ * std::log(x);
        return distance_ / (exponent_ - 1.0) * std::pow(x, exponent_ - 1.0);
    }

    double distance_, exponent_, range_;
    int whole_ = 0;        ///< the exponent, if it is a small whole number
    int first_digit_ = 0;  ///< of its binary digits, the second highest one
    double lost_ = 0.0, energy_at_range_ = 0.0;
};

}  // namespace beadwave::laws
