// The solitary wave of a lattice whose neighbours push each other: its speed and shape, from the
// equation of the travelling wave.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace beadwave::validation {

/// The compression R(x - ct) of neighbours obeys c^2 m R = L * F(R), where F is the push above that
/// at rest and L the triangle of width 2: sinc^2(k/2) in Fourier space. Iterated at a given peak of
/// R, which yields c. x in beads, c in beads per second; R peaks at 0.
class TravellingWave {
  public:
    static constexpr double half_length = 20.0;

    /// push(compression [m]) [N], peak [m], mass [kg].
    TravellingWave(const std::function<double(double)>& push, double peak, double mass)
        : mass_(mass) {
        std::vector<double> shape(points), next(points), forces(points), cosine(points);
        for (std::size_t i = 0; i < points; ++i) {
            const double x =
                2.0 * half_length / points * static_cast<double>(std::min(i, points - i));
            shape[i] = peak / std::pow(std::cosh(x), 2);
            cosine[i] = std::cos(2.0 * std::numbers::pi * static_cast<double>(i) / points);
        }
        double change = 1.0;
        for (int round = 0; round < 300 && change > 1e-12; ++round) {
            for (std::size_t i = 0; i < points; ++i)
                forces[i] = push(shape[i]);
            spectrum_.assign(points / 2, 0.0);
            for (std::size_t j = 0; j < points / 2; ++j) {
                for (std::size_t i = 0; i < points; ++i)
                    spectrum_[j] += forces[i] * cosine[i * j % points] / points;
            }
            for (std::size_t i = 0; i < points; ++i) {
                next[i] = spectrum_[0];
                for (std::size_t j = 1; j < points / 2; ++j)
                    next[i] += 2.0 * spectrum_[j] * sinc(j) * sinc(j) * cosine[i * j % points];
            }
            square_ = next[0] / peak;
            change = 0.0;
            for (std::size_t i = 0; i < points; ++i) {
                change = std::max(change, std::abs(next[i] / square_ - shape[i]) / peak);
                shape[i] = next[i] / square_;
            }
        }
        REQUIRE(change <= 1e-12);
    }

    double speed() const { return std::sqrt(square_ / mass_); }
    double compression(double x) const {
        return sum(x, [&](std::size_t j) { return sinc(j) * sinc(j) / square_; });
    }
    /// Of the bead behind that pair [m/s]: c m V(x) = integral of F(R) from x to x + 1.
    double velocity(double x) const {
        return sum(x + 0.5, [&](std::size_t j) { return sinc(j) / (speed() * mass_); });
    }

  private:
    static constexpr std::size_t points = 512;

    static double wave_number(std::size_t j) {
        return std::numbers::pi * static_cast<double>(j) / half_length;
    }
    static double sinc(std::size_t j) {
        const double half = 0.5 * wave_number(j);
        return j == 0 ? 1.0 : std::sin(half) / half;
    }
    template <class Weight>
    double sum(double x, const Weight& weight) const {
        double total = 0.0;
        for (std::size_t j = 0; j < points / 2; ++j)
            total += (j == 0 ? 1.0 : 2.0) * spectrum_[j] * weight(j) * std::cos(wave_number(j) * x);
        return total;
    }

    double mass_, square_ = 0.0;  ///< c^2 m
    std::vector<double> spectrum_{};
};

}  // namespace beadwave::validation
